// Photos into the hand: from the camera, from a file, from the live view, one or several.
// @ts-nocheck: not typed yet
import { drawCheck, photoShown, showPhoto } from "./check.js";
import { chooseRules, ready, taughtPrint } from "./choose.js";
import { sendAgain, sentence } from "./count.js";
import { byId, el, toast } from "./dom.js";
import * as photos from "./photos.js";
import { mayPass, unanswered } from "./request.js";
import { choiceSheet } from "./sheet.js";
import * as hand from "./state.js";
import { go } from "./steps.js";
import { draftSaid } from "./table.js";
import { _, deckOf, words } from "./words.js";

const { state } = hand;

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
        read: seen.code,
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

/** Keep a photo under `id` and read it, with earlier ones of the same cards if there are any; `which` tells it from others. */
export async function readKept(id, file, { which = "", same = [] } = {}) {
  const blob = await photos.fitting(file);
  progress(_("Sending the photo…") + which, 0);
  const upload = (share) =>
    share < 1 ? progress(_("Sending the photo…") + which, share) : progress(_("Reading the cards…") + which);
  const kept = photos.keep(id, blob);
  const options = { taught: taughtPrint(), same, progress: upload };
  const reading = await photos.readPatiently(blob, hand.deck(), options).catch((error) => {
    photos.forget([id]);
    throw error;
  });
  await kept;
  return reading;
}

/** The deck that a photo shows where most of it is no card of the game that was chosen; else null. */
async function otherDeck(file, reading) {
  if (reading.others.length <= reading.cards.length) return null;
  const found = await photos.readPatiently(await photos.fitting(file), "auto");
  return found.deck !== hand.deck() && found.cards.length > reading.cards.length ? found.deck : null;
}

/** Say that these are another deck's cards, and offer the games that it plays; cards of the hand are left as they are. */
function askForGame(seen, file, table) {
  const names = { seen: deckOf(seen).name, chosen: deckOf(hand.deck()).name };
  const change = (id) => {
    chooseRules(id);
    takeNew([file], table);
  };
  const games = words.rules.filter((rules) => rules.deck === seen);
  byId("notices").append(
    el(
      "div",
      { class: "notice warning", id: "other-deck", role: "alert" },
      el("p", {}, _("This photo shows {seen}; the game that is chosen is played with {chosen}.", names)),
      hand.cards().length
        ? el("p", {}, _("It was left out."))
        : el("div", { class: "sheet-acts" }, games.map((rules) => el("button", { type: "button", onclick: () => change(rules.id) }, _("Change to {game}", { game: rules.name })))),
    ),
  );
}

async function takeOne(file, table, number, all) {
  const id = Date.now() + number;
  const reading = await readKept(id, file, { which: all > 1 ? ` (${number + 1}/${all})` : "" });
  const seen = await otherDeck(file, reading);
  if (seen) {
    photos.forget([id]);
    return askForGame(seen, file, table);
  }
  const photo = {
    id,
    width: reading.width,
    height: reading.height,
    table,
    warnings: reading.warnings,
    remarks: reading.remarks ?? [],
    others: reading.others.map((other) => other.quad),
    taught: reading.taught ?? null,
  };
  state.photos.push(photo);
  showPhoto(id);
  takeUp(reading, photo);
  hand.set({});
}

/** Say once what kept some readings from being done; where that may pass, the same photos can be sent again, else others chosen. */
function sayFailed(error, works, readAgain, chooseOthers) {
  byId("notices").append(
    el(
      "div",
      { class: "notice error", role: "alert" },
      el("p", {}, sentence(error)),
      mayPass(error) && el("button", { type: "button", class: "plain", onclick: () => readAgain(works) }, sendAgain(works.length)),
      !mayPass(error) && chooseOthers && el("button", { type: "button", class: "plain", onclick: chooseOthers }, _("Choose photos")),
    ),
  );
}

/** Do these readings on the second step, one after the other, and say what fails; `readAgain(works)` does some of them again. */
async function readings(works, readAgain = readings, chooseOthers = null) {
  go("check");
  byId("notices").replaceChildren();
  const failed = new Map();
  const fail = (error, undone) => failed.set(error.code, { error, works: [...(failed.get(error.code)?.works ?? []), ...undone] });
  for (const [n, work] of works.entries()) {
    const error = await work().then(() => null, (why) => why);
    if (error && unanswered(error)) {
      fail(error, works.slice(n));
      break;
    }
    if (error) fail(error, [work]);
  }
  progress(null);
  drawCheck();
  for (const { error, works: undone } of failed.values()) sayFailed(error, undone, readAgain, chooseOthers);
}

/** Do readings for a new hand; the one before comes back where no photo could be read. */
async function readingsAnew(works) {
  const { rules } = state;
  const before = hand.setAside(saidAtTable());
  let begun = false;
  await readings(works, (undone) => (begun ? readings(undone) : readingsAnew(undone)), () => byId("choose").click());
  begun = state.photos.length > 0 || hand.cards().length > 0 || state.rules !== rules;
  if (begun) return before.forget();
  before.bringBack();
  if (hand.begun()) byId("notices").append(el("p", { class: "hint" }, _("The hand from before is still here:")));
}

const worksOf = (files, table) => files.map((file, number) => () => takeOne(file, table, number, files.length));

/** Read photos into the hand, as cards in the hand or laid on the table. */
export const take = (files, table = false) => readings(worksOf(files, table));

/** The same as a new hand. */
export const takeNew = (files, table = false) => readingsAnew(worksOf(files, table));

/** Let a file field start a new hand. */
export function fromInput(input) {
  input.addEventListener("click", (event) => ready() || event.preventDefault());
  input.addEventListener("change", () => {
    const files = [...input.files];
    input.value = "";
    if (files.length) takeNew(files);
  });
}

/** What is known of a new hand: what its table's form says. */
const saidAtTable = () => (state.game ? draftSaid(state.game) : {});

/** Start a new hand by other ways than a photo. */
export function newHand() {
  byId("notices").replaceChildren();
  hand.startOver(saidAtTable());
}

/** Ask what another photo shows, and for the photo. */
export function addPhoto() {
  const pick = (multiple, work) => {
    const input = el("input", { type: "file", accept: "image/*", multiple });
    input.addEventListener("change", () => input.files.length && work([...input.files]));
    input.click();
  };
  const shown = photoShown();
  // Few hands need it, so its script comes when it is wanted.
  const again = ([file]) => readings([async () => (await import("./same.js")).takeSame(file, shown, { readKept, take })]);
  choiceSheet(_("What is on the other photo?"), [
    [_("More cards of the hand"), () => pick(true, (files) => take(files))],
    [_("Groups laid on the table"), () => pick(true, (files) => take(files, true))],
    ...(shown ? [[_("The same cards once more, from another side"), () => pick(false, again)]] : []),
  ]);
}

export async function openLive() {
  if (!ready()) return;
  const live = await import("./live.js").catch(() => toast(sentence({ code: "offline" })));
  live?.open((blob) => takeNew([blob]));
}
