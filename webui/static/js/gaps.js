// Where cards of a photo are probably missing: holes in its rows, and ends that no card could be read from.
// @ts-nocheck: not typed yet
import { middle } from "./labels.js";

const HOLE = [1.6, 4.4]; // steps of a row that a hole is wide, less is uneven laying, more another row
const STRAIGHT = 0.9; // cosine between a hole and the row about it

const minus = ([ax, ay], [bx, by]) => [ax - bx, ay - by];
const size = ([x, y]) => Math.hypot(x, y);
const along = (one, other) => (one[0] * other[0] + one[1] * other[1]) / (size(one) * size(other) || 1);

/** Of each card the end that lies nearest to the one of the card before. */
function chain(cards) {
  const ends = [];
  for (const card of cards) {
    const before = ends.length && middle(ends.at(-1));
    const far = (quad) => (before ? size(minus(middle(quad), before)) : 0);
    ends.push([...card].sort((a, b) => far(a) - far(b))[0]);
  }
  return ends;
}

const between = (from, to, share) => from.map((point, n) => point.map((value, axis) => value + (to[n][axis] - value) * share));

/** The ends of cards that a row lacks; `cards` are its cards in order, each a list of quads. */
export function holesOf(cards) {
  const ends = chain(cards);
  const steps = ends.slice(1).map((end, n) => minus(middle(end), middle(ends[n])));
  if (steps.length < 2) return [];
  const sizes = steps.map(size).sort((a, b) => a - b);
  const usual = sizes[(sizes.length - 1) >> 1];
  return steps.flatMap((step, n) => {
    const wide = size(step) / usual;
    const beside = steps[n - 1] ?? steps[n + 1];
    if (wide < HOLE[0] || wide > HOLE[1] || along(step, beside) < STRAIGHT) return [];
    const missing = Math.round(wide) - 1;
    return Array.from({ length: missing }, (_none, k) => between(ends[n], ends[n + 1], (k + 1) / (missing + 1)));
  });
}

/** Up to `most` places of a photo where a card is probably missing: [{quad, pile}]; `pile` is null where it lies alone. */
export function probablyHere(piles, photo, most) {
  const rows = piles.map((pile) => ({ pile: pile.id, cards: pile.cards.filter((card) => card.photo === photo.id && card.ends.length).map((card) => card.ends) }));
  const holes = rows.flatMap(({ pile, cards }) => holesOf(cards).map((quad) => ({ quad, pile })));
  const unread = (photo.others ?? []).map((quad) => ({ quad, pile: null }));
  return [...holes, ...unread].slice(0, Math.max(0, most));
}
