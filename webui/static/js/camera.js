// The camera of the live view: one stream at a time, its lenses and its lamp, and what to do where there is none.
import { _ } from "./words.js";

const PHOTO_MS = 4000; // that a camera may take for a picture of its own

let stream = null;
let asked = 0; // the last time that a camera was asked for

const track = () => stream?.getVideoTracks()[0] ?? null;

/** Whether a camera is on. */
export const on = () => track()?.readyState === "live";

export function off() {
  asked += 1;
  stream?.getTracks().forEach((one) => one.stop());
  stream = null;
}

/** Switch a camera on, `id` or the one at the back; the stream, or null where it was switched off meanwhile. `lost()` when it goes away by itself. */
export async function switchOn(id, lost) {
  off();
  const number = asked;
  const which = id ? { deviceId: { exact: id } } : { facingMode: { ideal: "environment" } };
  const found = await navigator.mediaDevices.getUserMedia({ video: { ...which, width: { ideal: 3840 }, height: { ideal: 2160 } }, audio: false });
  if (number !== asked) {
    found.getTracks().forEach((one) => one.stop());
    return null;
  }
  stream = found;
  track().addEventListener("ended", () => number === asked && lost());
  return stream;
}

/** The cameras and lenses that there are: [[id, name]], and which is on. */
export async function cameras() {
  const found = (await navigator.mediaDevices.enumerateDevices()).filter(({ kind }) => kind === "videoinput");
  return { now: track()?.getSettings().deviceId, all: found.map(({ deviceId, label }, n) => [deviceId, label || _("Camera {n}", { n: n + 1 })]) };
}

export const hasTorch = () => Boolean(track()?.getCapabilities?.().torch);

export const setTorch = (lit) => track().applyConstraints({ advanced: [{ torch: lit }] });

/** A picture by the camera's own shutter, null where it has none or takes too long. */
export function ownPhoto() {
  if (!window.ImageCapture || !track()) return Promise.resolve(null);
  const late = new Promise((resolve) => setTimeout(resolve, PHOTO_MS, null));
  return Promise.race([new ImageCapture(track()).takePhoto().catch(() => null), late]);
}

/** Why there is no camera and what to do, by the name of the browser's error. */
export function whyNot(name) {
  const said = {
    insecure: _("A browser lets a page use the camera only over HTTPS. Start paiyan with --lan --https and open its address, or take a photo."),
    NotAllowedError: _("The camera is not allowed for this page. Allow it in the browser’s settings for this address, or take a photo."),
    NotFoundError: _("This device has no camera that a page can use. Choose a photo instead."),
    NotReadableError: _("Another app is using the camera. Close it and try again, or take a photo."),
  };
  const same = { OverconstrainedError: "NotFoundError", SecurityError: "NotAllowedError", AbortError: "NotReadableError" };
  return said[same[name] ?? name] ?? said.NotReadableError;
}
