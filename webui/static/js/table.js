// The table of the ledger that the hand is counted for: its coming round, what was said of it, who won.
import { draftOf, playersOf, seatingOf } from "./games_draft.js";
import { ask } from "./request.js";
import { answers, set, state, table } from "./state.js";
import { _, rulesOf } from "./words.js";

const TAKEN = "paiyan-draft-taken";

/** The table as it is by now, as it was `known` where the server can't be asked, or null where it is gone. */
export const tableNow = (known) =>
  ask(`/games/${encodeURIComponent(known.id)}/table.json`).catch((error) => (error.code === "unknown_table" ? null : known));

/** The table that the address asks for (`?game=…`): the hand is counted by its rules and options; {id} alone where it can't be asked. */
export async function tableOfAddress() {
  const id = new URLSearchParams(location.search).get("game");
  if (!id) return null;
  return tableNow(state.game?.id === id ? state.game : { id });
}

/** The coming round of a table, in words. */
export const roundOf = (game) => _("Round {n} of “{table}”", { n: game.rounds.length + 1, table: game.name });

/** What was said of the coming round at its table's form before it was photographed: {facts, winner, drawer} of its hand. */
export function draftSaid(game) {
  const draft = draftOf(game);
  const said = rulesOf(game.rules).facts.filter((fact) => draft[`fact-${fact.name}`]);
  const value = ({ name, type }) => (type === "bool" ? draft[`fact-${name}`].length > 0 : draft[`fact-${name}`][0] || undefined);
  const person = (name) => (draft[name]?.[0] ? Number(draft[name][0]) : null);
  return { facts: Object.fromEntries(said.map((fact) => [fact.name, value(fact)])), winner: person("winner"), drawer: person("drawer") };
}

/** Let what was said at the table's form hold for the hand that is here; once, so that it can be said otherwise. */
export function takeDraft(game) {
  const draft = JSON.stringify(draftOf(game));
  if (sessionStorage.getItem(TAKEN) === draft) return;
  sessionStorage.setItem(TAKEN, draft);
  const { facts, winner, drawer } = draftSaid(game);
  set({ facts: { ...state.facts, ...facts }, winner: winner ?? state.winner, drawer: drawer ?? state.drawer });
}

const fits = (value, wanted) => (typeof wanted === "boolean" ? Boolean(value) === wanted : [wanted].flat().includes(value));

/** Whether the house rules have all these values, or one of several; true stands for anything but 0 and no. */
export function holds(when) {
  const said = answers("options");
  const value = (name) => said[name] ?? rulesOf(state.rules).options.find((option) => option.name === name).default;
  return Object.entries(when).every(([name, wanted]) => fits(value(name), wanted));
}

/** Whether at this table one of the losers may have to pay for all. */
export function mayPayAlone() {
  const { alone } = rulesOf(state.rules);
  return Boolean(alone) && holds(alone.when);
}

/** Whether one of the losers pays for all, so that it must be said who. */
export function paysAlone() {
  const { alone } = rulesOf(state.rules);
  return mayPayAlone() && Boolean(answers("facts")[alone.fact]) === alone.value;
}

/** The people of the table in the order of a settlement (RULES Z8); null while it is not said who won. */
export function paidBy() {
  const players = table() ? playersOf(table()) : [];
  const first = paysAlone() ? [state.winner, state.drawer] : [state.winner];
  if (!first.every((one) => players.includes(one))) return null;
  const { sitter } = seatingOf(table());
  return [...first, ...players.filter((one) => !first.includes(one)), ...(sitter === null ? [] : [sitter])];
}
