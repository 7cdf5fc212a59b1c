// Hands a counted hand over to the ledger: which table, who won, and the pictures of its cards.
import { csrfToken, el, post, toast } from "./dom.js";
import { sentence } from "./count.js";
import { cut, load, loaded } from "./photos.js";
import { partsSheet, close } from "./sheet.js";
import { answers, cards, startOver, state } from "./state.js";
import { _, rulesOf } from "./words.js";

const CROP = { width: 80, height: 120 }; // px

const fetchJson = async (url) => (await fetch(url, { headers: { Accept: "application/json" } })).json();

/** The table that the address asks for (`?game=…`): the hand is counted by its rules and options. */
export async function tableOfAddress() {
  const id = new URLSearchParams(location.search).get("game");
  if (!id) return null;
  const table = await fetchJson(`/games/${encodeURIComponent(id)}/table.json`).catch(() => null);
  return table?.id ? table : null;
}

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

const key = () => Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");

async function send(table, winner, result, total) {
  const body = { key: key(), base: table.version, rules: state.rules, hand: result.hand, facts: answers("facts"), winner, total, crops: await crops() };
  // The table itself knows who deals and how many play.
  delete body.facts.dealer;
  delete body.facts.seats;
  return post(`${table.url}/rounds`, body, { "X-CSRFToken": csrfToken() });
}

async function write(table, winner, result, total) {
  try {
    const done = await send(table, winner, result, total);
    startOver();
    location.href = done.url;
  } catch (error) {
    if (error.code === "counted_otherwise") return otherwise(table, winner, result, error);
    if (error.code === "conflict") {
      toast(_("Somebody else changed this table meanwhile. Look at what is new, then save again."));
      return save(result);
    }
    toast(sentence(error));
  }
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
  const name = (person) =>
    el(
      "button",
      { type: "button", class: "plain", "data-winner": person, onclick: () => (close(), write(table, person, result, result.score.total)) },
      table.people[person].name,
    );
  return [el("p", { class: "label" }, _("{table}: whose hand is it?", { table: table.name })), el("div", { class: "sheet-acts" }, table.playing.map(name))];
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
          el("a", { class: "button", href: `/games/new?rules=${state.rules}` }, _("Begin a game")),
        ],
  );
}
