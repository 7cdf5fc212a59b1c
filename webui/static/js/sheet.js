// The sheet that comes up from below: one card, one pile, the keypad.
import { byId, el, icon } from "./dom.js";
import { face } from "./faces.js";
import { cut, loaded } from "./photos.js";
import { pileTitle } from "./piles.js";
import * as hand from "./state.js";
import { _, cardName, deckOf, kindName, rulesOf } from "./words.js";

const dialog = byId("sheet");
const body = byId("sheet-body");
let closed = () => {};

dialog.querySelector("[data-close]").addEventListener("click", () => dialog.close());
dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
dialog.addEventListener("close", () => closed());

function open(title, parts, whenClosed = () => {}) {
  closed = whenClosed;
  byId("sheet-title").textContent = title;
  body.replaceChildren(...parts.filter(Boolean));
  if (!dialog.open) dialog.showModal();
  dialog.scrollTop = 0;
  byId("sheet-title").focus();
}

export const close = () => dialog.close();

/** All cards of the game as keys; `choose(code)` on a tap, `now` is the card that is chosen. */
export function keypad(deck, choose, now = null) {
  const { most } = rulesOf(hand.state.rules);
  const faces = deckOf(deck).faces.filter(([code]) => code in most);
  const key = ([code, name]) => {
    const count = hand.held(code);
    return el(
      "button",
      {
        type: "button",
        class: `key${count >= most[code] ? " full" : ""}`,
        "data-code": code,
        "aria-label": count ? `${name} · ${_("{n} here", { n: count })}` : name,
        "aria-pressed": now === null ? null : String(code === now),
        onclick: () => choose(code),
      },
      face(deck, code, { half: true, silent: true }),
      el("span", { "aria-hidden": "true" }, name),
      count > 0 && el("span", { class: "held", "aria-hidden": "true" }, `×${count}`),
    );
  };
  return el("div", { class: `keypad of-${deck}`, role: "group", "aria-label": _("All cards") }, faces.map(key));
}

const percent = (p) => `${Math.floor(p * 1000) / 10 > 99.9 ? ">99.9" : Math.round(p * 100)}%`;

/** The card's crop, large, and what it may be. */
function look(card, choose) {
  const seen = card.ends.length > 0 && loaded(card.photo);
  const canvas = seen ? el("canvas", { width: 236, height: 344, role: "img", "aria-label": _("The card on the photo") }) : null;
  if (seen) cut(loaded(card.photo), card.ends[0], canvas, { depth: 1.4 });
  const guesses = card.alternatives.length ? card.alternatives : [[card.code, card.p]];
  const guess = ([code, p]) =>
    el(
      "button",
      { type: "button", class: "guess", "data-code": code, "aria-pressed": String(code === card.code), onclick: () => choose(code) },
      face(hand.deck(), code, { half: true, silent: true }),
      el("span", {}, cardName(hand.deck(), code)),
      p !== null && p !== undefined && [
        el("meter", { min: 0, max: 1, value: p, low: 0.5, high: 0.9, optimum: 1, "aria-label": _("How sure") }),
        el("span", { class: "percent" }, percent(p)),
      ],
    );
  return el("div", { class: "look" }, canvas, el("div", { class: "guesses" }, guesses.slice(0, 4).map(guess)));
}

/** What a pile is called and its first cards, since several may be "in hand". */
const pileLabel = (pile, kinds) => [
  `${pileTitle(pile, kinds[hand.state.piles.indexOf(pile)])} (${pile.cards.length})`,
  el("span", { class: "faces small", "aria-hidden": "true" }, pile.cards.slice(0, 4).map((card) => face(hand.deck(), card.code, { half: true, silent: true }))),
];

function pileChips(card, kinds, done) {
  const own = hand.pileOf(card.id);
  const chip = (pile) =>
    el(
      "button",
      {
        type: "button",
        class: hand.colour(pile),
        "aria-pressed": String(pile === own),
        onclick: () => (pile !== own && hand.moveCards([card.id], { into: pile.id }), done()),
      },
      pileLabel(pile, kinds),
    );
  const apart = (table, text) =>
    el("button", { type: "button", onclick: () => (hand.moveCards([card.id], { table }), done()) }, icon("plus"), text);
  return el(
    "div",
    { class: "chips" },
    hand.state.piles.map(chip),
    apart(false, _("new pile in hand")),
    apart(true, _("new pile on the table")),
  );
}

/** Put one card right; `next` opens the next doubtful one. */
export function cardSheet(id, kinds, next = null, whenClosed = () => {}) {
  const card = hand.cardOf(id);
  if (!card) return dialog.close();
  const choose = (code) => {
    hand.setCode(id, code);
    const doubt = next && hand.doubtful()[0];
    if (doubt) next(doubt.id);
    else dialog.close();
  };
  const winning = hand.state.winning === id;
  const acts = el(
    "div",
    { class: "sheet-acts" },
    el(
      "button",
      {
        type: "button",
        id: "mark-winning",
        class: winning ? "" : "plain",
        "aria-pressed": String(winning),
        onclick: () => (hand.change((state) => (state.winning = winning ? null : id)), dialog.close()),
      },
      winning ? _("Not the winning card") : _("This card won"),
    ),
    el("button", { type: "button", id: "remove-card", class: "plain", onclick: () => (hand.removeCard(id), dialog.close()) }, icon("bin"), _("Not in the hand")),
  );
  open(
    card.review ? _("Is this {card}?", { card: cardName(hand.deck(), card.code) }) : cardName(hand.deck(), card.code),
    [
      look(card, choose),
      el("p", { class: "label" }, _("It is another card:")),
      keypad(hand.deck(), choose, card.code),
      acts,
      el("p", { class: "label" }, _("It lies in:")),
      pileChips(card, kinds, () => dialog.close()),
    ],
    whenClosed,
  );
}

/** Add cards, one tap each, until the sheet is closed; `add(code)` does it. */
export function addSheet(title, add, { once = false, whenClosed = () => {} } = {}) {
  const groups = el("div", { class: "groups" });
  const offer = (code) => import("./groups.js").then(({ groupKeys }) => groupKeys(code, () => draw())).then((keys) => groups.replaceChildren(...(keys.length ? [el("p", { class: "label" }, _("A whole group, laid on the table:")), el("div", { class: "group-row" }, keys)] : [])), () => null);
  const draw = () => {
    groups.replaceChildren();
    open(
      title,
      [
        !once && el("p", { class: "label", role: "status" }, hand.cards().length === 1 ? _("1 card in the hand") : _("{n} cards in the hand", { n: hand.cards().length })),
        keypad(hand.deck(), (code) => {
          add(code);
          if (once) return dialog.close();
          const top = dialog.scrollTop;
          draw();
          dialog.scrollTop = top;
          body.querySelector(`[data-code="${code}"]`)?.focus();
          offer(code);
        }),
        !once && groups,
        !once && el("div", { class: "sheet-acts" }, el("button", { type: "button", onclick: () => dialog.close() }, _("Done"))),
      ],
      whenClosed,
    );
  };
  draw();
}

/** Choose one card for a fact. */
export function askCard(title, now, choose) {
  open(title, [
    keypad(hand.deck(), (code) => (choose(code), dialog.close()), now ?? ""),
    el("div", { class: "sheet-acts" }, el("button", { type: "button", class: "plain", onclick: () => (choose(null), dialog.close()) }, _("None"))),
  ]);
}

/** Ask which of the loose cards won. */
export function winningSheet() {
  const loose = hand.state.piles.filter((pile) => !pile.table).flatMap((pile) => pile.cards);
  const cards = loose.length ? loose : hand.cards();
  const once = cards.filter((card, n) => cards.findIndex((other) => other.code === card.code) === n);
  const win = (card) => (hand.change((state) => (state.winning = card.id)), dialog.close());
  const key = (card) =>
    el(
      "button",
      { type: "button", class: "key", "data-code": card.code, "aria-label": cardName(hand.deck(), card.code), onclick: () => win(card) },
      face(hand.deck(), card.code, { half: true, silent: true }),
      el("span", { "aria-hidden": "true" }, cardName(hand.deck(), card.code)),
    );
  open(_("Which card won?"), [el("div", { class: "keypad" }, once.map(key))]);
}

/** Where a pile lies and what it is. */
export function pileSheet(id, kinds, pick) {
  const pile = hand.state.piles.find((one) => one.id === id);
  const number = hand.state.piles.indexOf(pile);
  const possible = kinds[number] ?? [];
  const choice = (pressed, text, values) =>
    el("button", { type: "button", "aria-pressed": String(pressed), onclick: () => (hand.setPile(id, values), dialog.close()) }, text);
  const kind = pile.kind ?? possible[0];
  const merge = hand.state.piles.filter((one) => one !== pile);
  open(_("This pile"), [
    el("div", { class: "faces" }, pile.cards.map((card) => face(hand.deck(), card.code))),
    el("p", { class: "label" }, _("It lies")),
    el("div", { class: "chips", id: "pile-place" }, choice(!pile.table, _("in hand"), { table: false, kind: null })),
    el("p", { class: "label" }, possible.length ? _("or it was laid down as") : _("These cards together are no group of this game.")),
    el(
      "div",
      { class: "chips", id: "pile-kinds" },
      possible.map((one) => choice(pile.table && one === kind, kindName(hand.state.rules, one), { table: true, kind: one })),
    ),
    el("p", { class: "label" }, _("Change the pile")),
    el(
      "div",
      { class: "chips" },
      el("button", { type: "button", onclick: () => (dialog.close(), pick([])) }, _("Pick cards out…")),
      merge.map((one) =>
        el(
          "button",
          { type: "button", class: hand.colour(one), onclick: () => (hand.moveCards(pile.cards.map((card) => card.id), { into: one.id }), dialog.close()) },
          _("Put it to:"),
          pileLabel(one, kinds),
        ),
      ),
      el("button", { type: "button", onclick: () => (hand.change(() => (pile.cards = [])), dialog.close()) }, icon("bin"), _("Not in the hand")),
    ),
  ]);
}

/** Any parts under a title. */
export const partsSheet = (title, parts) => open(title, parts);

/** A question with some answers: [[text, work]]. */
export function choiceSheet(title, choices) {
  open(title, [
    el(
      "div",
      { class: "sheet-acts" },
      choices.map(([text, work]) => el("button", { type: "button", class: "plain", onclick: () => (dialog.close(), work()) }, text)),
    ),
  ]);
}
