// The cards of a round in its form: drawn, put right with the keypad, counted at each change; the text is what is sent.
// @ts-nocheck: not typed yet
import { onResult, recount, result, sayChange, sentence } from "./count.js";
import { byId, el } from "./dom.js";
import { face } from "./faces.js";
import { askCount, noCount, showCount, soon } from "./games_count.js";
import { drawPiles, startPicking } from "./piles.js";
import { addSheet, askCard, cardSheet, pileSheet } from "./sheet.js";
import * as hand from "./state.js";
import { cardCount, cardName, _ } from "./words.js";

const form = document.querySelector(".round-form");
const text = form.elements.hand;
const save = form.querySelector("button.main");
const drawAsked = []; // what draws the buttons of cards that are asked for
let fromText = false; // the last change of the cards came from the text

/* ---- the count ---- */

/** What the form comes to at this table; with `read` the cards are drawn as its text has them. */
async function countNow(read = false) {
  if (!text.value.trim()) {
    noCount();
    return read && takeUp({ melds: [], loose: [], winning: null });
  }
  const body = await askCount();
  if (!body) return;
  if (read && body.cards) takeUp(body.cards);
  showCount(body);
  sayChange(body.wins ? { hand: text.value, total: body.sentence } : null, read);
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
  byId("check-count").textContent = hand.cards().length ? cardCount(hand.cards().length) : "";
  byId("undo").disabled = !hand.canUndo();
  byId("redo").disabled = !hand.canRedo();
  handlers.redraw();
}

/** The text follows the cards; until it does, nothing is saved. */
function writeText() {
  text.value = result?.hand ?? "";
  save.disabled = false;
  if (!result?.error || result.hand) return countNow();
  showCount({ wins: false, sentence: sentence(result.error) });
  sayChange(null);
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
form.addEventListener("input", (event) => soon(() => countNow(event.target === text)));
/* ---- a card that is asked for, from the keypad ---- */

for (const choice of form.querySelectorAll("select[data-card]")) {
  const label = form.querySelector(`label[for="${choice.id}"]`).firstChild.textContent.trim();
  const button = el("button", { type: "button", class: "plain", "data-card": choice.id });
  const draw = () => button.replaceChildren(...(choice.value ? [face(hand.deck(), choice.value, { half: true, silent: true })] : []), choice.value ? cardName(hand.deck(), choice.value) : _("choose"));
  const say = (code) => {
    choice.value = code ?? "";
    draw();
    choice.dispatchEvent(new Event("input", { bubbles: true }));
  };
  button.addEventListener("click", () => askCard(label, choice.value || null, say));
  choice.hidden = true;
  choice.after(button);
  drawAsked.push(draw);
}

byId("add-card").disabled = false;
const game = JSON.parse(form.dataset.game);
showText({ rules: game.rules, game });
drawAsked.forEach((draw) => draw());
countNow(true);
