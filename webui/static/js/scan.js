// The room of scanning: from a photo over checking to the score, and everything that leads from one to the next.
import { onResult, recount, result, sentence } from "./count.js";
import { byId, el, icon, toast } from "./dom.js";
import { drawFacts } from "./facts.js";
import { face } from "./faces.js";
import * as live from "./live.js";
import * as photos from "./photos.js";
import { drawPiles, startPicking } from "./piles.js";
import { save, tableOfAddress } from "./save.js";
import { drawScore, summary } from "./score.js";
import { sharePicture, shareText } from "./share.js";
import { addSheet, cardSheet, choiceSheet, pileSheet } from "./sheet.js";
import * as stage from "./stage.js";
import * as hand from "./state.js";
import { _, cardName, rulesOf, words } from "./words.js";

const { state } = hand;
const STEPS = ["scan", "check", "score"];
const RULES_COOKIE_SECONDS = 400 * 24 * 3600;
let shown = null; // id of the photo on the stage

const kinds = () => result?.kinds ?? [];
const photoOf = (id) => state.photos.find((photo) => photo.id === id) ?? null;

/* ---- steps ---- */

function step() {
  const wanted = location.hash.slice(1);
  const now = STEPS.includes(wanted) && state.rules ? wanted : "scan";
  for (const name of STEPS) byId(`step-${name}`).hidden = name !== now;
  if (now === "check") drawCheck();
  if (now === "score") drawAll();
  if (now === "scan") drawScan();
  window.scrollTo(0, 0);
}

const go = (name) => (location.hash === `#${name}` ? step() : (location.hash = name));
window.addEventListener("hashchange", () => {
  step();
  byId(`${location.hash.slice(1) || "scan"}-title`)?.closest("section")?.querySelector("h1")?.setAttribute("tabindex", "-1");
});

/* ---- scan ---- */

function chooseRules(id) {
  const before = hand.deck();
  hand.set({ rules: id });
  document.cookie = `rules=${id};path=/;max-age=${RULES_COOKIE_SECONDS};samesite=lax`;
  localStorage.setItem("rules", id);
  byId("game-now").textContent = rulesOf(id).name;
  byId("game").querySelector(".hint").textContent = _("change");
  for (const radio of document.querySelectorAll("input[name=rules]")) radio.checked = radio.value === id;
  if (before && before !== hand.deck()) hand.startOver();
  if (state.game && state.game.rules !== id) hand.set({ game: null });
}

function drawScan() {
  const cards = hand.cards();
  const button = byId("resume");
  button.hidden = !cards.length;
  button.replaceChildren(_("Go on with the hand of {n} cards", { n: cards.length }), icon("next"));
  byId("live-open").hidden = !live.possible();
}

/** Which taught deck the photos are read with; the program chooses by itself unless told. */
const taughtPrint = () => {
  const chosen = localStorage.getItem("print");
  return chosen === "none" || words.prints.includes(chosen) ? chosen : "auto";
};

function drawPrints() {
  byId("print-choice").hidden = !words.prints.length;
  const choices = [["auto", _("found by itself")], ["none", _("none of mine")], ...words.prints.map((name) => [name, name])];
  const now = taughtPrint();
  byId("print").replaceChildren(...choices.map(([value, text]) => el("option", { value, selected: value === now }, text)));
  byId("print").onchange = (event) => localStorage.setItem("print", event.target.value);
}

function drawSamples() {
  byId("samples").hidden = !words.samples.length;
  byId("sample-row").replaceChildren(
    ...words.samples.map((sample) =>
      el(
        "button",
        { type: "button", "data-sample": sample.file, onclick: () => trySample(sample) },
        el("img", { src: `/static/samples/${sample.file}`, alt: "", loading: "lazy" }),
        rulesOf(sample.rules)?.name ?? sample.rules,
      ),
    ),
  );
}

/** Which table of the ledger the hand is counted for, and the way out of it. */
function drawTable() {
  const box = byId("for-table");
  box.hidden = !state.game;
  if (!state.game) return;
  const leave = () => {
    hand.set({ game: null });
    drawTable();
  };
  box.replaceChildren(
    el("span", {}, _("Counted for “{table}”", { table: state.game.name })),
    el("button", { type: "button", class: "plain", onclick: leave }, _("Not for this table")),
  );
}

async function trySample(sample) {
  chooseRules(sample.rules);
  hand.startOver();
  const blob = await (await fetch(`/static/samples/${sample.file}`)).blob();
  await take([blob]);
}

/** Whether a game is chosen; else ask for it. */
function ready() {
  if (state.rules) return true;
  byId("game").open = true;
  byId("game").scrollIntoView({ behavior: "smooth", block: "center" });
  toast(_("First choose the game, once"));
  return false;
}

/* ---- photos ---- */

function progress(text, share = null) {
  byId("reading").hidden = text === null;
  byId("reading-text").textContent = text ?? "";
  if (share === null) byId("reading-bar").removeAttribute("value");
  else byId("reading-bar").value = share;
}

function takeUp(reading, photo) {
  hand.change(() => {
    const piles = new Map();
    for (const seen of reading.cards) {
      if (!piles.has(seen.pile)) piles.set(seen.pile, { id: hand.newId(), table: photo.table, kind: null, cards: [] });
      piles.get(seen.pile).cards.push({
        id: hand.newId(),
        code: seen.code,
        p: seen.confidence,
        review: seen.review,
        alternatives: seen.alternatives,
        ends: seen.ends.map((end) => end.quad),
        photo: photo.id,
      });
    }
    state.piles.push(...piles.values());
  });
}

async function takeOne(file, table, number, all) {
  const id = Date.now() + number;
  const blob = await photos.fitting(file);
  const which = all > 1 ? ` (${number + 1}/${all})` : "";
  progress(_("Sending the photo…") + which, 0);
  const upload = (share) => progress(share < 1 ? _("Sending the photo…") + which : _("Reading the cards…") + which, share < 1 ? share : null);
  const [image, reading] = await Promise.all([photos.keep(id, blob), photos.readPatiently(blob, hand.deck(), { taught: taughtPrint(), progress: upload })]);
  const photo = { id, width: reading.width, height: reading.height, table, warnings: reading.warnings, others: reading.others.length, shown: Boolean(image) };
  state.photos.push(photo);
  shown = id;
  takeUp(reading, photo);
  hand.set({});
}

/** Read photos into the hand, as cards in the hand or laid on the table. */
async function take(files, table = false) {
  go("check");
  byId("notices").replaceChildren();
  for (const [number, file] of files.entries()) {
    try {
      await takeOne(file, table, number, files.length);
    } catch (error) {
      byId("notices").append(el("p", { class: "notice error", role: "alert" }, sentence(error)));
    }
  }
  progress(null);
  drawCheck();
}

function fromInput(input, table = () => false) {
  input.addEventListener("click", (event) => ready() || event.preventDefault());
  input.addEventListener("change", () => {
    const files = [...input.files];
    input.value = "";
    if (files.length) newHand().then(() => take(files, table()));
  });
}

/** A photo from the first step starts a new hand. */
async function newHand() {
  if (!state.piles.length && !state.photos.length) return;
  hand.startOver();
  await photos.forget();
}

function addPhoto() {
  const pick = (table) => {
    const input = el("input", { type: "file", accept: "image/*", multiple: true });
    input.addEventListener("change", () => input.files.length && take([...input.files], table));
    input.click();
  };
  choiceSheet(_("What is on the other photo?"), [
    [_("More cards of the hand"), () => pick(false)],
    [_("Groups laid on the table"), () => pick(true)],
  ]);
}

async function openLive() {
  if (!ready()) return;
  try {
    await live.open((blob) => newHand().then(() => take([blob])));
  } catch {
    toast(_("The camera was refused; take a photo instead."));
  }
}

/* ---- check ---- */

const handlers = {
  card: (id) => openCard(id),
  pile: (id) => pileSheet(id, kinds(), (first) => startPicking(handlers, first)),
  add: (pile) => addSheet(_("Add a card"), (code) => hand.addCard(code, { pile })),
  redraw: () => drawPiles(kinds(), handlers),
};

function openCard(id, chain = false) {
  const card = hand.cardOf(id);
  if (card?.photo && card.photo !== shown && photoOf(card.photo)) {
    shown = card.photo;
    drawPhoto();
  }
  stage.show(card);
  cardSheet(id, kinds(), chain ? (next) => openCard(next, true) : null, () => {
    stage.show(null);
    stage.whole();
  });
}

stage.onTap({
  card: (id) => openCard(id),
  place: (point) => {
    const photo = photoOf(shown);
    const { pile, quad } = stage.quadAt(point, photo);
    const add = (code) => hand.addCard(code, { pile, photo: photo.id, ends: [quad] });
    addSheet(_("Which card is missing here?"), add, { once: true });
  },
});

function drawTabs() {
  const tabs = byId("photo-tabs");
  tabs.hidden = state.photos.length < 2;
  tabs.replaceChildren(
    ...state.photos.map((photo, n) =>
      el(
        "button",
        { type: "button", role: "tab", "aria-selected": String(photo.id === shown), onclick: () => ((shown = photo.id), drawPhoto()) },
        `${photo.table ? _("On the table") : _("In hand")} ${n + 1}`,
      ),
    ),
  );
}

async function drawPhoto() {
  if (!photoOf(shown)) shown = state.photos.at(-1)?.id ?? null;
  const photo = photoOf(shown);
  drawTabs();
  const image = photo ? await photos.load(photo.id) : null;
  if (photo && photo.id !== shown) return;
  stage.draw(photo, image, hand.deck());
  byId("remarks").replaceChildren(...(photo?.warnings ?? []).map((remark) => el("p", { class: "notice warning" }, _(remark))));
}

function doubtButton(card) {
  const canvas = el("canvas", { class: "crop", width: 74, height: 112, "aria-hidden": "true" });
  if (card.ends.length && photos.loaded(card.photo)) photos.cut(photos.loaded(card.photo), card.ends[0], canvas, { margin: 0.12, depth: 1.4 });
  const name = cardName(hand.deck(), card.code);
  const sure = card.p === null ? "" : ` ${Math.round(card.p * 100)}%`;
  return el(
    "button",
    { type: "button", "data-doubt": card.id, "aria-label": _("Is this {card}?", { card: name }), onclick: () => openCard(card.id, true) },
    card.ends.length ? canvas : face(hand.deck(), card.code, { silent: true }),
    el("span", {}, `${name}?`, el("small", {}, sure)),
  );
}

function drawDoubts() {
  const doubts = [...hand.doubtful()].sort((a, b) => (a.p ?? 0) - (b.p ?? 0));
  byId("doubts").hidden = !doubts.length;
  byId("doubts-title").textContent = _("{n} to look at", { n: doubts.length });
  byId("doubt-row").replaceChildren(...doubts.map(doubtButton));
}

function drawBar(busy) {
  const bar = byId("score-bar");
  const { total, why, wins } = summary();
  bar.classList.toggle("no", !wins);
  bar.setAttribute("aria-busy", String(busy === true));
  bar.replaceChildren(el("span", { class: "total" }, total), el("span", { class: "why" }, why), icon("next"));
}

async function drawCheck() {
  byId("check-count").textContent = hand.cards().length ? _("{n} cards", { n: hand.cards().length }) : "";
  byId("undo").disabled = !hand.canUndo();
  byId("redo").disabled = !hand.canRedo();
  byId("start-over").disabled = !hand.cards().length && !state.photos.length;
  await drawPhoto();
  drawDoubts();
  drawPiles(kinds(), handlers);
  drawBar();
}

/* ---- score ---- */

function drawAll() {
  drawFacts();
  drawScore();
}

async function nextHand() {
  hand.startOver();
  await photos.forget();
  go("scan");
}

/* ---- wiring ---- */

hand.onChange(() => {
  if (!byId("step-check").hidden) drawCheck();
  if (!byId("step-score").hidden) drawFacts();
  recount();
});
onResult((busy) => {
  drawBar(busy);
  if (busy) return;
  if (!byId("step-check").hidden) drawPiles(kinds(), handlers);
  if (!byId("step-score").hidden) drawScore();
});

fromInput(byId("take"));
fromInput(byId("choose"));
byId("live-open").addEventListener("click", openLive);
byId("by-keys").addEventListener("click", async () => {
  if (!ready()) return;
  await newHand();
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
byId("share-text").addEventListener("click", () => shareText(result.score));
byId("share-picture").addEventListener("click", () => sharePicture(result.score));
byId("save-round").addEventListener("click", () => save(result));
for (const radio of document.querySelectorAll("input[name=rules]")) {
  radio.addEventListener("change", () => chooseRules(radio.value));
  // The arrow keys go through the games; only a tap or Enter is a last word.
  const chosen = () => ((byId("game").open = false), byId("game").querySelector("summary").focus());
  radio.addEventListener("click", (event) => event.detail > 0 && chosen());
  radio.addEventListener("keydown", (event) => event.key === "Enter" && chosen());
}
document.addEventListener("keydown", (event) => {
  if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "z" || document.querySelector("dialog[open]")) return;
  event.preventDefault();
  if (event.shiftKey) hand.redo();
  else hand.undo();
});

hand.restore();
const table = await tableOfAddress();
if (table) {
  chooseRules(table.rules);
  hand.set({ game: table });
}
drawTable();
const chosen = document.querySelector("input[name=rules]:checked")?.value ?? localStorage.getItem("rules");
if (!state.rules && rulesOf(chosen)) chooseRules(chosen);
else if (state.rules) chooseRules(state.rules);
drawSamples();
drawPrints();
step();
recount();
if (new URLSearchParams(location.search).get("by") === "keys" && !hand.cards().length) byId("by-keys").click();
document.documentElement.dataset.ready = "true";
