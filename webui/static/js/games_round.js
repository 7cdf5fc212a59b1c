// The form of a round: the hand is counted while it is typed, the numbers while they are filled in.
// @ts-nocheck: not typed yet
import "./games.js";
import { paysAlone } from "./games_count.js";
import { opposite } from "./games_draft.js";
import { keepDraft } from "./games_keep.js";
import { byId } from "./dom.js";
import { _ } from "./words.js";

const form = document.querySelector(".round-form");
const MINUS = "\u2212";
const signed = (amount) => (amount > 0 ? `+${amount}` : String(amount).replace("-", MINUS));

/* ---- who plays ---- */

const dealer = form?.elements.dealer;
const sitter = form?.elements.sitter;
const outs = () => [...form.querySelectorAll("[name=out]:checked")].map((one) => one.value);

/** Who sits 坐醒: the one chosen, else the one opposite the dealer. */
function sits() {
  if (!sitter || sitter.value) return sitter?.value;
  const seated = [...dealer.options].map((one) => one.value).filter((value) => value !== "" && !outs().includes(value));
  return opposite(seated, dealer.value);
}

/** Who sits out can neither win nor pay; who sits 坐醒 can't win. */
function drawPlaying() {
  const out = outs();
  const idle = [...out, sits()];
  for (const radio of form.querySelectorAll("[name=winner]")) {
    if (radio.value === "") continue;
    radio.disabled = idle.includes(radio.value);
    if (radio.disabled) radio.checked = false;
    radio.closest("label").hidden = radio.disabled;
  }
  const { drawer, winner } = form.elements;
  for (const choice of drawer?.options ?? []) choice.disabled = choice.value !== "" && [...idle, winner.value].includes(choice.value);
  if (drawer) byId("drew").hidden = !paysAlone(byId("drew").dataset);
  for (const row of form.querySelectorAll(".amount-row")) row.hidden = out.includes(row.dataset.person);
  for (const choice of dealer.options) choice.disabled = choice.value !== "" && out.includes(choice.value);
}

if (form) {
  keepDraft(form);
  const alone = document.getElementById("drew")?.dataset.fact;
  form.addEventListener("change", (event) => ["out", "sitter", "dealer", "winner", `fact-${alone}`, `said-${alone}`].includes(event.target.name) && drawPlaying());
  drawPlaying();
}

if (form?.dataset.how === "hand") await import("./games_hand.js");

/* ---- the numbers of a count ---- */

if (form?.dataset.way === "count") {
  const { askCount, noCount, showCount, soon } = await import("./games_count.js");
  const count = async () => {
    if (![...form.querySelectorAll("[name^=said-]")].every((one) => one.checkValidity())) return noCount();
    const body = await askCount();
    if (body) showCount(body);
  };
  form.addEventListener("input", () => soon(count));
  await count();
}

/* ---- money ---- */

const balance = document.getElementById("balance");
const allRows = [...document.querySelectorAll(".amount-row")];

function amountOf(row) {
  const text = row.querySelector("input[type=text]").value.replace("½", ".5").normalize("NFKC").replace(MINUS, "-").trim();
  if (!text) return null;
  const pays = row.querySelector("input[value=pays]").checked;
  // In the smallest unit, so that sums are exact.
  const amount = Math.round(Number(text.replace(",", ".")) * 100);
  return pays ? -Math.abs(amount) : amount;
}

/** Who is named as the winner gets, everybody else pays, until it is said otherwise. */
function sides(winner) {
  for (const row of allRows) {
    const side = row.dataset.person === winner ? "wins" : "pays";
    if (!row.querySelector("input[type=text]").value) row.querySelector(`input[value=${side}]`).checked = true;
  }
}

function showBalance() {
  const rows = allRows.filter((row) => !row.hidden);
  const amounts = rows.map(amountOf);
  const rest = -amounts.reduce((sum, amount) => sum + (amount ?? 0), 0);
  const left = rows.filter((row, n) => amounts[n] === null);
  // Who sits 坐醒 is often left empty; the rest is for one of those who played.
  const empty = left.length > 1 ? left.filter((row) => row.dataset.person !== sits()) : left;
  const name = (row) => row.querySelector(".who").textContent;
  balance.hidden = amounts.every((amount) => amount === null);
  balance.classList.toggle("no", rest !== 0 && empty.length !== 1);
  const said = (amount) => amount / 100;
  if (rest === 0) balance.textContent = _("It balances.");
  else if (empty.length === 1) balance.textContent = `${name(empty[0])} ${signed(said(rest))}`;
  else balance.textContent = rest > 0 ? _("{n} left to place", { n: said(rest) }) : _("{n} too much", { n: said(-rest) });
}

if (form?.dataset.way === "money") {
  form.addEventListener("input", (event) => {
    if (event.target.name === "winner") sides(event.target.value);
    byId("error")?.remove();
    showBalance();
  });
  // The refusal says what is left, until something is changed.
  form.addEventListener("refused", () => (balance.hidden = true));
  const winner = form.elements.winner.value;
  if (winner) sides(winner);
  showBalance();
}
