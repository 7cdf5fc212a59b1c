// The piles under the photo: their cards, where they lie, and picking several cards at once.
// @ts-nocheck: not typed yet
import { result } from "./count.js";
import { lineOf } from "./counted.js";
import { byId, el, icon } from "./dom.js";
import { face } from "./faces.js";
import { colour, deck, moveCards, state } from "./state.js";
import { lineName } from "./terms.js";
import { cardCount, cardName, kindName, _ } from "./words.js";

const FEW = 4; // cards of a pile that leaves room for another one beside it

const picked = new Set();
let picking = false;

/** What a pile is, in a word: on the table as it was laid down, in hand as it is counted; null where it is neither. */
function pileName(pile, kinds) {
  const kind = pile.kind ?? kinds[0];
  if (pile.table) return kind ? kindName(state.rules, kind) : null;
  const line = lineOf(result?.score, pile.cards.map((card) => card.code));
  return line ? lineName(line.name) : null;
}

/** Where a pile lies and what it is: the words that there are for it. */
const pileWords = (pile, kinds = []) => [pile.table ? _("On the table") : _("In hand"), pileName(pile, kinds)].filter(Boolean);

/** The same as one text. */
export const pileTitle = (pile, kinds) => pileWords(pile, kinds).join(" · ");

function cardButton(card, handlers) {
  const words = [cardName(deck(), card.code), card.review && _("to check"), card.id === state.winning && _("winning card")];
  const classes = [card.review && "doubt", card.id === state.winning && "winning", picked.has(card.id) && "picked"];
  return el(
    "button",
    {
      type: "button",
      class: classes.filter(Boolean).join(" "),
      "data-pick": card.id,
      "aria-label": words.filter(Boolean).join(" · "),
      "aria-pressed": picking ? String(picked.has(card.id)) : null,
      onclick: () => (picking ? toggle(card.id) : handlers.card(card.id)),
    },
    face(deck(), card.code, { silent: true }),
  );
}

function pileBox(pile, kinds, handlers) {
  const [place, name] = pileWords(pile, kinds);
  const impossible = pile.table && kinds && !(pile.kind ? kinds.includes(pile.kind) : kinds.length);
  return el(
    "section",
    { class: `pile ${colour(pile)}${pile.cards.length <= FEW ? " few" : ""}`, "aria-label": pileTitle(pile, kinds) },
    el(
      "div",
      { class: "pile-head" },
      el(
        "button",
        { type: "button", "data-pile": pile.id, "aria-haspopup": "dialog", onclick: () => handlers.pile(pile.id) },
        el("span", { class: "words" }, el("span", { class: pile.table ? "on-table" : "in-hand" }, place), name && el("small", {}, name)),
        icon("next"),
      ),
      el("span", { class: "hint" }, cardCount(pile.cards.length)),
      el(
        "button",
        { type: "button", class: "into", "aria-label": _("Add a card to this pile"), onclick: () => handlers.add(pile.id) },
        icon("plus"),
      ),
    ),
    el(
      "div",
      { class: "pile-cards" },
      pile.cards.map((card) => cardButton(card, handlers)),
    ),
    impossible && el("p", { class: "impossible" }, _("These cards together are no group of this game.")),
  );
}

/** Show all piles; `kinds` are what each of them could be, as the server says. */
export function drawPiles(kinds, handlers) {
  const box = byId("piles");
  const focused = document.activeElement?.dataset?.pick;
  const alone = el("p", { class: "pile blank-pile" }, _("No cards yet. Take a photo, or add them one by one."));
  box.replaceChildren(...(state.piles.length ? state.piles.map((pile, n) => pileBox(pile, kinds[n], handlers)) : [alone]));
  if (focused) box.querySelector(`[data-pick="${focused}"]`)?.focus();
  drawPicking(handlers);
}

/** Start picking several cards, to lay them together. */
export function startPicking(handlers, first = []) {
  picking = true;
  picked.clear();
  first.forEach((id) => picked.add(id));
  handlers.redraw();
}

function stopPicking(handlers) {
  picking = false;
  picked.clear();
  handlers.redraw();
}

let redraw = () => {};

function toggle(id) {
  if (!picked.delete(id)) picked.add(id);
  redraw();
}

function drawPicking(handlers) {
  redraw = handlers.redraw;
  const box = byId("picking");
  box.hidden = !picking;
  if (!picking) return;
  const lay = (table) => () => {
    const ids = [...picked];
    picking = false;
    picked.clear();
    if (!ids.length) return handlers.redraw();
    // Several melds at once are as many piles; where nobody can say which, they are one.
    if (table) return import("./groups.js").then(({ layPicked }) => layPicked(ids)).catch(() => moveCards(ids, { table }));
    moveCards(ids, { table });
  };
  box.replaceChildren(
    el("span", {}, picked.size ? _("{n} picked", { n: picked.size }) : _("Tap the cards that belong together")),
    el("button", { type: "button", disabled: !picked.size, onclick: lay(true) }, _("Onto the table")),
    el("button", { type: "button", disabled: !picked.size, onclick: lay(false) }, _("A pile in hand")),
    el("button", { type: "button", onclick: () => stopPicking(handlers) }, _("Cancel")),
  );
}
