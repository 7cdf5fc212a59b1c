// The words of the page in its language, and the tables of decks and rule sets: one fetch, before anything is drawn.
import { el } from "./dom.js";
import { ask, untilDone } from "./request.js";

const unreachable = document.getElementById("unreachable");
export const words = await untilDone(() => ask("/words.json"), () => (unreachable.hidden = false));
unreachable.hidden = true;

/** The text in the page's language; `{name}` is filled in from `values`. */
export function _(text, values = {}) {
  return (words.messages[text] || text).replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
}

const decks = new Map(words.decks.map((deck) => [deck.id, { ...deck, names: new Map(deck.faces) }]));
const ruleSets = new Map(words.rules.map((rules) => [rules.id, rules]));

export const deckOf = (id) => decks.get(id);
export const rulesOf = (id) => ruleSets.get(id);

/** So many cards, in words. */
export const cardCount = (n) => (n === 1 ? _("1 card") : _("{n} cards", { n }));

/** The name of a card in the page's language; a wild that stands for a card is written `W=b8`. */
export function cardName(deck, code) {
  const [card, as] = code.split("=");
  const name = decks.get(deck)?.names.get(card) ?? card;
  return as ? `${name}=${cardName(deck, as)}` : name;
}

/** A card or a hand in notation (`碰(b5 b5)`) with the names of its cards. */
export const withNames = (deck, notation) => notation.replace(/[^\s()!=,]+/g, (code) => cardName(deck, code));

/** The name in the page's language of a card that is given by its English name; other words as they are. */
export const localName = (deck, english) => decks.get(deck)?.faces.find(([, , name]) => name === english)?.[1] ?? english;

/** A text with the words of the game that the language keeps as links to what they mean. */
export function explained(rules, text) {
  const meant = new Map(rulesOf(rules).words);
  if (!meant.size) return text;
  const form = (word) => (word < "\u2e80" ? `(?<![\\p{L}])${word}(?![\\p{L}])` : word);
  const parts = text.split(new RegExp(`(${[...meant.keys()].map(form).join("|")})`, "iu"));
  const link = (part, word) => el("a", { class: "term", href: `/games/rules/${rules}#w-${word.replaceAll(" ", "-")}` }, part);
  return parts.map((part) => (meant.has(part.toLowerCase()) ? link(part, meant.get(part.toLowerCase())) : part));
}

export const kindName = (rules, id) => rulesOf(rules).kinds.find((kind) => kind.id === id)?.name ?? id;
