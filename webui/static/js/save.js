// Hands a counted hand over to the ledger: which table, who won, and the pictures of its cards.
import { fetchAgain } from "./again.js";
import { draftOf, forgetDraft } from "./games_draft.js";
import { csrfToken, el, post, toast } from "./dom.js";
import { sentence } from "./count.js";
import { learnWritten } from "./learn.js";
import { cut, load, loaded } from "./photos.js";
import { partsSheet, close } from "./sheet.js";
import { answers, cards, set, setSent, startOver, state } from "./state.js";
import { _, rulesOf } from "./words.js";

const TAKEN = "paiyan-draft-taken";
const CROP = { width: 80, height: 120 }; // px

const fetchJson = async (url) => (await fetch(url, { headers: { Accept: "application/json" } })).json();

/** The table that the address asks for (`?game=…`): the hand is counted by its rules and options. */
export async function tableOfAddress() {
  const id = new URLSearchParams(location.search).get("game");
  if (!id) return null;
  const table = await fetchJson(`/games/${encodeURIComponent(id)}/table.json`).catch(() => null);
  return table?.id ? table : null;
}

/** The table as it is by now, as it was `known` where the server can't be asked, or null where it is gone. */
export async function tableNow(known) {
  const table = await fetchJson(`/games/${known.id}/table.json`).catch(() => ({}));
  return table.id ? table : table.error?.code === "unknown_table" ? null : known;
}

/** The coming round of a table, in words. */
export const roundOf = (table) => _("Round {n} of “{table}”", { n: table.rounds.length + 1, table: table.name });

async function crops() {
  const found = [];
  for (const card of cards()) {
    if (!card.ends.length || !(await load(card.photo))) continue;
    const canvas = Object.assign(document.createElement("canvas"), CROP);
    cut(loaded(card.photo), card.ends[0], canvas, { margin: 0.08, depth: 1.5 });
    found.push({ code: card.code, image: canvas.toDataURL("image/jpeg", 0.8) });
  }
  return found;
}

const newKey = () => Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");

/** What was said of the coming round at its table's form before it was photographed, as facts of its hand. */
export function draftFacts(table) {
  const draft = draftOf(table);
  const said = rulesOf(table.rules).facts.filter((fact) => draft[`fact-${fact.name}`]);
  const value = ({ name, type }) => (type === "bool" ? draft[`fact-${name}`].length > 0 : draft[`fact-${name}`][0] || undefined);
  return Object.fromEntries(said.map((fact) => [fact.name, value(fact)]));
}

/** Let what was said at the table's form hold for the hand that is here; once, so that it can be said otherwise. */
export function takeDraft(table) {
  const draft = JSON.stringify(draftOf(table));
  if (sessionStorage.getItem(TAKEN) === draft) return;
  sessionStorage.setItem(TAKEN, draft);
  set({ facts: { ...state.facts, ...draftFacts(table) } });
}

const person = (text) => (text ? Number(text) : null);

/** What is to be written down; the table itself knows who deals and how many play, unless its form said otherwise. */
function wish(table, winner, result, total) {
  const { dealer, seats, ...facts } = answers("facts");
  const draft = draftOf(table);
  const seating = draft.dealer && { dealer: person(draft.dealer[0]), sitter: person(draft.sitter?.[0]), out: (draft.out ?? []).map(Number) };
  return { rules: state.rules, hand: result.hand, facts, winner, total, seating, note: draft.note?.[0] };
}

/**
 * The same round keeps its key and pictures however often it is sent: the server then writes it once.
 * Where another round was sent and never answered, this one is based on the same version of the table, so that both
 * can't be written down unnoticed.
 */
async function ticket(table, asked) {
  const { sent } = state;
  if (sent?.asked === asked) return { ...sent, base: table.version };
  return { asked, key: newKey(), base: sent?.base ?? table.version, crops: await crops() };
}

async function send(table, round) {
  const sent = await ticket(table, JSON.stringify([table.id, round]));
  setSent(sent);
  const body = { ...round, key: sent.key, base: sent.base, crops: sent.crops };
  const again = (url, request) => fetchAgain(url, request, () => toast(_("No connection. Trying again…")));
  return post(`${table.url}/rounds`, body, { "X-CSRFToken": csrfToken() }, again);
}

/** Whether the server said no, so that nothing was written down. */
const refused = (error) => Boolean(error.code) && error.code !== "internal_error";

async function write(table, winner, result, total) {
  try {
    const done = await send(table, wish(table, winner, result, total));
    forgetDraft(table);
    await learnWritten();
    startOver();
    location.href = done.url;
  } catch (error) {
    if (!refused(error)) return toast(_("Not saved yet: there is no connection. Tap again when it is back; nothing will be written twice."));
    setSent(null);
    if (error.code === "counted_otherwise") return otherwise(table, winner, result, error);
    if (error.code === "conflict") return changedMeanwhile({ ...table, version: error.body.version }, winner, result, total);
    toast(error.body.error.sentence ?? sentence(error));
  }
}

/** Somebody wrote at this table since it was asked for: show that first, or write the round after it. */
function changedMeanwhile(table, winner, result, total) {
  partsSheet(_("Something new was written at this table"), [
    el("p", {}, _("Look whether this round is there already.")),
    el(
      "div",
      { class: "sheet-acts" },
      el("a", { class: "button", href: table.url }, _("Look at the table")),
      el("button", { type: "button", class: "plain", onclick: () => (close(), write(table, winner, result, total)) }, _("It is not; write it down")),
    ),
  ]);
}

/** The table's own seats or house rules give another count: ask before writing that down. */
function otherwise(table, winner, result, error) {
  const total = error.body?.score?.total ?? null;
  const unit = rulesOf(state.rules).unit;
  partsSheet(_("At this table the hand counts {n}", { n: `${total} ${unit}` }), [
    el("p", {}, _("House rules and seats of the table differ from what was counted here.")),
    el(
      "div",
      { class: "sheet-acts" },
      el("button", { type: "button", onclick: () => (close(), write(table, winner, result, total)) }, _("Write {n}", { n: `${total} ${unit}` })),
      el("button", { type: "button", class: "plain", onclick: close }, _("Cancel")),
    ),
  ]);
}

function winners(table, result) {
  const said = draftOf(table).winner?.[0];
  const name = (person) =>
    el(
      "button",
      { type: "button", class: said === String(person) ? "" : "plain", "data-winner": person, onclick: () => (close(), write(table, person, result, result.score.total)) },
      table.people[person].name,
    );
  return [el("p", { class: "label" }, _("{table}: whose hand is it?", { table: roundOf(table) })), el("div", { class: "sheet-acts" }, table.playing.map(name))];
}

/** Ask for the table and the winner, and write the round down. */
export async function save(result) {
  const { tables = [] } = await fetchJson("/games/tables.json").catch(() => ({}));
  const fitting = tables.filter((table) => table.rules === state.rules);
  const chosen = fitting.find((table) => table.id === state.game?.id);
  const offered = chosen ? [chosen] : fitting.slice(0, 4);
  partsSheet(
    _("Write it into the game"),
    offered.length
      ? offered.flatMap((table) => winners(table, result))
      : [
          el("p", {}, _("No table plays {game} yet.", { game: rulesOf(state.rules).name })),
          el("a", { class: "button", href: `/games/new?rules=${state.rules}&hand=1` }, _("Begin a game")),
        ],
  );
}
