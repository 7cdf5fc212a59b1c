// Photos into the hand: from the camera, from a file, from the live view, one or several.
import { drawCheck, showPhoto } from "./check.js";
import { ready, taughtPrint } from "./choose.js";
import { sentence } from "./count.js";
import { byId, el, toast } from "./dom.js";
import * as live from "./live.js";
import * as photos from "./photos.js";
import { choiceSheet } from "./sheet.js";
import * as hand from "./state.js";
import { go } from "./steps.js";
import { _ } from "./words.js";

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

async function takeOne(file, table, number, all) {
  const id = Date.now() + number;
  const blob = await photos.fitting(file);
  const which = all > 1 ? ` (${number + 1}/${all})` : "";
  progress(_("Sending the photo…") + which, 0);
  const upload = (share) =>
    share < 1 ? progress(_("Sending the photo…") + which, share) : progress(_("Reading the cards…") + which);
  const options = { taught: taughtPrint(), progress: upload };
  const kept = photos.keep(id, blob);
  const reading = await photos.readPatiently(blob, hand.deck(), options).catch((error) => {
    photos.forget([id]);
    throw error;
  });
  await kept;
  const photo = { id, width: reading.width, height: reading.height, table, warnings: reading.warnings, taught: reading.taught ?? null };
  state.photos.push(photo);
  showPhoto(id);
  takeUp(reading, photo);
  hand.set({});
}

/** Read photos into the hand, as cards in the hand or laid on the table. */
export async function take(files, table = false) {
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

/** Let a file field start a new hand. */
export function fromInput(input) {
  input.addEventListener("click", (event) => ready() || event.preventDefault());
  input.addEventListener("change", () => {
    const files = [...input.files];
    input.value = "";
    if (!files.length) return;
    newHand();
    take(files);
  });
}

/** A photo from the first step starts a new hand. */
export function newHand() {
  if (state.piles.length || state.photos.length) hand.startOver();
}

/** Ask what another photo shows, and for the photo. */
export function addPhoto() {
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

export async function openLive() {
  if (!ready()) return;
  try {
    await live.open((blob) => {
      newHand();
      take([blob]);
    });
  } catch {
    toast(_("The camera was refused; take a photo instead."));
  }
}
