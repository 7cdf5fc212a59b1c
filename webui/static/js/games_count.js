// What the form of a round comes to at its table, asked for at each change.
// @ts-nocheck: not typed yet
import { byId, el } from "./dom.js";
import { ask } from "./request.js";

const PAUSE_MS = 350;
const form = document.querySelector(".round-form");
let asked = 0;
let timer = null;

/** Whether the fact that says so, asked as a fact or as a number of the count, makes one of the losers pay for all. */
export function paysAlone({ fact, value }) {
  const said = byId(`said-${fact}`) ?? byId(`fact-${fact}`);
  return String(said.checked) === value;
}

/** Forget what was said of the count, and what is still on its way. */
export function noCount() {
  asked += 1;
  byId("count").hidden = true;
}

/** Show what the server says: {wins, sentence, payment, amounts}. */
export function showCount({ wins, sentence, payment = [], amounts = [] }) {
  const count = byId("count");
  count.replaceChildren(sentence, ...[...payment, amounts.join("  ")].map((line) => el("small", {}, line)));
  count.classList.toggle("no", !wins);
  count.hidden = false;
}

/** What the form comes to now; null where the form changed meanwhile or nobody answered: it is counted again when it is saved. */
export async function askCount() {
  noCount();
  const number = asked;
  const body = await ask(form.dataset.count, { method: "POST", body: new FormData(form) }).catch(() => null);
  return number === asked && body?.sentence ? body : null;
}

/** Do `work` when no other change follows at once. */
export function soon(work) {
  clearTimeout(timer);
  timer = setTimeout(work, PAUSE_MS);
}
