// The live view: it aims, counts, says what is wrong and takes the picture when all is steady.
// @ts-nocheck: not typed yet
import * as camera from "./camera.js";
import { byId, el, svg } from "./dom.js";
import { WIDTH, judge, judgeCards, luminance } from "./measure.js";
import { read } from "./photos.js";
import { post } from "./request.js";
import { partsSheet } from "./sheet.js";
import { answers, state } from "./state.js";
import { totalText } from "./terms.js";
import { rulesOf, _ } from "./words.js";

const FRAME_SIDE = 1280;
const EVERY_MS = 350;
const STEADY = 2; // readings in a row with the same number of cards

const SPOILING = ["dark", "blurred", "no_colour", "small", "cut_off", "other_deck"]; // remarks with which no picture is worth taking

const dialog = byId("live");
const video = byId("live-video");
const marks = byId("live-marks");
const shutter = byId("live-shoot");
let last = null;
let counts = [];
let counted = { hand: "", says: "" }; // the hand that was counted last, and what it comes to
let looking = false;
let taken = () => {};

function picture(side) {
  const scale = Math.min(1, side / Math.max(video.videoWidth, video.videoHeight));
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(video.videoWidth * scale);
  canvas.height = Math.round(video.videoHeight * scale);
  canvas.getContext("2d", { willReadFrequently: true }).drawImage(video, 0, 0, canvas.width, canvas.height);
  return canvas;
}

const jpeg = (canvas, quality) => new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", quality));

function look() {
  const small = picture(WIDTH);
  const grey = luminance(small.getContext("2d").getImageData(0, 0, small.width, small.height).data);
  const found = judge(grey, small.width, last?.length === grey.length ? last : null);
  last = grey;
  return found;
}

/** The one thing that matters most now, in words. */
function advice(seen, cards, count, wanted, remarks) {
  if (seen.dark || remarks.has("dark")) return _("Too dark: more light, please");
  if (remarks.has("other_deck")) return _(remarks.get("other_deck"));
  if (seen.glare) return _("A lamp shines on the cards: tilt the phone a little");
  if (remarks.has("no_colour")) return _(remarks.get("no_colour"));
  if (!count) return _("Hold the phone over the cards");
  if (cards.far || remarks.has("small")) return _("Closer, please");
  if (cards.cut || remarks.has("cut_off")) return _("Some cards are cut off: move back a little");
  if (count < wanted) return _("{n} of {all} cards · {k} not seen yet", { n: count, all: wanted, k: wanted - count });
  if (seen.moving) return _("{n} of {all} cards · hold still", { n: count, all: wanted });
  if (seen.blurred || remarks.has("blurred")) return _("Blurred: hold still, or wipe the lens");
  for (const code of ["colour_cast", "glare", "spread"]) if (remarks.has(code)) return _(remarks.get(code));
  return _("{n} of {all} cards", { n: count, all: wanted });
}

function drawMarks(reading) {
  marks.setAttribute("viewBox", `0 0 ${reading.width} ${reading.height}`);
  marks.replaceChildren(
    ...reading.cards.flatMap((card) => card.ends.map((end) => svg("polygon", { points: end.quad.map((point) => point.join(",")).join(" ") }))),
  );
}

/** What these cards come to, where they win; each hand is asked for once. */
async function worth(reading) {
  const piles = [...new Set(reading.cards.map((card) => card.pile))];
  const codes = (pile) => reading.cards.filter((card) => card.pile === pile).map((card) => card.code);
  const cards = piles.map((pile) => ({ cards: codes(pile), table: false, kind: null }));
  const hand = JSON.stringify(cards.map((pile) => pile.cards));
  if (hand !== counted.hand) {
    const question = { rules: state.rules, piles: cards, winning: null, facts: answers("facts"), options: answers("options") };
    const { score } = await post("/api/hand", question).catch(() => ({}));
    counted = { hand, says: score?.wins ? totalText(score) : "" };
  }
  return counted.says;
}

const say = (...words) => (byId("live-says").textContent = words.filter(Boolean).join(" · "));

async function once() {
  const rules = rulesOf(state.rules);
  const seen = look();
  const blob = await jpeg(picture(FRAME_SIDE), 0.8);
  const reading = await read(blob, rules.deck).catch((error) => ({ error }));
  if (!camera.on()) return;
  if (reading.error) {
    if (reading.error.code !== "busy") say(_("The computer that runs paiyan can't be reached."));
    return;
  }
  const cards = judgeCards(reading);
  const remarks = new Map((reading.remarks ?? []).map((remark) => [remark.code, remark.message]));
  const count = reading.cards.length;
  counts = [...counts.slice(1 - STEADY), count];
  drawMarks(reading);
  const whole = count >= rules.cards;
  const total = whole && (await worth(reading));
  if (!camera.on() || shutter.disabled) return;
  say(advice(seen, cards, count, rules.cards, remarks), total);
  const calm = !SPOILING.some((code) => remarks.has(code)) && !seen.dark && !seen.glare && !seen.blurred && !seen.moving && !cards.far && !cards.cut;
  const steady = counts.length === STEADY && counts.every((one) => one === count);
  if (byId("live-auto").checked && calm && steady && whole) await shoot();
}

/** Look again and again while the camera is on, one look at a time. */
async function loop() {
  if (looking) return;
  looking = true;
  while (camera.on()) {
    if (video.videoWidth) await once();
    await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
  }
  looking = false;
}

/** Take the picture once, however often the shutter is tapped: by the camera itself where it does in time, else the present frame. */
async function shoot() {
  if (shutter.disabled || !camera.on()) return;
  shutter.disabled = true;
  say(_("Taking the picture…"));
  const frame = await jpeg(picture(Infinity), 0.92);
  const blob = (await camera.ownPhoto()) ?? frame;
  const open = dialog.open;
  dialog.close();
  if (open) taken(blob);
}

/* ---- which camera, and its lamp ---- */

async function drawChoices() {
  const { now, all } = await camera.cameras();
  const choice = byId("live-camera");
  choice.hidden = all.length < 2;
  choice.replaceChildren(...all.map(([id, name]) => el("option", { value: id, selected: id === now }, name)));
  const torch = byId("live-torch");
  torch.hidden = !camera.hasTorch();
  torch.setAttribute("aria-pressed", "false");
}

function lost() {
  camera.off();
  marks.replaceChildren();
  shutter.disabled = true;
  say(_("The camera is gone. Close this and open it again, or take a photo."));
}

/** Show what a camera sees; where it can't be had the view closes and says why. */
async function show(id = null) {
  shutter.disabled = true;
  last = null;
  counts = [];
  marks.replaceChildren();
  say(_("Hold the phone over the cards"));
  try {
    const stream = await camera.switchOn(id, lost);
    if (!stream) return;
    video.srcObject = stream;
    await video.play();
  } catch (error) {
    if (!dialog.open) return;
    dialog.close();
    return refuse(error.name);
  }
  shutter.disabled = false;
  await drawChoices();
  loop();
}

const refuse = (name) => partsSheet(_("No live view"), [el("p", { id: "no-camera" }, camera.whyNot(name))]);

/** Open the live view; `whenTaken(blob)` gets the picture. Where there is no camera it says why. */
export function open(whenTaken) {
  if (dialog.open) return;
  if (!window.isSecureContext) return refuse("insecure");
  if (!navigator.mediaDevices?.getUserMedia) return refuse("NotFoundError");
  taken = whenTaken;
  dialog.showModal();
  show();
}

function stop() {
  camera.off();
  video.srcObject = null;
  say();
}

dialog.addEventListener("close", stop);
dialog.querySelector("[data-close]").addEventListener("click", () => dialog.close());
shutter.addEventListener("click", shoot);
byId("live-camera").addEventListener("change", (event) => show(event.target.value));
byId("live-torch").addEventListener("click", ({ currentTarget }) => {
  const lit = currentTarget.getAttribute("aria-pressed") !== "true";
  camera.setTorch(lit).then(() => currentTarget.setAttribute("aria-pressed", String(lit)), () => null);
});
// In the background, or on another page, nobody looks.
document.addEventListener("visibilitychange", () => document.hidden && dialog.close());
addEventListener("pagehide", () => dialog.close());
