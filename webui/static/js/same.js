// Another photo of cards that were photographed before: all are read as one, and what the player put right stays.
import { showPhoto } from "./check.js";
import { toast } from "./dom.js";
import * as photos from "./photos.js";
import { choiceSheet } from "./sheet.js";
import * as hand from "./state.js";
import { _ } from "./words.js";

const { state } = hand;
const SAME_PLACE = 0.25; // card widths between an end of a photo's earlier reading and of its present one

const group = (photo) => photo.group ?? photo.id;

const middle = (quad) => [0, 1].map((axis) => quad.reduce((sum, point) => sum + point[axis], 0) / quad.length);

function near(one, other) {
  const [[ax, ay], [bx, by]] = [middle(one), middle(other)];
  return Math.hypot(ax - bx, ay - by) < SAME_PLACE * Math.hypot(one[0][0] - one[1][0], one[0][1] - one[1][1]);
}

/** Where a card is shown: on the photo whose pixels count, or on the first that shows it. */
function shownOn(seen, file, photoOf) {
  const look = seen.looks.find((one) => one.file === file) ?? seen.looks[0];
  return { photo: photoOf(look.file).id, ends: look.ends.map((end) => end.quad) };
}

/** The card of the hand that was read at one of the places of `seen`. */
function known(seen, cards, photoOf) {
  const here = (card, look) => card.photo === photoOf(look.file).id && look.ends.some((end) => near(end.quad, card.ends[0]));
  return cards.find((card) => seen.looks.some((look) => here(card, look)));
}

/** Whether the player has said which card it is. */
const named = (card) => card.said || card.p === null;

/** The pile that most of these cards lie in, or a new one. */
function pileFor(cards, table) {
  const votes = cards.map((card) => hand.pileOf(card.id));
  const count = (pile) => votes.filter((one) => one === pile).length;
  const most = votes.sort((a, b) => count(b) - count(a))[0];
  if (most) return most;
  state.piles.push({ id: hand.newId(), table, kind: null, cards: [] });
  return state.piles.at(-1);
}

/**
 * Let the reading of several photos take the place of the readings of each; `shots` are the photos as they were sent.
 * A card that is not seen any more stays, to be looked at.
 */
function mergeCards(reading, shots, photoOf) {
  const left = new Set(hand.cards().filter((card) => card.ends.length && shots.some((photo) => photo.id === card.photo)));
  const found = reading.cards.map((seen) => {
    const card = known(seen, [...left], photoOf);
    left.delete(card);
    return { seen, card };
  });
  for (const one of found) {
    const { seen, card } = one;
    const read = { code: seen.code, read: seen.code, p: seen.confidence, review: seen.review, alternatives: seen.alternatives };
    const whole = { ...read, ...shownOn(seen, reading.file, photoOf) };
    if (card) Object.assign(card, named(card) ? {} : whole);
    else {
      const beside = found.filter((other) => other.card && other.seen.pile === seen.pile).map((other) => other.card);
      one.card = { id: hand.newId(), ...whole };
      pileFor(beside, shots[0].table).cards.push(one.card);
    }
  }
  for (const card of left) if (!named(card)) card.review = true;
}

/** Take up a reading of photos of the same cards, of which the last is new. */
function takeUp(reading, shots) {
  const photoOf = (file) => shots[Number(file.split("-")[1]) - 1];
  for (const { file, width, height } of reading.photos) Object.assign(photoOf(file), { width, height, group: group(shots[0]) });
  photoOf(reading.file).warnings = reading.warnings;
  showPhoto(photoOf(reading.file).id);
  state.photos.push(shots.at(-1));
  hand.change(() => mergeCards(reading, shots, photoOf));
  hand.set({});
}

/** Read another photo of the cards that `shown` shows, by `readKept` of take.js; where it seems to show others, ask, and `take` it as such. */
export async function takeSame(file, shown, { readKept, take }) {
  const before = state.photos.filter((one) => group(one) === group(shown));
  const same = await Promise.all(before.map((photo) => photos.sent(photo.id)));
  if (!same.every(Boolean)) return toast(_("The first photo is gone; take both again."));
  const id = Date.now();
  const [reading, ...others] = await readKept(id, file, { same });
  if (others.length) {
    photos.forget([id]);
    return choiceSheet(_("This photo seems to show other cards."), [
      [_("Add them to the hand"), () => take([file], shown.table)],
      [_("Leave this photo out"), () => {}],
    ]);
  }
  takeUp(reading, [...before, { id, table: shown.table, warnings: [], taught: reading.taught ?? null }]);
  return toast(_("{n} photos read as one", { n: before.length + 1 }));
}
