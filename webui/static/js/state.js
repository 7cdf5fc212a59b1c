// The hand on the page: its photos, piles and facts; kept for this tab until the next hand. Piles can be undone.
import { playersOf, seatingOf } from "./games_draft.js";
import { forget } from "./photos.js";
import { rulesOf } from "./words.js";

const KEY = "paiyan-hand";
const STEPS = 200;
const COLOURS = 8;

/**
 * `winner` and `drawer` are people of the table `game`. A card: {id, code, p, review, alternatives: [[code, p]], ends: [quad], photo}, `read` what the photo was read as,
 * `said` once the player named it, `learnt` once a print has learnt that; a pile: {id, table, kind, cards}.
 */
const blank = () => ({ rules: null, game: null, photos: [], piles: [], winning: null, facts: {}, winner: null, drawer: null, next: 1, sent: null });

export const state = blank();
const past = [];
const future = [];
const listeners = [];

export const onChange = (listener) => listeners.push(listener);

const snapshot = () => JSON.stringify([state.piles, state.winning]);

let kept = false; // a form of the ledger keeps its hand itself
const remember = () => kept && sessionStorage.setItem(KEY, JSON.stringify(state));

function tell() {
  remember();
  for (const listener of listeners) listener();
}

/** Change piles or the winning card by `work`, so that it can be undone. */
export function change(work) {
  const before = snapshot();
  work(state);
  state.piles = state.piles.filter((pile) => pile.cards.length);
  if (!cards().some((card) => card.id === state.winning)) state.winning = null;
  if (snapshot() === before) return;
  past.push(before);
  if (past.length > STEPS) past.shift();
  future.length = 0;
  tell();
}

/** Change what is no step of its own: the game, the photos. */
export function set(values) {
  Object.assign(state, values);
  tell();
}

/** Keep the round that is on its way to the ledger, until its answer is there: {asked, key, base, crops}; or null. */
export function setSent(sent) {
  state.sent = sent;
  remember();
}

function step(from, to) {
  if (!from.length) return;
  to.push(snapshot());
  [state.piles, state.winning] = JSON.parse(from.pop());
  tell();
}

export const undo = () => step(past, future);
export const redo = () => step(future, past);
export const canUndo = () => past.length > 0;
export const canRedo = () => future.length > 0;

/**
 * Put the hand away for another one, of which `said` is known ({facts, winner, drawer}); the game stays.
 * Gives what forgets it with its photos, and what brings it back.
 */
export function setAside(said = {}) {
  const before = { ...state };
  const steps = [past, future].map((list) => [...list]);
  Object.assign(state, blank(), { rules: state.rules, game: state.game, ...said });
  past.length = future.length = 0;
  tell();
  return {
    forget: () => forget(before.photos.map((photo) => photo.id)),
    bringBack: () => {
      Object.assign(state, before);
      [past, future].forEach((list, n) => list.splice(0, Infinity, ...steps[n]));
      tell();
    },
  };
}

/** Forget the hand, its photos and what was said of it; the game stays. `said` is known of the new hand. */
export const startOver = (said = {}) => setAside(said).forget();

const keyOf = (other) => `${KEY}:${other}`;

/**
 * Put the hand away for one of another deck: it is kept for this tab until a game of its own deck, `own`, is chosen again,
 * and one that was put away for this deck is there again. Gives the number of cards that were put away.
 */
export function changeDeck(own) {
  const { rules, game, winner, drawer, ...left } = state;
  const count = cards().length;
  if (count) sessionStorage.setItem(keyOf(own), JSON.stringify(left));
  const back = JSON.parse(sessionStorage.getItem(keyOf(deck())) ?? "null");
  sessionStorage.removeItem(keyOf(deck()));
  const away = setAside(back ?? {});
  if (!count) away.forget();
  return count;
}

/** Whether there is a hand. */
export const begun = () => state.piles.length > 0 || state.photos.length > 0;

/** Take up the hand of this tab after a reload. */
export function restore() {
  kept = true;
  try {
    Object.assign(state, JSON.parse(sessionStorage.getItem(KEY) ?? "{}"));
  } catch {
    sessionStorage.removeItem(KEY);
  }
  if (state.rules && !rulesOf(state.rules)) Object.assign(state, blank());
}

export const newId = () => state.next++;
export const cards = () => state.piles.flatMap((pile) => pile.cards);
export const deck = () => rulesOf(state.rules)?.deck;
export const pileOf = (id) => state.piles.find((pile) => pile.cards.some((card) => card.id === id));
export const cardOf = (id) => cards().find((card) => card.id === id);
export const doubtful = () => cards().filter((card) => card.review);
export const held = (code) => cards().filter((card) => card.code === code).length;

/** The pile's colour class, by its place among the piles. */
export const colour = (pile) => `c${state.piles.indexOf(pile) % COLOURS}`;

/** The card is what the player says it is. */
export function setCode(id, code) {
  change(() => {
    const card = cardOf(id);
    Object.assign(card, { code, review: false, said: true, learnt: false, p: card.code === code ? card.p : null });
  });
}

export function removeCard(id) {
  change(() => {
    const pile = pileOf(id);
    pile.cards = pile.cards.filter((card) => card.id !== id);
  });
}

/** A card as the player says it is. */
export const newCard = (code, { photo = null, ends = [] } = {}) => ({ id: newId(), code, p: null, review: false, alternatives: [], ends, photo });

/** Add a card to a pile, to the last loose one, or to a new one. */
export function addCard(code, { pile = null, photo = null, ends = [], apart = false } = {}) {
  change(() => {
    let into = state.piles.find((one) => one.id === pile) ?? (apart ? null : state.piles.findLast((one) => !one.table));
    if (!into) {
      into = { id: newId(), table: false, kind: null, cards: [] };
      state.piles.push(into);
    }
    into.cards.push(newCard(code, { photo, ends }));
  });
}

/** Move cards to the pile `into`, or to a new one that lies on the table or not. */
export function moveCards(ids, { into = null, table = false } = {}) {
  change(() => {
    const moved = cards().filter((card) => ids.includes(card.id));
    let target = state.piles.find((pile) => pile.id === into);
    if (!target) {
      target = { id: newId(), table, kind: null, cards: [] };
      state.piles.push(target);
    }
    for (const pile of state.piles) pile.cards = pile.cards.filter((card) => !ids.includes(card.id));
    target.cards.push(...moved);
  });
}

/** Lay melds, each a list of cards' ids, on the table: a pile each. */
export function layMelds(melds) {
  change(() => {
    const laid = melds.map((ids) => cards().filter((card) => ids.includes(card.id)));
    for (const pile of state.piles) pile.cards = pile.cards.filter((card) => !melds.flat().includes(card.id));
    state.piles.push(...laid.map((meld) => ({ id: newId(), table: true, kind: null, cards: meld })));
  });
}

export function setPile(id, values) {
  change(() => Object.assign(state.piles.find((pile) => pile.id === id), values));
}

const stored = (name, rules) => {
  try {
    return JSON.parse(localStorage.getItem(`${name}:${rules}`) ?? "{}");
  } catch {
    return {};
  }
};

/** Whether an answer holds for the next hands, too: house rules, how many play; the others are said of one hand. */
const lasts = (name, asked) => name === "options" || asked.lasts;

/** The table of the ledger that the hand belongs to; null also in the form of a round, which knows its table's house rules alone. */
export const table = () => (state.game?.order ? state.game : null);

/** What the table knows better than anybody who is asked. */
function known(name) {
  if (name === "options") return state.game?.options ?? {};
  if (!table()) return {};
  const { dealer, sitter } = seatingOf(table());
  return { seats: playersOf(table()).length + (sitter === null ? 0 : 1), dealer: state.winner !== null && state.winner === dealer };
}

/** What the table knows, what the player said of this hand and what was said last time, where the rule set still asks it. */
export function answers(name) {
  const before = stored(name, state.rules);
  const said = (asked) => known(name)[asked.name] ?? (lasts(name, asked) ? before : state.facts)[asked.name];
  const given = (rulesOf(state.rules)?.[name] ?? []).map((asked) => [asked, said(asked)]);
  const possible = ([asked, value]) => value !== undefined && (!asked.choices.length || asked.choices.includes(value));
  return Object.fromEntries(given.filter(possible).map(([asked, value]) => [asked.name, value]));
}

/** The player's answer to one of the rule set's questions; null takes it back. */
export function answer(name, asked, value) {
  const said = { [asked.name]: value ?? undefined };
  if (lasts(name, asked)) localStorage.setItem(`${name}:${state.rules}`, JSON.stringify({ ...stored(name, state.rules), ...said }));
  else state.facts = { ...state.facts, ...said };
  tell();
}
