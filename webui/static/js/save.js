// Hands a counted hand over to the ledger: which table, who won, and the pictures of its cards.
import { draftOf, forgetDraft, playersOf, seatingOf } from "./games_draft.js";
import { el, toast } from "./dom.js";
import { recordable, sentence } from "./count.js";
import { cut, load, loaded } from "./photos.js";
import { ask, askAgain, post, unanswered } from "./request.js";
import { partsSheet, close } from "./sheet.js";
import { answers, cards, setSent, startOver, state } from "./state.js";
import { draftSaid, roundOf } from "./table.js";
import { notice } from "./terms.js";
import { _, rulesOf, words } from "./words.js";

let writing = false; // a second tap while a round is on its way is none

const CROP = { width: 80, height: 120 }; // px
const LEARNING_MS = 8000; // that a hand which is written down waits for its print
const KEEPING_MS = 30000; // and for photos that the player wants kept
const SEEN_MS = 2500; // that a sentence stays before the page is left

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

/** What is to be written down; the table itself knows who deals and how many play, unless its form said otherwise. */
function wish(table, { winner, drawer }, result, total) {
  const { dealer, seats, ...facts } = answers("facts");
  const draft = draftOf(table);
  const seating = draft.dealer && seatingOf(table);
  return { rules: state.rules, hand: result.hand, facts, winner, drawer, total, seating, note: draft.note?.[0] };
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
  const again = (url, request) => askAgain(url, request, () => toast(_("No connection. Trying again…")));
  return post(`${table.url}/rounds`, body, { token: true, send: again });
}

/** Let the prints that were taught learn from the hand; that it fails or takes long stops nothing. */
async function learn() {
  if (!words.prints.length) return;
  const learning = import("./learn.js").then(({ learnWritten }) => learnWritten());
  await Promise.race([learning.catch(() => null), new Promise((over) => setTimeout(over, LEARNING_MS))]);
}

/** Keep the photos of the hand that the player wants kept; where that fails it is said, and stops nothing. */
async function keep() {
  if (!state.photos.length) return;
  const wait = (ms) => new Promise((over) => setTimeout(over, ms));
  const keeping = import("./keep.js").then(({ keepWritten }) => keepWritten());
  if ((await Promise.race([keeping.catch(() => 1), wait(KEEPING_MS).then(() => 1)])) === 0) return;
  toast(_("The photo could not be kept."));
  await wait(SEEN_MS);
}

async function write(table, who, result, total = result.score.total) {
  if (writing) return;
  writing = true;
  try {
    const done = await send(table, wish(table, who, result, total));
    forgetDraft(table);
    await learn();
    await keep();
    startOver();
    location.href = done.url;
  } catch (error) {
    if (unanswered(error) || error.code === "internal_error") return toast(_("Not saved yet: the computer that runs paiyan can't be reached. Tap again in a moment; nothing will be written twice."));
    setSent(null);
    if (error.code === "no_drawer") return askDrawer(table, who, result, total);
    if (error.code === "counted_otherwise") return otherwise(table, who, result, error);
    if (error.code === "conflict") return changedMeanwhile({ ...table, version: error.body.version }, who, result, total);
    toast(error.sentence ?? sentence(error));
  } finally {
    writing = false;
  }
}

/** Somebody wrote at this table since it was asked for: show that first, or write the round after it. */
function changedMeanwhile(table, who, result, total) {
  partsSheet(_("Something new was written at this table"), [
    el("p", {}, _("Look whether this round is there already.")),
    el(
      "div",
      { class: "sheet-acts" },
      el("a", { class: "button", href: table.url }, _("Look at the table")),
      el("button", { type: "button", class: "plain", onclick: () => (close(), write(table, who, result, total)) }, _("It is not; write it down")),
    ),
  ]);
}

/** The table's own seats or house rules give another count: ask before writing that down. */
function otherwise(table, who, result, error) {
  const total = error.body?.score?.total ?? null;
  const unit = rulesOf(state.rules).unit;
  partsSheet(_("At this table the hand counts {n}", { n: `${total} ${unit}` }), [
    el("p", {}, _("House rules and seats of the table differ from what was counted here.")),
    el(
      "div",
      { class: "sheet-acts" },
      el("button", { type: "button", onclick: () => (close(), write(table, who, result, total)) }, _("Write {n}", { n: `${total} ${unit}` })),
      el("button", { type: "button", class: "plain", onclick: close }, _("Cancel")),
    ),
  ]);
}

/** The names of people as keys. */
const names = (table, people, choose, said = null) =>
  el(
    "div",
    { class: "sheet-acts" },
    people.map((one) =>
      el("button", { type: "button", class: one === said ? "" : "plain", "data-person": one, onclick: () => (close(), choose(one)) }, table.people[one].name),
    ),
  );

function askDrawer(table, who, result, total) {
  const others = playersOf(table).filter((one) => one !== who.winner);
  partsSheet(rulesOf(state.rules).alone.label, [names(table, others, (drawer) => write(table, { ...who, drawer }, result, total))]);
}

const askWinner = (table, result) => [
  el("p", { class: "label" }, _("{table}: who won this hand?", { table: roundOf(table) })),
  names(table, playersOf(table), (winner) => write(table, { winner, drawer: state.drawer }, result), draftSaid(table).winner),
];

/** The tables that the hand may be written down at, each with its people, or the way to a new one. */
async function askTable(result) {
  const { tables } = await ask("/games/tables.json");
  const fitting = tables.filter((table) => table.rules === state.rules).slice(0, 4);
  if (fitting.length) return fitting.flatMap((table) => askWinner(table, result));
  return [
    el("p", {}, _("No table plays {game} yet.", { game: rulesOf(state.rules).name })),
    el("a", { class: "button", href: `/games/new?rules=${state.rules}&hand=1` }, _("Begin a game")),
  ];
}

/** A hand that is no round of its own: what the round can be written down as instead. */
function askOtherwise({ url }, result) {
  const why = result.error ? sentence(result.error) : notice(result.score.reason?.message ?? _("Does not win"));
  const way = (text, query) => el("a", { class: "button plain", href: `${url}/rounds/new?${query}` }, text);
  partsSheet(_("This hand does not win, so there is no count to write down."), [
    el("p", {}, why),
    el("div", { class: "sheet-acts" }, [way(_("Draw"), "how=draw"), way(_("False call"), "how=numbers&way=false"), way(_("By numbers"), "how=numbers")]),
  ]);
}

/** Write the round down; which table it belongs to and who won is asked for where it was not said. */
export async function save(result) {
  const { game, winner, drawer } = state;
  if (!recordable(result)) return askOtherwise(game, result);
  if (game && playersOf(game).includes(winner)) return write(game, { winner, drawer }, result);
  const parts = game ? askWinner(game, result) : await askTable(result).catch((error) => void toast(sentence(error)));
  if (parts) partsSheet(_("Write it into the game"), parts);
}
