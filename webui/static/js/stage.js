// The photo, zoomable, with every card outlined in its pile's colour and named.
// @ts-nocheck: not typed yet
import { byId, svg } from "./dom.js";
import { middle, placeNames } from "./labels.js";
import { colour, pileOf, state } from "./state.js";
import { _, cardName } from "./words.js";

const stage = byId("stage");
const sheet = stage.querySelector(".stage-sheet");
const picture = sheet.querySelector("img");
const marks = sheet.querySelector("svg");
const MAX_ZOOM = 10;
const TAP_PX = 9;
const MIN_HEIGHT = 200; // px
const MAX_SHARE = 0.48; // of the window's height

const view = { width: 1, height: 1, fit: 1, scale: 1, x: 0, y: 0 };
let handlers = { card: () => {}, place: () => {}, maybe: () => {} };
const pointers = new Map();
let gesture = null;
let named = []; // the names on the sheet: [{tag, card}]

export const onTap = (given) => (handlers = given);

/** The outline of a card: one end's quad, or from end to end where both were seen; (x, y) pixels of the photo. */
function outline(ends) {
  if (ends.length < 2) return ends[0];
  const [first, second] = ends;
  return [first[0], first[1], second[0], second[1]];
}

/** Photo pixels per screen pixel at the present zoom. */
const unit = () => 1 / (view.fit * view.scale);

const standing = (card) => `${card.review ? " doubt" : ""}${card.id === state.winning ? " winning" : ""}`;

/** The card's name, above all outlines. */
const nameTag = (card, deck) =>
  svg("text", { class: `name${standing(card)}`, "data-name": card.id, "aria-hidden": "true", dy: ".35em" }, cardName(deck, card.code) + (card.review ? "?" : ""));

function mark(card, pile, deck) {
  const quad = outline(card.ends);
  const points = quad.map((point) => point.join(",")).join(" ");
  const label = `${cardName(deck, card.code)}${card.review ? ` · ${_("to check")}` : ""}`;
  return svg(
    "g",
    {
      class: `mark ${colour(pile)}${standing(card)}`,
      "data-card": card.id,
      tabindex: 0,
      role: "button",
      "aria-label": label,
      onkeydown: (event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        handlers.card(card.id);
      },
    },
    svg("polygon", { class: "under", points }),
    svg("polygon", { class: "line", points }),
  );
}

/** A place where a card is probably missing. */
const maybeMark = ({ quad }, n) =>
  svg(
    "g",
    { class: "mark maybe", "data-maybe": n, tabindex: 0, role: "button", "aria-label": _("Which card is missing here?"), onkeydown: (event) => event.key === "Enter" && handlers.maybe(n) },
    svg("polygon", { class: "under", points: quad.map((point) => point.join(",")).join(" ") }),
    svg("polygon", { class: "line", points: quad.map((point) => point.join(",")).join(" ") }),
  );

/** Draw the photo `photo` ({id, width, height}) with the cards of all piles that were seen on it, and where more may lie. */
export function draw(photo, image, deck, maybes = []) {
  stage.hidden = byId("stage-foot").hidden = !photo;
  if (!photo) return;
  const another = stage.dataset.photo !== String(photo.id);
  if (another) {
    Object.assign(view, { width: photo.width, height: photo.height });
    stage.dataset.photo = photo.id;
    picture.src = image?.src ?? "";
    picture.hidden = !image;
    marks.setAttribute("viewBox", `0 0 ${photo.width} ${photo.height}`);
  }
  const focused = document.activeElement?.dataset?.card;
  const seen = state.piles.flatMap((pile) => pile.cards.filter((card) => card.photo === photo.id && card.ends.length));
  named = seen.map((card) => ({ tag: nameTag(card, deck), card }));
  marks.replaceChildren(...seen.map((card) => mark(card, pileOf(card.id), deck)), ...maybes.map(maybeMark), ...named.map(({ tag }) => tag));
  if (another) whole();
  else placeMarks();
  if (focused) marks.querySelector(`[data-card="${focused}"]`)?.focus();
}

/** The whole photo in the frame; the frame is as tall as a photo of its width needs, within bounds. */
export function whole() {
  const wanted = (stage.clientWidth * view.height) / view.width;
  stage.style.height = `${Math.max(MIN_HEIGHT, Math.min(wanted, window.innerHeight * MAX_SHARE))}px`;
  view.fit = Math.min(stage.clientWidth / view.width, stage.clientHeight / view.height) || 1;
  view.scale = 1;
  place();
}

/** Move and scale the sheet, never so that the frame shows more than the photo and its margin. */
function place() {
  const [width, height] = [view.width * view.fit * view.scale, view.height * view.fit * view.scale];
  const keep = (at, size, frame) => (size <= frame ? (frame - size) / 2 : Math.min(0, Math.max(frame - size, at)));
  view.x = keep(view.x, width, stage.clientWidth);
  view.y = keep(view.y, height, stage.clientHeight);
  sheet.style.width = `${view.width * view.fit}px`;
  sheet.style.height = `${view.height * view.fit}px`;
  sheet.style.transform = `translate(${view.x}px, ${view.y}px) scale(${view.scale})`;
  marks.style.setProperty("--u", unit());
  stage.classList.toggle("zoomed", view.scale > 1.01);
  placeMarks();
}

/** Names keep their size on the screen, so there is room for more of them when the photo is zoomed. */
function placeMarks() {
  // What is to be looked at has the first choice.
  const last = ({ tag }) => Number(!tag.matches(".doubt, .winning, .now"));
  const tags = [...named].sort((a, b) => last(a) - last(b));
  const onScreen = (quad) => quad.map(([x, y]) => [x / unit(), y / unit()]);
  const wanted = tags.map(({ tag, card: { ends } }) => ({ name: tag.textContent, quad: onScreen(ends[0]), outline: onScreen(outline(ends)) }));
  placeNames(wanted, [view.width / unit(), view.height / unit()]).forEach(({ at, size, fits }, n) => {
    const { tag } = tags[n];
    tag.setAttribute("x", at[0] * unit());
    tag.setAttribute("y", at[1] * unit());
    tag.classList.toggle("small", size < 1);
    tag.classList.toggle("no-room", !fits);
  });
}

/** Zoom by `factor` around a point of the frame. */
function zoom(factor, x = stage.clientWidth / 2, y = stage.clientHeight / 2) {
  const scale = Math.min(MAX_ZOOM, Math.max(1, view.scale * factor));
  const ratio = scale / view.scale;
  view.x = x - (x - view.x) * ratio;
  view.y = y - (y - view.y) * ratio;
  view.scale = scale;
  place();
}

/** Bring a card to the middle, large enough to be seen. */
export function show(card) {
  for (const node of marks.children) node.classList.toggle("now", Number(node.dataset.card ?? node.dataset.name) === card?.id);
  if (!card?.ends.length) return;
  const [x, y] = middle(card.ends[0]);
  const size = Math.hypot(card.ends[0][1][0] - card.ends[0][0][0], card.ends[0][1][1] - card.ends[0][0][1]);
  view.scale = Math.min(MAX_ZOOM, Math.max(1, 70 / (size * view.fit)));
  view.x = stage.clientWidth / 2 - x * view.fit * view.scale;
  view.y = stage.clientHeight / 2 - y * view.fit * view.scale;
  place();
}

function frame(event) {
  const box = stage.getBoundingClientRect();
  return [event.clientX - box.left, event.clientY - box.top];
}

function spread() {
  const [[ax, ay], [bx, by]] = [...pointers.values()];
  return { gap: Math.hypot(ax - bx, ay - by) || 1, x: (ax + bx) / 2, y: (ay + by) / 2 };
}

stage.addEventListener("pointerdown", (event) => {
  pointers.set(event.pointerId, frame(event));
  if (pointers.size === 1) gesture = { at: frame(event), moved: false };
  else if (gesture) Object.assign(gesture, { moved: true, ...spread() });
});

stage.addEventListener("pointermove", (event) => {
  if (!pointers.has(event.pointerId) || !gesture) return;
  const before = pointers.get(event.pointerId);
  const now = frame(event);
  if (Math.hypot(now[0] - gesture.at[0], now[1] - gesture.at[1]) > TAP_PX) gesture.moved = true;
  pointers.set(event.pointerId, now);
  if (pointers.size === 2) {
    const next = spread();
    view.x += next.x - gesture.x;
    view.y += next.y - gesture.y;
    zoom(next.gap / gesture.gap, next.x, next.y);
    Object.assign(gesture, next);
  } else if (gesture.moved && view.scale > 1.01) {
    view.x += now[0] - before[0];
    view.y += now[1] - before[1];
    place();
  }
});

function tapped(event) {
  const node = document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-card]");
  if (node) return handlers.card(Number(node.dataset.card));
  const maybe = document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-maybe]");
  if (maybe) return handlers.maybe(Number(maybe.dataset.maybe));
  const [x, y] = frame(event).map((value, axis) => (value - (axis ? view.y : view.x)) * unit());
  if (x >= 0 && y >= 0 && x <= view.width && y <= view.height) handlers.place([x, y]);
}

let tap = false;

function released(event) {
  // A finger that is lifted leaves, too.
  if (!pointers.has(event.pointerId)) return;
  tap = event.type === "pointerup" && pointers.size === 1 && gesture !== null && !gesture.moved;
  pointers.delete(event.pointerId);
  if (!pointers.size) gesture = null;
}
for (const name of ["pointerup", "pointercancel", "pointerleave"]) stage.addEventListener(name, released);
// Not at pointerup: the click that follows it would fall on the sheet that has just come up, and close it.
stage.addEventListener("click", (event) => {
  if (tap) tapped(event);
  tap = false;
});

stage.addEventListener(
  "wheel",
  (event) => {
    if (!event.ctrlKey && view.scale <= 1.01 && event.deltaY > 0) return;
    event.preventDefault();
    zoom(Math.exp(-event.deltaY * 0.0022), ...frame(event));
  },
  { passive: false },
);

for (const button of byId("stage-foot").querySelectorAll("[data-zoom]")) {
  button.addEventListener("click", () => {
    if (button.dataset.zoom === "whole") whole();
    else zoom(button.dataset.zoom === "in" ? 1.6 : 1 / 1.6);
  });
}

new ResizeObserver(() => stage.clientWidth && whole()).observe(stage);

/** The quad of a card that is added at a place: as large as the nearest card, turned like it. */
export function quadAt(point, photo) {
  const near = state.piles
    .flatMap((pile) => pile.cards.map((card) => ({ card, pile })))
    .filter(({ card }) => card.photo === photo.id && card.ends.length)
    .map((one) => ({ ...one, at: middle(one.card.ends[0]) }))
    .sort((a, b) => Math.hypot(a.at[0] - point[0], a.at[1] - point[1]) - Math.hypot(b.at[0] - point[0], b.at[1] - point[1]))[0];
  if (!near) {
    const half = Math.min(photo.width, photo.height) / 24;
    const [x, y] = point;
    return { pile: null, quad: [[x - half, y - half], [x + half, y - half], [x + half, y + half], [x - half, y + half]] };
  }
  const shift = [point[0] - near.at[0], point[1] - near.at[1]];
  return { pile: near.pile.id, quad: near.card.ends[0].map(([x, y]) => [x + shift[0], y + shift[1]]) };
}
