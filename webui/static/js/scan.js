// The room of scanning: what leads from a photo over checking to the score.
// @ts-nocheck: not typed yet
import { drawBar, drawCheck, redrawPiles } from "./check.js";
import { chooseRules, drawPrints, drawSamples, drawSave, drawTable, lookAtTable, ready } from "./choose.js";
import { onResult, recount, result, sayChange, sentence } from "./count.js";
import { byId, el, icon, toast } from "./dom.js";
import { drawFacts } from "./facts.js";
import * as photos from "./photos.js";
import { ask } from "./request.js";
import { drawScore } from "./score.js";
import { addSheet } from "./sheet.js";
import * as hand from "./state.js";
import { go, onStep, shows, step } from "./steps.js";
import { tableOfAddress, takeDraft } from "./table.js";
import { addPhoto, fromInput, newHand, openLive, takeNew } from "./take.js";
import { totalText } from "./terms.js";
import { _, rulesOf, words } from "./words.js";

const { state } = hand;

function drawScan() {
  const cards = hand.cards();
  const button = byId("resume");
  button.hidden = !cards.length;
  button.replaceChildren(_("Go on with the hand of {n} cards", { n: cards.length }), icon("next"));
}

async function trySample(sample) {
  const photo = await ask(`/static/samples/${sample.file}`, {}, (answer) => answer.blob()).catch(() => null);
  if (!photo) return toast(sentence({ code: "offline" }));
  chooseRules(sample.rules);
  return takeNew([photo]);
}

/** Few hands are shared, so its script comes when it is wanted. */
const share = (how) => import("./share.js").then((sharing) => sharing[how](result.score)).catch(() => toast(_("Sharing did not work here.")));

/** Few have taught a deck, so what lets it learn comes when there is one. */
const drawLearn = () => words.prints.length && import("./learn.js").then((learning) => learning.drawLearn()).catch(() => null);

/** What keeps photos comes with the first score of a photo. */
const drawKeep = () => (state.photos.length ? import("./keep.js").then((keeping) => keeping.drawKeep()).catch(() => null) : (byId("keep").hidden = true));

/** What writes a round down comes with the first score. */
const saving = () => import("./save.js");

const saveRound = () =>
  saving().then(
    ({ save }) => save(result),
    () => toast(_("Not saved yet: the computer that runs paiyan can't be reached. Tap again in a moment; nothing will be written twice.")),
  );

/** The next hand; at a table its next round, by what the table is now. */
function nextHand() {
  newHand();
  if (state.game) location.assign(`/?game=${state.game.id}`);
  else go("scan");
}

onStep("scan", drawScan);
onStep("check", drawCheck);
onStep("score", () => {
  drawFacts();
  drawScore();
  drawLearn();
  drawKeep();
  saving().catch(() => null);
});

hand.onChange(() => {
  if (shows("scan")) drawScan();
  if (shows("check")) drawCheck();
  if (shows("score")) {
    drawFacts();
    drawLearn();
    drawKeep();
  }
  recount();
});
onResult((busy) => {
  drawBar(busy);
  if (busy) return;
  sayChange(result?.score?.wins ? { hand: result.hand, total: totalText(result.score) } : null);
  if (shows("check")) redrawPiles();
  if (shows("score")) drawScore();
  drawSave();
});

fromInput(byId("take"));
fromInput(byId("choose"));
byId("live-open").addEventListener("click", openLive);
byId("by-keys").addEventListener("click", () => {
  if (!ready()) return;
  newHand();
  go("check");
  addSheet(_("Which cards are in the hand?"), (code) => hand.addCard(code));
});
byId("resume").addEventListener("click", () => go("check"));
byId("add-card").addEventListener("click", () => addSheet(_("Add a card"), (code) => hand.addCard(code)));
byId("add-photo").addEventListener("click", addPhoto);
byId("start-over").addEventListener("click", nextHand);
byId("next-hand").addEventListener("click", nextHand);
byId("undo").addEventListener("click", hand.undo);
byId("redo").addEventListener("click", hand.redo);
byId("share-text").addEventListener("click", () => share("shareText"));
byId("share-picture").addEventListener("click", () => share("sharePicture"));
byId("save-round").addEventListener("click", saveRound);
for (const radio of document.querySelectorAll("input[name=rules]")) {
  radio.addEventListener("change", () => chooseRules(radio.value));
  // The arrow keys go through the games; only a tap or Enter is a last word.
  const chosen = () => ((byId("game").open = false), byId("game").querySelector("summary").focus());
  radio.addEventListener("click", (event) => event.detail > 0 && chosen());
  radio.addEventListener("keydown", (event) => event.key === "Enter" && chosen());
}

// The games stay in sight until one is chosen.
byId("game").querySelector("summary").addEventListener("click", (event) => state.rules || (byId("game").open && event.preventDefault()));

/** Ctrl+Z takes back, Ctrl+Y and Ctrl+Shift+Z bring back, while nothing lies over the hand. */
function byShortcut(event) {
  const key = event.key.toLowerCase();
  if (!(event.ctrlKey || event.metaKey) || event.altKey || !"zy".includes(key) || document.querySelector("dialog[open]")) return;
  event.preventDefault();
  if (key === "y" || event.shiftKey) hand.redo();
  else hand.undo();
}
document.addEventListener("keydown", byShortcut);

hand.restore();
const table = await tableOfAddress();
if (table?.rules) {
  const another = state.game?.id !== table.id;
  hand.set({ game: table, ...(another && { winner: null, drawer: null }) });
  chooseRules(table.rules);
  if (hand.begun()) takeDraft(table);
  else newHand();
}
drawTable();
if (table && !table.rules) {
  const again = el("button", { type: "button", class: "plain", onclick: () => location.reload() }, _("Try again"));
  byId("for-table").before(el("p", { class: "notice error", id: "no-table", role: "alert" }, el("span", {}, sentence({ code: "offline" })), again));
}
if (!table && state.game) lookAtTable();
const chosen = document.querySelector("input[name=rules]:checked")?.value ?? localStorage.getItem("rules");
if (!state.rules && rulesOf(chosen)) chooseRules(chosen);
else if (state.rules) chooseRules(state.rules);
drawSamples(trySample);
drawPrints();
photos.forgetOld();
step();
recount();
document.addEventListener("visibilitychange", () => document.hidden || lookAtTable());
addEventListener("pageshow", (event) => event.persisted && lookAtTable());
if (new URLSearchParams(location.search).get("by") === "keys" && !hand.cards().length) byId("by-keys").click();
document.documentElement.dataset.ready = "true";
