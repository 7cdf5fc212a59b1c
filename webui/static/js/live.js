// The live view: it aims, counts, says what is wrong and takes the picture when all is steady.
import { byId, svg } from "./dom.js";
import { WIDTH, judge, judgeCards, luminance } from "./measure.js";
import { read } from "./photos.js";
import { rulesOf, _ } from "./words.js";
import { state } from "./state.js";

const FRAME_SIDE = 1280;
const EVERY_MS = 350;
const STEADY = 2; // readings in a row with the same number of cards

const dialog = byId("live");
const video = byId("live-video");
const marks = byId("live-marks");
let stream = null;
let last = null;
let counts = [];
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

async function once() {
  const rules = rulesOf(state.rules);
  const seen = look();
  const blob = await jpeg(picture(FRAME_SIDE), 0.8);
  const reading = await read(blob, rules?.deck ?? "auto").catch((error) => ({ error }));
  if (!stream) return;
  if (reading.error) {
    if (reading.error.code !== "busy") byId("live-says").textContent = _("The computer that runs paiyan can't be reached.");
    return;
  }
  const cards = judgeCards(reading);
  const count = reading.cards.length;
  const remarks = new Map((reading.remarks ?? []).map((remark) => [remark.code, remark.message]));
  counts = [...counts.slice(1 - STEADY), count];
  drawMarks(reading);
  byId("live-says").textContent = advice(seen, cards, count, rules?.cards ?? 21, remarks);
  const calm = !remarks.size && !seen.dark && !seen.glare && !seen.blurred && !seen.moving && !cards.far && !cards.cut;
  const steady = counts.length === STEADY && counts.every((one) => one === count) && count >= Math.min(rules?.cards ?? 21, 16);
  if (byId("live-auto").checked && calm && steady) await shoot();
}

async function loop() {
  while (stream) {
    if (video.videoWidth) await once();
    await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
  }
}

/** The sharpest picture that the camera gives: its own still where it can, else the present frame. */
async function still() {
  const track = stream.getVideoTracks()[0];
  if (window.ImageCapture) {
    const blob = await new ImageCapture(track).takePhoto().catch(() => null);
    if (blob) return blob;
  }
  return jpeg(picture(Infinity), 0.92);
}

async function shoot() {
  const blob = await still();
  dialog.close();
  taken(blob);
}

/** Open the live view; `whenTaken(blob)` gets the picture. Throws where the camera is refused. */
export async function open(whenTaken) {
  const wanted = { facingMode: { ideal: "environment" }, width: { ideal: 3840 }, height: { ideal: 2160 } };
  stream = await navigator.mediaDevices.getUserMedia({ video: wanted, audio: false });
  taken = whenTaken;
  last = null;
  counts = [];
  byId("live-says").textContent = _("Hold the phone over the cards");
  marks.replaceChildren();
  video.srcObject = stream;
  dialog.showModal();
  await video.play();
  loop();
}

function stop() {
  stream?.getTracks().forEach((track) => track.stop());
  stream = null;
  video.srcObject = null;
}

dialog.addEventListener("close", stop);
dialog.querySelector("[data-close]").addEventListener("click", () => dialog.close());
byId("live-shoot").addEventListener("click", shoot);
