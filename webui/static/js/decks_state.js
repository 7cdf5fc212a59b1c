// The catalogue on the page: photos, their cards, what the user said of them; nothing is kept before it is saved.
import { ask, patiently, post, upload } from "./request.js";

export const catalogue = { deck: null, composition: "", photos: [], count: null, base: null };
let nextId = 1;
let counts = 0; // that were asked for; of several under way only the last holds

/** A photo as the server read it; `relation` is null until the user has said how it relates to those before. */
export function photoOf(blob, { reading, crops, others }) {
  return {
    id: nextId++,
    blob,
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
  };
}

/** Take up a saved deck as it is now: what was photographed before, which stays as it is; new photos stay, too. */
export async function takeUp(url) {
  const saved = await ask(`${url}/catalogue.json`);
  const card = (one) => ({ ...one, id: nextId++, p: null, review: false, alternatives: [], said: true, kept: true });
  const photos = saved.photos.map((photo) => ({ id: nextId++, kept: true, relation: photo.relation, cards: photo.cards.map(card), others: [] }));
  Object.assign(catalogue, { deck: saved.deck, composition: saved.composition ?? "", base: saved.version, photos: [...photos, ...fresh()] });
}

export const fresh = () => catalogue.photos.filter((photo) => !photo.kept);
export const cards = () => catalogue.photos.flatMap((photo) => photo.cards);
export const cardsOf = (code) => cards().filter((card) => card.code === code);
export const photoWith = (card) => catalogue.photos.find((photo) => photo.cards.includes(card));
export const doubtful = () => cards().filter((card) => card.review);
export const foreign = () => catalogue.photos.flatMap((photo) => photo.others);
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

const answers = (photo) => [
  ...photo.cards.filter((card) => card.said).map(({ quad, code }) => ({ quad, code })),
  ...photo.others.filter((one) => one.said).map(({ quad }) => ({ quad, code: null })),
];

/** Save the catalogue, or add its new photos to the saved deck at `url`; `progress(share)` while it goes up; gives {id, url}. Asked twice, it is done once. */
export function save({ url, key }, { name, teach, crops, keep }, progress) {
  const photos = fresh().map((photo) => ({
    relation: photo.relation,
    foreign: photo.others.length,
    said: answers(photo),
    cards: photo.cards.map(({ code, counts, image }) => ({ code, counts, image: crops ? image : null })),
  }));
  const what = url ? { base: catalogue.base } : { key, name, deck: catalogue.deck, composition: catalogue.composition };
  const form = new FormData();
  form.append("data", JSON.stringify({ ...what, teach, keep_photos: keep, photos }));
  if (teach || keep) for (const photo of fresh()) form.append("photo", photo.blob, "photo");
  return upload(url ? `${url}/more` : "/decks", form, progress, photos.length);
}
