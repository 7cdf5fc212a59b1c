// The catalogue on the page: photos, their cards, what the user said of them; the server keeps nothing before it is saved.
import * as kept from "./photos.js";
import { ask, patiently, post, upload } from "./request.js";

export const catalogue = { deck: null, composition: "", photos: [], count: null, base: null, key: null, name: "" };
const UNSAVED = `catalogue ${location.pathname}`; // in this tab: under what its photos are kept in this browser
let nextId = Date.now(); // photos are kept under their ids, which are times
let counts = 0; // that were asked for; of several under way only the last holds

/** Add a photo as the server read it; its `relation` is null until the user has said how it relates to those before. */
export function add(blob, { reading, crops, others, look }) {
  const id = nextId++;
  kept.put(id, blob);
  catalogue.photos.push({
    id,
    blob,
    look,
    url: URL.createObjectURL(blob),
    relation: catalogue.photos.length ? null : "more",
    warnings: reading.warnings,
    cards: reading.cards.map((card, n) => ({
      id: nextId++,
      code: card.code,
      p: card.confidence,
      review: card.review,
      alternatives: card.alternatives,
      quad: card.ends[0].quad,
      image: crops[n],
      counts: true,
      said: false,
    })),
    others: reading.others.map((end, n) => ({ quad: end.quad, image: others[n], said: false })),
  });
}

/** Keep what is not saved in this browser: another language, another page or a camera that needs the memory loses nothing. */
export function keepUnsaved() {
  const { deck, composition, key, name } = catalogue;
  const photos = fresh().map(({ url, blob, ...photo }) => photo);
  if (!photos.length) return forgetUnsaved();
  sessionStorage[UNSAVED] ??= nextId++;
  return kept.put(Number(sessionStorage[UNSAVED]), { deck, composition, key, name, photos });
}

/** Take up what this tab had not saved. */
export async function takeUpUnsaved() {
  kept.forgetOld();
  const unsaved = await kept.sent(Number(sessionStorage[UNSAVED]));
  const blobs = await Promise.all((unsaved?.photos ?? []).map((photo) => kept.sent(photo.id)));
  if (!blobs.length || !blobs.every(Boolean)) return forgetUnsaved();
  const photos = unsaved.photos.map((photo, n) => ({ ...photo, blob: blobs[n], url: URL.createObjectURL(blobs[n]) }));
  return Object.assign(catalogue, unsaved, { photos });
}

/** Forget it: it is saved, or nothing is left. */
export async function forgetUnsaved() {
  const ids = [sessionStorage[UNSAVED], ...fresh().map((photo) => photo.id)].filter(Boolean);
  delete sessionStorage[UNSAVED];
  await kept.forget(ids.map(Number));
}

/** Take up a saved deck as it is now: what was photographed before, which stays as it is; new photos stay, too. */
export async function takeUp(url) {
  const saved = await ask(`${url}/catalogue.json`);
  const card = (one) => ({ ...one, id: nextId++, p: null, review: false, alternatives: [], said: true, kept: true });
  const photos = saved.photos.map((photo) => ({ id: nextId++, kept: true, relation: photo.relation, look: photo.look, cards: photo.cards.map(card), others: [] }));
  Object.assign(catalogue, { deck: saved.deck, composition: saved.composition ?? "", base: saved.version, photos: [...photos, ...fresh()] });
}

export const fresh = () => catalogue.photos.filter((photo) => !photo.kept);
export const cards = () => catalogue.photos.flatMap((photo) => photo.cards);
export const cardsOf = (code) => cards().filter((card) => card.code === code);
export const photoWith = (card) => catalogue.photos.find((photo) => photo.cards.includes(card));
export const doubtful = () => cards().filter((card) => card.review);
export const foreign = () => catalogue.photos.flatMap((photo) => photo.others);
/** The cards of a photo that the ones before may have shown: their face was there. */
export function repeatable(photo) {
  const before = catalogue.photos.slice(0, catalogue.photos.indexOf(photo)).flatMap((one) => one.cards);
  return photo.cards.filter((card) => !card.counts || before.some(({ code }) => code === card.code));
}

export const undecided = () => catalogue.photos.filter((photo) => photo.relation === null);

/** The user says what a card is. */
export function setCode(card, code) {
  Object.assign(card, { code, review: false, said: true });
}

/** The user says that it is no card of this deck. */
export function noCard(card) {
  const photo = photoWith(card);
  photo.cards.splice(photo.cards.indexOf(card), 1);
  photo.others.push({ quad: card.quad, image: card.image, said: true });
}

/** The user says that something taken for no card is one. */
export function isCard(other, code) {
  const photo = catalogue.photos.find((one) => one.others.includes(other));
  photo.others.splice(photo.others.indexOf(other), 1);
  photo.cards.push({ id: nextId++, code, p: null, review: false, alternatives: [], quad: other.quad, image: other.image, counts: true, said: true });
}

export function remove(photo) {
  catalogue.photos.splice(catalogue.photos.indexOf(photo), 1);
  URL.revokeObjectURL(photo.url);
  kept.forget([photo.id]);
  if (catalogue.photos[0]) catalogue.photos[0].relation = "more";
  else Object.assign(catalogue, { deck: null, count: null });
}

const asked = () => catalogue.photos.filter((photo) => photo.relation !== null);

/** Let the server count the photos of which the relation is known. */
export async function recount() {
  const photos = asked().map(({ relation, cards: there }) => ({ relation, cards: there.map(({ code, counts }) => ({ code, counts })) }));
  const now = ++counts;
  const question = { deck: catalogue.deck, composition: catalogue.composition, photos };
  const found = photos.length ? await post("/decks/count", question, { token: true }) : null;
  if (now === counts) catalogue.count = found;
}

/** Send one photo to be read; `progress(share)` while it goes up. */
export function read(blob, deck, progress) {
  const form = new FormData();
  form.append("photo", blob, "photo");
  form.append("deck", deck);
  return patiently(() => upload("/decks/read", form, progress));
}

const LOOK_BITS = 6; // of 256 in which the looks of one photo that was saved twice may differ

/** The photo before this one that looks as it does, being the same photo; undefined where it is new. */
export function twin(photo) {
  const differ = (other) => [...(BigInt(`0x${photo.look}`) ^ BigInt(`0x${other}`)).toString(2)].filter((bit) => bit === "1").length;
  const before = catalogue.photos.slice(0, catalogue.photos.indexOf(photo));
  return photo.look && before.find((one) => one.look && differ(one.look) <= LOOK_BITS);
}

const answers = (photo) => [
  ...photo.cards.filter((card) => card.said).map(({ quad, code }) => ({ quad, code })),
  ...photo.others.filter((one) => one.said).map(({ quad }) => ({ quad, code: null })),
];

/** Save the catalogue, or add its new photos to the saved deck at `url`; `progress(share)` while it goes up; gives {id, url}. Asked twice, it is done once. */
export async function save(url, { teach, crops, keep }, progress) {
  const { key, name, composition, base } = catalogue;
  const photos = fresh().map((photo) => ({
    relation: photo.relation,
    look: photo.look,
    foreign: photo.others.length,
    said: answers(photo),
    cards: photo.cards.map(({ code, counts, image }) => ({ code, counts, image: crops ? image : null })),
  }));
  const what = url ? { base } : { name, deck: catalogue.deck, composition };
  const form = new FormData();
  form.append("data", JSON.stringify({ ...what, key, teach, keep_photos: keep, photos }));
  if (teach || keep) for (const photo of fresh()) form.append("photo", photo.blob, "photo");
  const answer = await upload(url ? `${url}/more` : "/decks", form, progress, photos.length);
  await forgetUnsaved();
  return answer;
}
