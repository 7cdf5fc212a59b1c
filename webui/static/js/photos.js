// The photos of the hand: kept in this browser only (IndexedDB), read by the server, cut for the sheet.
// @ts-nocheck: not typed yet
import { ask, patiently, upload } from "./request.js";

const LIMIT_BYTES = 12 * 1024 ** 2; // the server's
const LIMIT_PIXELS = 50e6;
const LONG_SIDE = 4032;
const KEPT_MS = 12 * 3600 * 1000;

function database() {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open("paiyan", 1);
    request.onupgradeneeded = () => request.result.createObjectStore("photos");
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

async function store(mode, work) {
  const db = await database();
  return new Promise((resolve, reject) => {
    const request = work(db.transaction("photos", mode).objectStore("photos"));
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** Keep anything under an `id`, a time: `forgetOld` goes by it. A private window may refuse: what is kept then lasts as long as the page. */
export const put = (id, value) => store("readwrite", (photos) => photos.put(value, id)).catch(() => null);

const images = new Map();

/** Remember a photo under `id`; it is forgotten with the hand. */
export async function keep(id, blob) {
  images.delete(id);
  await put(id, blob);
  return load(id, blob);
}

async function decoded(blob) {
  const image = new Image();
  image.src = URL.createObjectURL(blob);
  return image.decode().then(() => image, () => (URL.revokeObjectURL(image.src), null));
}

/** The photo as the server sees it, for a browser that can't show its kind (HEIC). */
async function shownByServer(blob) {
  const form = new FormData();
  form.append("photo", blob, "photo");
  const picture = await ask("/api/picture", { method: "POST", body: form }, (answer) => (answer.ok ? answer.blob() : answer.json())).catch(() => null);
  return picture && decoded(picture);
}

/** The photo as a decoded image element, or null where it is gone or nobody can show it. */
export async function load(id, known = null) {
  if (images.has(id)) return images.get(id);
  const blob = known ?? (await sent(id));
  if (!blob) return null;
  const shown = (await decoded(blob)) ?? (await shownByServer(blob));
  images.set(id, shown);
  return shown;
}

/** What was kept under `id`, a photo as it was sent; null or undefined where it is gone. */
export const sent = (id) => store("readonly", (photos) => photos.get(id)).catch(() => null);

export const loaded = (id) => images.get(id) ?? null;

/** Forget these photos. */
export async function forget(ids) {
  for (const id of ids) {
    if (images.get(id)) URL.revokeObjectURL(images.get(id).src);
    images.delete(id);
    await store("readwrite", (photos) => photos.delete(id)).catch(() => null);
  }
}

/** Forget what closed tabs left behind: ids are the time of the photo. */
export async function forgetOld() {
  const old = IDBKeyRange.upperBound(Date.now() - KEPT_MS);
  await store("readwrite", (photos) => photos.delete(old)).catch(() => null);
}

/** Width and height of a photo by its header, [0, 0] where the browser can't read it. */
function sizeOf(blob) {
  const image = new Image();
  const url = URL.createObjectURL(blob);
  return new Promise((resolve) => {
    image.onload = () => resolve([image.naturalWidth, image.naturalHeight]);
    image.onerror = () => resolve([0, 0]);
    image.src = url;
  }).finally(() => URL.revokeObjectURL(url));
}

/** A photo over one of the server's limits, made smaller; others as they are. What is too large and can't be shown here is refused. */
export async function fitting(blob) {
  const [width, height] = await sizeOf(blob);
  if (blob.size <= LIMIT_BYTES && width * height <= LIMIT_PIXELS) return blob;
  const scale = Math.min(1, LONG_SIDE / Math.max(width, height));
  const size = { resizeWidth: Math.round(width * scale), resizeHeight: Math.round(height * scale), resizeQuality: "high" };
  const bitmap = width && (await createImageBitmap(blob, size).catch(() => null));
  if (!bitmap) throw Object.assign(new Error("too large"), { code: "too_large" });
  const canvas = Object.assign(document.createElement("canvas"), { width: bitmap.width, height: bitmap.height });
  canvas.getContext("2d").drawImage(bitmap, 0, 0);
  bitmap.close();
  return new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", 0.9));
}

/**
 * Send one photo to be read with a taught print ("auto", "none" or its name); `progress(share)` while it goes up, share 1
 * when the server has it. With `same`, earlier photos of the same cards, the answer is a list: one reading where all could
 * be read as one.
 */
export async function read(blob, deck, { taught = "auto", same = [], progress } = {}) {
  const form = new FormData();
  for (const one of [...same, blob]) form.append("photo", one, "photo");
  if (same.length) form.append("same", "1");
  form.append("deck", deck);
  form.append("taught", taught);
  const { photos } = await upload("/api/read", form, progress, same.length + 1);
  return same.length ? photos : photos[0];
}

/** The same, asked again some times while the server is busy with other photos. */
export const readPatiently = (...wanted) => patiently(() => read(...wanted));

/**
 * Draw one end of a card upright into a canvas.
 * `quad` is outer left, outer right, inner right, inner left; `margin` and `depth` are in card widths.
 */
export function cut(image, quad, canvas, { margin = 0.18, depth = 1.5 } = {}) {
  const [outerLeft, outerRight, , innerLeft] = quad;
  const across = [outerRight[0] - outerLeft[0], outerRight[1] - outerLeft[1]];
  const along = [innerLeft[0] - outerLeft[0], innerLeft[1] - outerLeft[1]];
  const unit = Math.min(canvas.width / (1 + 2 * margin), canvas.height / (depth + margin));
  const [a, b, c, d] = [across[0] / unit, across[1] / unit, along[0] / unit, along[1] / unit];
  const det = a * d - b * c;
  const context = canvas.getContext("2d");
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.clearRect(0, 0, canvas.width, canvas.height);
  if (!image || Math.abs(det) < 1e-9) return;
  const left = (canvas.width - unit) / 2;
  const [x, y] = outerLeft;
  const forward = [d / det, -b / det, -c / det, a / det];
  const e = left - (forward[0] * x + forward[2] * y);
  const f = margin * unit - (forward[1] * x + forward[3] * y);
  context.setTransform(...forward, e, f);
  context.drawImage(image, 0, 0);
  context.setTransform(1, 0, 0, 1, 0, 0);
}
