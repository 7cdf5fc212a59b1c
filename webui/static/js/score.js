// The score: the total, every line of it, what was missing, who pays whom.
import { byId, el, toast } from "./dom.js";
import { beforeParts, beforeSummary, beforeVerdict } from "./before.js";
import { face, faceRow } from "./faces.js";
import { result, sentence } from "./count.js";
import { lineOf, meldsOfLines, payments, placeOf, wonMeld } from "./counted.js";
import { winningSheet } from "./sheet.js";
import { addCard, cardOf, cards, change, deck, state } from "./state.js";
import { paidBy } from "./table.js";
import { lineName, notice, noticeOf, paymentLines, totalText, verdictText } from "./terms.js";
import { cardCount, cardName, explained, kindName, rulesOf, _ } from "./words.js";

const unit = () => rulesOf(state.rules).unit;
const told = (text) => explained(state.rules, text);

/** What the check before play says of a hand that has not won; null where nobody would ask it. */
const dealt = () => (result?.score?.wins ? null : (result?.before ?? null));

/** In short, for the bar below the photo: {total, why, wins}. */
export function summary() {
  if (!result) return { total: "", why: "", wins: false };
  if (dealt()) return beforeSummary(dealt());
  if (result.error) return { total: cardCount(cards().length), why: shortOf(result), wins: false };
  const { score } = result;
  const why = score.wins ? (score.total ? _("The hand wins") : paymentLines(score)[0]) : score.fault ? _("False win") : notice(score.reason?.message ?? _("Does not win"));
  return { total: totalText(score), why, wins: score.wins };
}

function shortOf({ error, waits }) {
  if (waits?.length) return _("One card short: waits for {cards}", { cards: waits.map((wait) => cardName(deck(), wait.code)).join(" ") });
  return sentence(error);
}

function verdict(score) {
  return el(
    "div",
    { class: "verdict" },
    el("p", { class: `stamp${score.wins ? "" : " no"}` }, verdictText(score)),
    (score.total || !score.wins) && el("p", { class: "total", id: "total" }, String(score.total), el("small", {}, told(unit()))),
    score.reason && el("p", { class: "why" }, told(notice(score.reason.message))),
    el(
      "p",
      { class: "detail" },
      Object.entries(score.detail ?? {}).map(([name, value]) => el("span", {}, told(`${lineName(name)} `), el("b", {}, String(value)))),
    ),
  );
}

/** What a line is worth. */
export const valueText = (line) => [line.points && `+${line.points}`, line.times !== 1 && `× ${line.times}`].filter(Boolean).join(" ") || "0";

/** Few rules are looked up, so the script comes when it is wanted. */
const showRule = (line) => import("./rule.js").then(({ ruleSheet }) => ruleSheet(line), () => toast(sentence({ code: "offline" })));

const winner = () => cardOf(state.winning)?.code ?? null;

/** Whether the 胡 of a hand become something else that is paid: the games of 字牌 turn them into 颗子, 囤 or points. */
const becomes = ({ detail = {} }) => ["颗子", "囤", "分"].some((name) => detail[name] !== undefined);

/** How the total comes about, in words, and how from it what each one pays. */
const toTotal = ({ payment = [] }) => paymentLines({ payment: payment.filter((step) => !step.numbers.each) });
const toPayment = ({ payment = [] }) => paymentLines({ payment: payment.filter((step) => step.numbers.each) });

/** What the lines add up to, and apart from it what that becomes, step by step; 番 double what is paid. */
function sums(score) {
  const { 胡: hu, 番: fan } = score.detail ?? {};
  const row = (name, said, ...value) => el("p", { class: name }, el("span", {}, told(said)), el("span", {}, value));
  const factor = score.factor !== 1 && el("small", {}, `× ${score.factor}  `);
  if (becomes(score)) {
    const steps = score.wins ? toTotal(score) : [];
    const worth = (n) => (n < steps.length - 1 ? [] : [steps.length === 1 && factor, totalText(score)]);
    return [row("sum", _("Together"), `${hu} ${lineName("胡")}`), ...steps.map((step, n) => row("fan", step, worth(n)))];
  }
  if (fan) return [row("sum", _("Together"), totalText(score)), row("fan", `${lineName("番")} ${fan}`, `× ${score.factor}`)];
  return row("sum", _("Together"), factor, totalText(score));
}

function lines(score) {
  if (!score.lines.length) return null;
  const melds = meldsOfLines(score);
  const won = wonMeld(score);
  return el(
    "section",
    { class: "panel", "aria-labelledby": "lines-title" },
    el("h2", { id: "lines-title" }, _("Line by line")),
    el(
      "ol",
      { class: "lines" },
      score.lines.map((line, n) =>
        el(
          "li",
          {},
          line.cards.length > 0 && faceRow(deck(), line.cards, melds[n] && melds[n] === won ? winner() : null),
          el(
            "button",
            { type: "button", class: "name", "aria-haspopup": "dialog", onclick: () => showRule(line) },
            lineName(line.name),
            el("small", {}, [melds[n] && `${placeOf(score, melds[n])} · `, el("u", {}, line.clause)]),
          ),
          el("span", { class: "value" }, valueText(line)),
        ),
      ),
    ),
    sums(score),
  );
}

function melds(score) {
  if (!score.melds.length) return null;
  const won = wonMeld(score);
  const name = (meld) => {
    const line = lineOf(score, meld.cards);
    return line ? lineName(line.name) : kindName(state.rules, meld.kind);
  };
  return el(
    "details",
    { class: "panel", id: "melds" },
    el("summary", {}, _("How the hand was divided")),
    el(
      "div",
      { class: "melds" },
      score.melds.map((meld) =>
        el("div", { class: "meld" }, faceRow(deck(), meld.cards, meld === won ? winner() : null), el("small", {}, `${placeOf(score, meld)} · ${name(meld)}`)),
      ),
    ),
  );
}

function payment(score) {
  const paid = payments(score);
  if (!score.payment?.length) return null;
  return el(
    "section",
    { class: "panel", "aria-labelledby": "pay-title" },
    el("h2", { id: "pay-title" }, _("Who pays whom")),
    (becomes(score) ? toPayment : paymentLines)(score).map((line) => el("p", { class: "payment" }, told(line))),
    paid.length > 0 && el(
      "table",
      { class: "pay" },
      paid.map(([name, change]) => el("tr", {}, el("th", { scope: "row" }, name), el("td", {}, change))),
    ),
  );
}

const waitText = (wait) => totalText({ wins: true, total: wait.score });

/** The waits as keys: a tap takes the card as the winning one. */
function waits(listed) {
  const win = (code) => () => {
    addCard(code, { apart: true });
    const added = cards().at(-1).id;
    change(() => (state.winning = added));
  };
  return el(
    "section",
    { class: "panel", "aria-labelledby": "waits-title" },
    el("h2", { id: "waits-title" }, _("One card short: it waits for")),
    el(
      "div",
      { class: "waits" },
      listed.map((wait) =>
        el(
          "button",
          { type: "button", class: "wait", "aria-label": `${cardName(deck(), wait.code)} ${waitText(wait)}`, onclick: win(wait.code) },
          face(deck(), wait.code, { silent: true }),
          el("span", {}, waitText(wait)),
        ),
      ),
    ),
  );
}

function failed({ error, waits: listed }) {
  return [
    el("div", { class: "verdict" }, el("p", { class: "total" }, String(cards().length), el("small", {}, _("cards"))), el("p", { class: "why", role: "alert" }, sentence(error))),
    listed?.length ? waits(listed) : null,
  ];
}

/** A warning; one that asks for the winning card leads to marking it. */
function warning(said) {
  const { code, text } = noticeOf(said);
  if (code !== "no_winning_card") return el("p", { class: "notice warning" }, told(text));
  return el("button", { type: "button", class: "notice warning", id: "ask-winning", onclick: winningSheet }, el("span", {}, text), el("b", {}, _("Mark it")));
}

/** Draw the whole score. */
export function drawScore() {
  byId("score-game").textContent = rulesOf(state.rules)?.name ?? "";
  byId("score-game").href = `/games/rules/${state.rules}`;
  const top = byId("verdict");
  const below = byId("breakdown");
  byId("paid").hidden = true;
  const usable = Boolean(result?.score) && !dealt();
  for (const id of ["share-text", "share-picture"]) byId(id).disabled = !usable;
  if (!result) {
    top.replaceChildren(el("p", { class: "verdict" }, _("No cards yet. Take a photo, or add them one by one.")));
    return below.replaceChildren();
  }
  if (dealt()) {
    top.replaceChildren(beforeVerdict(dealt()));
    return below.replaceChildren(...beforeParts(dealt()), ...(result.waits?.length ? [waits(result.waits)] : []));
  }
  if (result.error) {
    const [said, listed] = failed(result);
    top.replaceChildren(said);
    return below.replaceChildren(...[listed].filter(Boolean));
  }
  const { score } = result;
  const paid = paidBy() ? payments(score) : [];
  byId("paid").hidden = !paid.length;
  byId("paid").textContent = paid.map((row) => row.join("\u00a0")).join(" · ");
  top.replaceChildren(verdict(score));
  const warned = (score.warnings ?? []).map(warning);
  below.replaceChildren(...[...warned, lines(score), payment(score), melds(score)].filter(Boolean));
}
