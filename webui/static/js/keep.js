// Keeps photos to measure with, where the player asks for it: a switch for each photo, and one for always.
import { byId, el } from "./dom.js";
import { sent } from "./photos.js";
import { patiently, upload } from "./request.js";
import { cards, deck, state } from "./state.js";
import { _ } from "./words.js";

const ALWAYS = "keep-photos-to-measure";
const chosen = new Map(); // photo id -> whether it is to be kept, where the player said so

export const always = () => localStorage.getItem(ALWAYS) === "yes";

const newKey = () => Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");

/** Send one photo to be kept with its cards, [{code, pile, ends}]; asked again with the same `key` it is kept once. */
export function keepPhoto(blob, said, key = newKey()) {
  const form = new FormData();
  form.append("photo", blob, "photo");
  form.append("data", JSON.stringify({ ...said, key }));
  return patiently(() => upload("/examples", form));
}

const wanted = (photo) => chosen.get(photo.id) ?? always();
const cardsOf = (photo) => cards().filter((card) => card.photo === photo.id);

/** Photos of the hand that tell the whole truth: every card of the hand has its place in one of them. */
const tellable = () => (cards().every((card) => card.photo && card.ends.length) ? state.photos.filter((photo) => cardsOf(photo).length) : []);

const truthOf = (photo) => ({
  deck: deck(),
  name: photo.taught ?? "",
  layout: "hand",
  remarks: (photo.remarks ?? []).map(({ code }) => code),
  cards: cardsOf(photo).map(({ id, code, ends }) => ({ code, pile: state.piles.findIndex((pile) => pile.cards.some((card) => card.id === id)), ends: ends.slice(0, 2) })),
});

/** The hand is written down: keep its photos where the player wants that. Says how many could not be kept. */
export async function keepWritten() {
  const keeping = tellable().filter(wanted).map(async (photo) => keepPhoto(await sent(photo.id), truthOf(photo)));
  return (await Promise.allSettled(keeping)).filter(({ status }) => status === "rejected").length;
}

const fact = (id, label, checked, change, hint = null) =>
  el(
    "div",
    { class: "fact" },
    el("label", { for: id }, label, hint && el("small", {}, hint)),
    el("input", { type: "checkbox", role: "switch", class: "switch", id, checked, onchange: (event) => change(event.target.checked) }),
  );

/** Draw the switches beside the score; nothing where no photo tells the whole truth. */
export function drawKeep() {
  const photos = tellable();
  byId("keep").hidden = !photos.length;
  if (!photos.length) return;
  const label = (n) => (photos.length > 1 ? _("Keep photo {n} to measure with", { n: n + 1 }) : _("Keep this photo to measure with"));
  const one = (photo, n) => fact(`keep-${photo.id}`, label(n), wanted(photo), (on) => chosen.set(photo.id, on));
  const every = fact("keep-always", _("Always"), always(), (on) => (localStorage.setItem(ALWAYS, on ? "yes" : "no"), drawKeep()), _("For all hands and decks on this device."));
  byId("keep-list").replaceChildren(...photos.map(one), every, el("p", { class: "hint" }, _("On this computer only, without place and time; the decks show what is kept."), " ", el("a", { href: "/examples" }, _("Look"))));
}
