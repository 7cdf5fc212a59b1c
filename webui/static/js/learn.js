// What the player put right improves the print that the hand was read with: offered beside the score, done with a tap
// or when the hand is written down, and taken back with another.
// @ts-nocheck: not typed yet
import { sentence } from "./count.js";
import { byId, el, icon } from "./dom.js";
import { cut, load } from "./photos.js";
import { ask, csrfToken, post } from "./request.js";
import { cards, deck, set, state } from "./state.js";
import { _, cardName, words } from "./words.js";

const SWITCH = "learn-when-written";
const CARD_WIDTH = 160; // px of a card in the piece that is sent: three times what the network looks at
const AROUND = { left: -0.3, right: 1.3, above: -0.35, below: 1.9 }; // card widths from the end's outer left corner

let done = null; // what was learnt with a tap: {print, url, examples, taught}

const printOf = (card) => state.photos.find((photo) => photo.id === card.photo)?.taught;
const teaches = (card) => card.said && card.read && card.ends.length > 0 && !card.learnt && words.prints.includes(printOf(card));

/** The cards that the player put right or confirmed and no print has learnt yet, by the print's name. */
function lessons() {
  const found = new Map();
  for (const card of cards().filter(teaches)) found.set(printOf(card), [...(found.get(printOf(card)) ?? []), card]);
  return found;
}

const whenWritten = () => localStorage.getItem(SWITCH) !== "no";

/** The piece of the photo around a card's first end, and the end's quad in pixels of that piece; null without the photo. */
async function piece(card) {
  const image = await load(card.photo);
  if (!image) return null;
  const [outerLeft, outerRight, , innerLeft] = card.ends[0];
  const at = (u, v) => [0, 1].map((axis) => outerLeft[axis] + u * (outerRight[axis] - outerLeft[axis]) + v * (innerLeft[axis] - outerLeft[axis]));
  const { left, right, above, below } = AROUND;
  const corners = [at(left, above), at(right, above), at(right, below), at(left, below)];
  const low = [0, 1].map((axis) => Math.max(0, Math.floor(Math.min(...corners.map((point) => point[axis])))));
  const size = [image.naturalWidth, image.naturalHeight];
  const high = [0, 1].map((axis) => Math.min(size[axis], Math.ceil(Math.max(...corners.map((point) => point[axis])))));
  const scale = Math.min(1, CARD_WIDTH / Math.hypot(outerRight[0] - outerLeft[0], outerRight[1] - outerLeft[1]));
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [0, 1].map((axis) => Math.max(1, Math.round((high[axis] - low[axis]) * scale)));
  const context = canvas.getContext("2d");
  context.imageSmoothingQuality = "high";
  context.drawImage(image, ...low, high[0] - low[0], high[1] - low[1], 0, 0, canvas.width, canvas.height);
  const quad = card.ends[0].map((point) => point.map((value, axis) => (value + 0.5 - low[axis]) * scale - 0.5));
  return { code: card.code, quad, image: canvas.toDataURL("image/jpeg", 0.93) };
}

async function send(print, taught, flash) {
  const ends = (await Promise.all(taught.map(piece))).filter(Boolean);
  if (!ends.length) return null;
  const answer = await post("/decks/learn", { print, ends, flash }, { token: true });
  mark(taught, true);
  return { print, taught, ...answer };
}

/** Note of cards whether a print has learnt them, also where an undo has made new ones of them. */
function mark(taught, learnt) {
  const same = (card) => taught.some(({ id, photo }) => id === card.id && photo === card.photo);
  for (const card of cards().filter(same)) card.learnt = learnt;
  set({});
}

/** The hand is written down: its prints learn, where the player lets them. */
export async function learnWritten() {
  if (!whenWritten()) return;
  await Promise.all([...lessons()].map(([print, taught]) => send(print, taught, true).catch(() => null)));
}

async function learnNow(print, taught, says) {
  try {
    done = await send(print, taught, false);
    drawLearn();
  } catch (error) {
    says.textContent = error.sentence ?? sentence(error);
  }
}

async function takeBack(says) {
  const form = new FormData();
  form.append("print", done.print);
  for (const example of done.examples) form.append("example", example);
  try {
    await ask("/decks/forget", { method: "POST", body: form, headers: { "X-CSRFToken": csrfToken() } });
    const { taught } = done;
    done = null;
    mark(taught, false);
  } catch (error) {
    says.textContent = sentence(error);
  }
}

/** One card as it would be learnt: its crop and its name. */
function sample(card, image) {
  const canvas = el("canvas", { class: "crop", width: 74, height: 112, "aria-hidden": "true" });
  cut(image, card.ends[0], canvas, { margin: 0.12, depth: 1.4 });
  return el("li", {}, canvas, cardName(deck(), card.code));
}

async function offer(print, taught) {
  const shown = await Promise.all(taught.map(async (card) => sample(card, await load(card.photo))));
  const says = el("p", { class: "hint", role: "status" });
  const change = (event) => localStorage.setItem(SWITCH, event.target.checked ? "yes" : "no");
  return [
    el("p", {}, _("“{name}” can learn from what you put right or confirmed: {n}.", { name: print, n: taught.length })),
    el("ul", { class: "lesson" }, shown),
    el(
      "div",
      { class: "fact" },
      el("label", { for: "learn-written" }, _("Learn when the hand is written into the game")),
      el("input", { type: "checkbox", role: "switch", class: "switch", id: "learn-written", checked: whenWritten(), onchange: change }),
    ),
    el("div", { class: "fact" }, says, el("button", { type: "button", class: "plain", id: "learn-now", onclick: () => learnNow(print, taught, says) }, _("Learn now"))),
  ];
}

function thanks() {
  const says = el("p", { class: "hint", role: "status" });
  return [
    el("p", { role: "status" }, _("“{name}” has learnt: {n}.", { name: done.print, n: done.examples.length }), " ", done.url && el("a", { href: done.url }, _("Look at the deck"))),
    el("div", { class: "fact" }, says, el("button", { type: "button", class: "plain", id: "learn-not", onclick: () => takeBack(says) }, icon("undo"), _("Forget it again"))),
  ];
}

/** Draw the offer beside the score, or what was learnt; nothing where nothing was put right. */
export async function drawLearn() {
  const parts = [];
  if (done && !state.photos.some((photo) => photo.id === done.taught[0].photo)) done = null;
  if (done) parts.push(thanks());
  for (const [print, taught] of lessons()) parts.push(await offer(print, taught));
  byId("learn").hidden = !parts.length;
  byId("lessons").replaceChildren(...parts.flat());
}
