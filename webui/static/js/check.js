// Checking: the photo with its cards, the doubtful ones first, the piles, and the count below.
import { result } from "./count.js";
import { byId, el, icon } from "./dom.js";
import { face } from "./faces.js";
import * as photos from "./photos.js";
import { drawPiles, startPicking } from "./piles.js";
import { summary } from "./score.js";
import { addSheet, cardSheet, pileSheet } from "./sheet.js";
import * as stage from "./stage.js";
import * as hand from "./state.js";
import { probablyHere } from "./gaps.js";
import { cardCount, cardName, rulesOf, _ } from "./words.js";

const { state } = hand;
let shown = null; // id of the photo on the stage
let maybes = []; // where cards of that photo are probably missing

const kinds = () => result?.kinds ?? [];
const photoOf = (id) => state.photos.find((photo) => photo.id === id) ?? null;

/** The photo on the stage, if there is one. */
export const photoShown = () => photoOf(shown);

/** Put this photo on the stage the next time that it is drawn. */
export const showPhoto = (id) => (shown = id);

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

/** Add the card that is missing at a place of the photo. */
const addAt = (photo, { quad, pile }) =>
  addSheet(_("Which card is missing here?"), (code) => hand.addCard(code, { pile, photo: photo.id, ends: [quad], apart: pile === null }), { once: true });

stage.onTap({
  card: (id) => openCard(id),
  maybe: (n) => addAt(photoOf(shown), maybes[n]),
  place: (point) => {
    const photo = photoOf(shown);
    addAt(photo, stage.quadAt(point, photo));
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
  maybes = photo ? probablyHere(state.piles, photo, rulesOf(state.rules).cards - hand.cards().length) : [];
  stage.draw(photo, image, hand.deck(), maybes);
  const remarks = (photo?.warnings ?? []).map((remark) => el("p", { class: "notice warning" }, _(remark)));
  const print = photo?.taught ? [el("p", { class: "hint" }, _("Read as your deck “{name}”", { name: photo.taught }))] : [];
  const more = maybes.length ? [el("p", { class: "notice warning", id: "maybe" }, _("{n} more, probably here: tap a dashed place to add its card.", { n: maybes.length }))] : [];
  byId("remarks").replaceChildren(...more, ...remarks, ...nothingFound(photo), ...print);
}

/** What to do about a photo on which no card was found, by what was wrong with it. */
function nothingFound(photo) {
  if (!photo || hand.cards().some((card) => card.photo === photo.id)) return [];
  const seen = new Set((photo.remarks ?? []).map((remark) => remark.code));
  const advice = [
    [seen.has("dark"), _("Switch a lamp on, or go to the window.")],
    [seen.has("small") || !seen.size, _("Come closer until the cards fill the picture.")],
    [seen.has("blurred"), _("Hold the phone still with both hands, or wipe the lens.")],
    [seen.has("glare"), _("Tilt the phone a little, so that no lamp shines on the cards.")],
    [true, _("Lay the cards so that one end of each can be seen.")],
    [!seen.size, _("Is it the right game? Other cards are not looked for.")],
  ];
  return [el("ul", { class: "notice advice", id: "advice" }, advice.filter(([holds]) => holds).map(([, text]) => el("li", {}, text)))];
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

/** Draw the bar with the count; `busy` while it is being worked out. */
export function drawBar(busy) {
  const bar = byId("score-bar");
  const { total, why, wins } = summary();
  bar.hidden = !hand.cards().length;
  bar.classList.toggle("no", !wins);
  bar.setAttribute("aria-busy", String(busy === true));
  bar.replaceChildren(el("span", { class: "total" }, total), el("span", { class: "why" }, why), icon("next"));
}

/** Draw the whole step. */
export async function drawCheck() {
  byId("check-count").textContent = hand.cards().length ? cardCount(hand.cards().length) : "";
  byId("undo").disabled = !hand.canUndo();
  byId("redo").disabled = !hand.canRedo();
  byId("start-over").disabled = !hand.cards().length && !state.photos.length;
  await drawPhoto();
  drawDoubts();
  drawPiles(kinds(), handlers);
  drawBar();
}

/** Draw the piles alone: the server has said what they could be. */
export const redrawPiles = () => drawPiles(kinds(), handlers);
