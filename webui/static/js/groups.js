// Whole melds by one tap: while a hand is typed, and of the cards that were picked.
import { el } from "./dom.js";
import { face } from "./faces.js";
import { ask } from "./request.js";
import { divided, fitting } from "./melds.js";
import * as hand from "./state.js";
import { _, cardName } from "./words.js";

const asked = new Map();

/** Every group that can lie on the table in the game that is chosen: [[code]]; none where nobody can say. */
function groupsOf(rules) {
  if (!asked.has(rules)) asked.set(rules, ask(`/api/groups/${rules}`).then(({ groups }) => groups));
  return asked.get(rules).catch(() => (asked.delete(rules), []));
}

/** The cards in hand that were typed, the last one first. */
const typed = () => hand.state.piles.filter((pile) => !pile.table).flatMap((pile) => pile.cards.filter((card) => !card.ends.length)).reverse();

/** Lay a group on the table: of the cards that were typed those that belong to it, and new ones for the others. */
function lay(group) {
  const left = typed();
  hand.change((state) => {
    const cards = group.map((code) => {
      const at = left.findIndex((card) => card.code === code);
      return at < 0 ? hand.newCard(code) : left.splice(at, 1)[0];
    });
    for (const pile of state.piles) pile.cards = pile.cards.filter((card) => !cards.includes(card));
    state.piles.push({ id: hand.newId(), table: true, kind: null, cards });
  });
}

/** Keys that lay a whole group with the card `last` on the table; `done()` after one. */
export async function groupKeys(last, done) {
  const groups = await groupsOf(hand.state.rules);
  const key = (group) =>
    el(
      "button",
      { type: "button", "data-group": group.join(" "), "aria-label": group.map((code) => cardName(hand.deck(), code)).join(" "), onclick: () => (lay(group), done()) },
      el("span", { class: "faces small", "aria-hidden": "true" }, group.map((code) => face(hand.deck(), code, { half: true, silent: true }))),
    );
  return fitting(last, typed().map((card) => card.code), groups).map(key);
}

/** Lay cards on the table, each meld by itself where they divide into melds. */
export async function layPicked(ids) {
  const groups = [...(await groupsOf(hand.state.rules))].sort((a, b) => b.length - a.length);
  const picked = hand.state.piles.map((pile) => pile.cards.filter((card) => ids.includes(card.id))).filter((cards) => cards.length);
  const melds = picked.flatMap((cards) => {
    const left = [...cards];
    const take = (code) => left.splice(left.findIndex((card) => card.code === code), 1)[0].id;
    return divided(cards.map((card) => card.code), groups)?.map((group) => group.map(take)) ?? [cards.map((card) => card.id)];
  });
  hand.layMelds(melds);
}
