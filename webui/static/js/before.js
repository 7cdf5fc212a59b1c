// 幺地人 before play: whether the dealt hand may play, with the cards of every 卯, 陀 and 番.
import { el } from "./dom.js";
import { faceRow } from "./faces.js";
import { deck, state } from "./state.js";
import { lineName, notice } from "./terms.js";
import { _, explained } from "./words.js";

const groups = (units) => el("div", { class: "melds" }, units.map((cards) => el("div", { class: "meld" }, faceRow(deck(), cards))));

/** In short, for the bar below the photo. */
export const beforeSummary = (found) => ({
  total: `${found.mao} ${_("卯")}`,
  why: found.may_play ? _("May play") : notice(found.reasons[0].message),
  wins: found.may_play,
});

/** The stamp, the 卯, and what is missing. */
export function beforeVerdict(found) {
  const part = (name, value, more) => el("span", {}, explained(state.rules, `${name} `), el("b", {}, String(value)), more);
  return el(
    "div",
    { class: "verdict", id: "before" },
    el("p", { class: `stamp${found.may_play ? "" : " no"}` }, found.may_play ? _("May play") : _("May not play")),
    el("p", { class: "total" }, String(found.mao), el("small", {}, explained(state.rules, _("卯")))),
    found.reasons.map((reason) => el("p", { class: "why" }, explained(state.rules, notice(reason.message)))),
    el(
      "p",
      { class: "detail" },
      part(lineName("陀"), found.tuo, _(" ({n} needed)", { n: found.need })),
      part(lineName("番"), found.fan),
    ),
  );
}

function mao(found) {
  return el(
    "section",
    { class: "panel", "aria-labelledby": "mao-title" },
    el("h2", { id: "mao-title" }, _("{n} 卯 of 14 pips", { n: found.mao })),
    groups(found.units_strict),
    found.support > 0 && [el("p", { class: "label" }, _("May stand in for a missing 卯: {n}", { n: found.support })), groups(found.supports)],
    el(
      "details",
      {},
      el("summary", {}, _("{n} 卯 where any two alike count too", { n: found.mao_with_pairs })),
      groups(found.units_with_pairs),
    ),
  );
}

const comingLine = (one) =>
  el(
    "li",
    {},
    faceRow(deck(), one.cards),
    el("span", { class: "name" }, lineName(one.name), one.fan > 0 && el("small", {}, `${lineName("番")} +${one.fan}`)),
    el("span", { class: "value" }, `+${one.tuo}`),
  );

function tuo(found) {
  return el(
    "section",
    { class: "panel", "aria-labelledby": "tuo-title" },
    el("h2", { id: "tuo-title" }, _("陀 and 番 that can be expected")),
    el("ol", { class: "lines" }, found.coming.map(comingLine)),
    el("p", { class: "sum" }, el("span", {}, _("Together")), el("span", {}, `${found.tuo} ${lineName("陀")} · ${found.fan} ${lineName("番")}`)),
  );
}

/** Everything below the verdict. */
export const beforeParts = (found) => [
  ...found.warnings.map((warning) => el("p", { class: "notice warning" }, notice(warning))),
  mao(found),
  tuo(found),
];
