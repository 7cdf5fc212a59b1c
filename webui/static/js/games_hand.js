// The cards of a round in its form: drawn, put right with the keypad, counted at each change; the text is what is sent.
import { onResult, recount, result, sentence } from "./count.js";
import { byId, el } from "./dom.js";
import { drawPiles, startPicking } from "./piles.js";
import { ask } from "./request.js";
import { addSheet, cardSheet, pileSheet } from "./sheet.js";
import * as hand from "./state.js";
import { _ } from "./words.js";

const PAUSE_MS = 350;
const form = document.querySelector(".round-form");
const text = form.elements.hand;
const save = form.querySelector("button.main");
let asked = 0;
let timer = null;
let fromText = false; // the last change of the cards came from the text

/* ---- the count ---- */

function showCount({ wins, sentence: said, payment = [], amounts = [] }) {
  const count = byId("count");
  count.replaceChildren(said, ...[...payment, amounts.join("  ")].map((line) => el("small", {}, line)));
  count.classList.toggle("no", !wins);
  count.hidden = false;
}

/** What the form comes to at this table; with `read` the cards are drawn as its text has them. */
async function countNow(read = false) {
  const number = ++asked;
  byId("count").hidden = true;
  if (!text.value.trim()) return read && takeUp({ melds: [], loose: [], winning: null });
  try {
    const body = await ask(form.dataset.count, { method: "POST", body: new FormData(form) });
    if (number !== asked || !body.sentence) return;
    if (read && body.cards) takeUp(body.cards);
    showCount(body);
  } catch {
    // It is counted again when it is saved.
  }
}

function countSoon(read) {
  clearTimeout(timer);
  timer = setTimeout(countNow, PAUSE_MS, read);
}

/* ---- the cards ---- */

const kinds = () => result?.kinds ?? [];
const handlers = {
  card: (id) => cardSheet(id, kinds()),
  pile: (id) => pileSheet(id, kinds(), (first) => startPicking(handlers, first)),
  add: (pile) => addSheet(_("Add a card"), (code) => hand.addCard(code, { pile })),
  redraw: () => drawPiles(kinds(), handlers),
};

/** Draw a hand that the server read from the text: {melds: [{kind, cards}], loose, winning}. */
function takeUp({ melds, loose, winning }) {
  const pile = (codes, table, kind) => ({ id: hand.newId(), table, kind, cards: codes.map((code) => hand.newCard(code)) });
  const inHand = pile(winning ? [...loose, winning] : loose, false, null);
  const piles = [...melds.map((meld) => pile(meld.cards, true, meld.kind)), inHand].filter((one) => one.cards.length);
  showText({ piles, winning: winning ? inHand.cards.at(-1).id : null });
}

/** Set what the text says; the text stays as it was typed. */
function showText(values) {
  hand.set(values);
  fromText = true;
  save.disabled = false;
}

function drawCards() {
  byId("check-count").textContent = hand.cards().length ? _("{n} cards", { n: hand.cards().length }) : "";
  byId("undo").disabled = !hand.canUndo();
  byId("redo").disabled = !hand.canRedo();
  handlers.redraw();
}

/** The text follows the cards; until it does, nothing is saved. */
function writeText() {
  text.value = result?.hand ?? "";
  save.disabled = false;
  if (result?.error && !result.hand) showCount({ wins: false, sentence: sentence(result.error) });
  else countNow();
}

hand.onChange(() => {
  fromText = false;
  save.disabled = true;
  drawCards();
  recount();
});
onResult((busy) => {
  if (busy) return;
  handlers.redraw();
  if (!fromText) writeText();
});

byId("add-card").addEventListener("click", () => addSheet(_("Add a card"), (code) => hand.addCard(code)));
byId("undo").addEventListener("click", hand.undo);
byId("redo").addEventListener("click", hand.redo);
form.addEventListener("input", (event) => countSoon(event.target === text));
byId("add-card").disabled = false;
const game = JSON.parse(form.dataset.game);
showText({ rules: game.rules, game });
countNow(true);
