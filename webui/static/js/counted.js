// Which line and which meld of a score some cards are, where the winning card went, and who pays.
import { cardOf, state, table } from "./state.js";
import { paidBy } from "./table.js";
import { _ } from "./words.js";

const plain = (code) => code.split("=")[0];
const key = (codes) => codes.map(plain).sort().join(" ");

/** The line that counts exactly these cards as a group, where there is one. */
export const lineOf = (score, codes) => score?.lines.find((line) => line.cards.length && key(line.cards) === key(codes)) ?? null;

/** For each line the meld that it counts, or null for what is counted beside the melds. */
export function meldsOfLines(score) {
  const left = [...score.melds];
  return score.lines.map((line) => {
    const at = left.findIndex((meld) => key(meld.cards) === key(line.cards));
    return at < 0 ? null : left.splice(at, 1)[0];
  });
}

/** The piles that were laid down: their melds come first in a score. */
const laid = () => state.piles.filter((pile) => pile.table);

/**
 * The meld that the winning card went into; null where none is marked or the hand does not divide.
 * One that was laid down can have got it only where it became larger.
 */
export function wonMeld(score) {
  const code = cardOf(state.winning)?.code;
  if (!code) return null;
  const open = score.melds.filter((meld, n) => !laid()[n] || meld.cards.length > laid()[n].cards.length);
  const having = open.filter((meld) => meld.cards.map(plain).includes(code));
  return having.find((meld) => meld.shown) ?? having[0] ?? null;
}

/** Where a meld of the score lies, in words: on the table if it was laid down or the winning card completed it openly. */
export function placeOf(score, meld) {
  const open = score.melds.indexOf(meld) < laid().length || (meld.shown && meld === wonMeld(score));
  return open ? _("On the table") : _("In hand");
}

/** Of a hand of nobody in particular, RULES Z8: seat 0 is the scored hand, the one who sits out in a 字牌 game of four is the last. */
function seatName(seat, seats) {
  if (seat === 0) return _("this hand");
  return state.rules === "zipai" && seats === 4 && seat === 3 ? _("坐醒") : _("player {n}", { n: seat + 1 });
}

/** A sum of money without what binary fractions add to it. */
export const exactly = (amount) => Math.round(amount * 100) / 100;

const signed = (value) => (value > 0 ? `+${value}` : String(value).replace("-", "−"));

/**
 * What each seat gets or pays: [name, signed number]; none where nobody pays or the game does not say.
 * At a table it is money, once it is said who won that of its people; else seats and points.
 */
export function payments(score) {
  const changes = score.settlement ?? [];
  const people = paidBy();
  const stake = state.game?.stake ?? 1;
  const name = (seat) => (people ? table().people[people[seat]].name : seatName(seat, changes.length));
  const paid = (value, seat) => [name(seat), signed(exactly(value * stake))];
  return changes.some((value) => value) ? changes.map(paid) : [];
}
