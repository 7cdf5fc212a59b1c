// What the rule behind a line says: the rows of the game's own table under its clause, and the house rules that turn it.
import { el } from "./dom.js";
import { choiceName } from "./facts.js";
import { partsSheet } from "./sheet.js";
import { answers, state } from "./state.js";
import { lineName } from "./terms.js";
import { _, explained, rulesOf } from "./words.js";

function table(rows, columns, now) {
  // A column without a value says nothing.
  const used = columns.map((_name, n) => n).filter((n) => rows.some((row) => row.points[n]));
  const named = used.some((n) => columns[n]);
  return el(
    "table",
    { class: "pay" },
    named && el("tr", {}, el("th"), used.map((n) => el("th", { scope: "col" }, columns[n]))),
    rows.map((row) =>
      el("tr", { "aria-current": row.id === now ? "true" : null }, el("th", { scope: "row" }, lineName(row.id)), used.map((n) => el("td", {}, String(row.points[n] ?? "")))),
    ),
  );
}

function houseRule(option) {
  const value = answers("options")[option.name] ?? option.default;
  const said = option.type === "bool" ? (value ? _("yes") : _("no")) : choiceName(option, value);
  return el("li", {}, `${option.label}: `, el("b", {}, said));
}

/** Show the rule of a line of the score. */
export function ruleSheet(line) {
  const rules = rulesOf(state.rules);
  const rows = rules.table.filter((row) => row.clause === line.clause);
  const named = [explained(rules.id, lineName(line.name))].flat();
  const turned = rules.options.filter((option) => option.clause === line.clause);
  partsSheet(lineName(line.name), [
    named.length > 1 && el("p", {}, named),
    el("p", { class: "label" }, _("{clause} of the rules of {game}", { clause: line.clause, game: rules.name })),
    rows.some((row) => row.points.some(Boolean)) && table(rows, rules.columns, line.name),
    line.times !== 1 && el("p", {}, _("Multiplies the whole by {n}.", { n: line.times })),
    turned.length > 0 && el("p", { class: "label" }, _("House rules of this table")),
    turned.length > 0 && el("ul", {}, turned.map(houseRule)),
    el("p", {}, el("a", { href: `/games/rules/${rules.id}` }, _("How {game} is counted", { game: rules.name }))),
  ]);
}
