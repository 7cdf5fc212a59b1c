// What is chosen before a photo: the game, once; the taught deck; the table of the ledger; a demo photo.
// @ts-nocheck: not typed yet
import { byId, el, toast } from "./dom.js";
import { ask } from "./request.js";
import * as hand from "./state.js";
import { recordable, result } from "./count.js";
import { roundOf, tableNow } from "./table.js";
import { _, rulesOf, words } from "./words.js";

const { state } = hand;
const EVENING_MS = 12 * 3600 * 1000;
const RULES_COOKIE_SECONDS = 400 * 24 * 3600;

/** Take the game up, here and for the next time. */
export function chooseRules(id) {
  const before = { deck: hand.deck(), game: rulesOf(state.rules)?.name };
  hand.set({ rules: id });
  document.cookie = `rules=${id};path=/;max-age=${RULES_COOKIE_SECONDS};samesite=lax`;
  localStorage.setItem("rules", id);
  byId("game-now").textContent = rulesOf(id).name;
  Object.assign(byId("game-words"), { href: `/games/rules/${id}`, hidden: false });
  const hint = byId("game").querySelector(".hint");
  hint.textContent = _("change");
  hint.classList.add("link");
  for (const radio of document.querySelectorAll("input[name=rules]")) radio.checked = radio.value === id;
  const away = before.deck && before.deck !== hand.deck() ? hand.changeDeck(before.deck) : 0;
  const left = state.game && state.game.rules !== id ? state.game.name : null;
  const said = [
    left && _("“{table}” plays another game; this hand is not written there.", { table: left }),
    away > 0 && _("The hand of {n} cards is kept; choose {game} again to go on with it.", { n: away, game: before.game }),
  ].filter(Boolean);
  if (said.length) toast(said.join(" "));
  if (left) leaveTable();
}

/** Whether a game is chosen; else ask for it. */
export function ready() {
  if (state.rules) return true;
  byId("game").open = true;
  byId("game").scrollIntoView({ behavior: "smooth", block: "center" });
  toast(_("First choose the game, once"));
  return false;
}

/** Which taught deck the photos are read with; the program chooses by itself unless told. */
export const taughtPrint = () => {
  const chosen = localStorage.getItem("print");
  return chosen === "none" || words.prints.includes(chosen) ? chosen : "auto";
};

export function drawPrints() {
  byId("print-choice").hidden = !words.prints.length;
  const choices = [["auto", _("found by itself")], ["none", _("none of mine")], ...words.prints.map((name) => [name, name])];
  const now = taughtPrint();
  byId("print").replaceChildren(...choices.map(([value, text]) => el("option", { value, selected: value === now }, text)));
  byId("print").onchange = (event) => localStorage.setItem("print", event.target.value);
}

/** Show the demo photos; `choose(sample)` on a tap. */
export function drawSamples(choose) {
  byId("samples").hidden = !words.samples.length;
  byId("sample-row").replaceChildren(
    ...words.samples.map((sample) =>
      el(
        "button",
        { type: "button", "data-sample": sample.file, onclick: () => choose(sample) },
        el("img", { src: `/static/samples/${sample.file}`, alt: "", loading: "lazy" }),
        rulesOf(sample.rules)?.name ?? sample.rules,
      ),
    ),
  );
}

/** The way to the table that was written at last, if that was this evening. */
async function offerTable(box) {
  const { tables = [] } = await ask("/games/tables.json").catch(() => ({}));
  const [open] = tables.filter((table) => Date.now() - table.changed_ms < EVENING_MS);
  if (!open || state.game) return;
  box.replaceChildren(el("a", { class: "button plain", href: `/?game=${open.id}` }, _("Count for the table: {round}", { round: roundOf(open) })));
  box.hidden = false;
}

/** The button that writes the hand down; at a table it leads on also where there is nothing to write. */
export function drawSave() {
  const button = byId("save-round");
  const plainly = !result || recordable(result);
  button.disabled = plainly ? !result : !state.game;
  if (!plainly && state.game) button.textContent = _("Record this round otherwise");
  else button.textContent = state.game ? _("Write it down: {round}", { round: roundOf(state.game) }) : _("Write it into the game");
}

/** Which table of the ledger the hand is counted for, and the way out of it. */
export function drawTable() {
  const box = byId("for-table");
  box.hidden = !state.game;
  drawSave();
  if (!state.game) return offerTable(box);
  box.replaceChildren(
    el("span", {}, roundOf(state.game)),
    el("button", { type: "button", class: "plain", onclick: leaveTable }, _("Not for this table")),
  );
}

/** Count for no table any more; a reload of the page does not take it up again. */
function leaveTable() {
  hand.set({ game: null, winner: null, drawer: null });
  history.replaceState(history.state, "", location.pathname + location.hash);
  drawTable();
}

/** Show the table as it is by now: rounds may have been written since it was asked for. */
export async function lookAtTable() {
  const known = state.game;
  if (!known) return offerTable(byId("for-table"));
  const now = await tableNow(known);
  if (state.game !== known || now?.version === known.version) return;
  hand.set({ game: now });
  drawTable();
}
