// The games' own words in the page's language: lines of a score, what the scorer remarks.
import { deck, state } from "./state.js";
import { _, localName, rulesOf } from "./words.js";

/** The name of a line or detail of this rule set in the page's language. */
export const lineName = (name) => rulesOf(state.rules).lines[name] ?? name;

/** A sentence of the scorer (English) in the page's language, with its code: notices are patterns with {n}, {cards}. */
export function noticeOf(said) {
  for (const { code, said: pattern, text } of rulesOf(state.rules).notices) {
    const found = said.match(patternOf(pattern));
    if (found) return { code, text: text.replace(/\{(\w+)\}/g, (whole, name) => named(found.groups?.[name] ?? whole)) };
  }
  return { code: null, text: said };
}

export const notice = (said) => noticeOf(said).text;

/** What a count says of a hand, in a word. */
export const verdictText = (score) => (score.wins ? _("The hand wins") : score.fault ? _("False win") : _("Does not win"));

/** What a hand comes to; where the game counts nothing but who won (挤儿), that it won. */
export const totalText = (score) => (score.wins && !score.total ? _("The hand wins") : `${score.total} ${rulesOf(state.rules).unit}`);

/** How the payment comes about, by the scorer's own steps, then the stake of the table that the hand is counted for. */
export function paymentLines(score) {
  const steps = score.payment ?? [];
  const said = steps.map(({ code, numbers }) => rulesOf(state.rules).payments[code].replace(/\{(\w+)\}/g, (whole, name) => numbers[name] ?? whole));
  const each = steps.find((step) => step.numbers.each)?.numbers.each;
  const stake = state.game?.stake ?? 1;
  if (each && stake !== 1) said.push(_("{each} × stake {stake} = {money}", { each, stake, money: Math.round(each * stake * 100) / 100 }));
  return said;
}

function patternOf(text) {
  const plain = text.replace(/[.*+?^$()|[\]\\]/g, "\\$&");
  return new RegExp(`^${plain.replace(/\{(\w+)\}/g, "(?<$1>.+?)")}$`);
}

/** Cards within a sentence, by the deck's English names, in the page's language. */
const named = (value) => value.split(", ").map((word) => localName(deck(), word)).join(_(", "));
