// What a photograph can't show: facts of the round and house rules of the table, as switches.
import { byId, el } from "./dom.js";
import { face } from "./faces.js";
import { askCard } from "./sheet.js";
import { answer, answers, deck, set, state, table } from "./state.js";
import { holds, mayPayAlone, paysAlone } from "./table.js";
import { _, cardName, explained, rulesOf } from "./words.js";
import { playersOf, seatingOf } from "./games_draft.js";

// What a table of the ledger knows by itself.
const TABLE_FACTS = ["dealer", "seats"];

/** What a choice is called; one that is a word is named by the option. */
export const choiceName = (asked, choice) => asked.words?.[choice] ?? String(choice);

function control(asked, value, name, id) {
  const say = (given) => answer(name, asked, given);
  if (asked.type === "bool") {
    return el("input", { type: "checkbox", role: "switch", class: "switch", id, checked: value === true, onchange: (event) => say(event.target.checked) });
  }
  if (asked.type === "card") {
    return el(
      "button",
      { type: "button", class: "plain", id, onclick: () => askCard(asked.label, value, say) },
      value ? [face(deck(), value, { half: true, silent: true }), cardName(deck(), value)] : _("choose"),
    );
  }
  if (asked.choices.length && asked.choices.length <= 4) {
    return el(
      "div",
      { class: "either", role: "group", "aria-label": asked.label },
      asked.choices.map((choice) =>
        el("button", { type: "button", "aria-pressed": String(choice === value), onclick: () => say(choice) }, choiceName(asked, choice)),
      ),
    );
  }
  if (asked.choices.length) {
    const read = (event) => say(asked.choices[event.target.selectedIndex]);
    return el("select", { id, onchange: read }, asked.choices.map((choice) => el("option", { selected: choice === value }, choiceName(asked, choice))));
  }
  return el("input", { type: "number", id, value: value ?? "", step: 1, onchange: (event) => say(Number(event.target.value)) });
}

function row(asked, given, name) {
  const id = `${name}-${asked.name}`;
  const value = asked.name in given ? given[asked.name] : asked.default;
  const note = [asked.help, asked.clause].filter(Boolean).join(" · ");
  const grouped = asked.type !== "bool" && asked.type !== "card" && asked.choices.length && asked.choices.length <= 4;
  return el(
    "div",
    { class: "fact", "data-asked": asked.name },
    el(grouped ? "span" : "label", { for: grouped ? null : id }, explained(state.rules, asked.label), note && el("small", {}, explained(state.rules, note))),
    control(asked, value, name, id),
  );
}

/* ---- who it was, by name, where the hand belongs to a table ---- */

/** A question with a key for each answer: [id, text, whether it is so, what a tap on it says]. */
function keys(id, label, choices) {
  const key = ([name, text, pressed, say, colour = null]) =>
    el("button", { type: "button", id: `${id}-${name}`, class: colour, "aria-pressed": String(pressed), onclick: say }, text);
  return el("div", { class: "who" }, el("p", { class: "label", id }, label), el("div", { class: "chips", role: "group", "aria-labelledby": id }, choices.map(key)));
}

const personKey = (person, pressed, say) => {
  const deals = person === seatingOf(table()).dealer;
  return [person, [table().people[person].name, deals && el("small", {}, _("dealer"))], pressed, say, `c${person}`];
};

const whoWon = () =>
  keys(
    "who-won",
    _("Who won this hand?"),
    playersOf(table()).map((person) => {
      const now = person === state.winner;
      return personKey(person, now, () => set({ winner: now ? null : person, drawer: person === state.drawer ? null : state.drawer }));
    }),
  );

/** Who pays alone, in the place of the `fact` that says whether anybody does: who drew the card in 字牌, who threw it in 大贰. */
function whoAlone(fact, { value, label }) {
  const own = !paysAlone();
  const say = (drawer, alone) => {
    const said = { [fact.name]: alone === value };
    set({ drawer, facts: { ...state.facts, ...(drawer !== null && { self_drawn: false }), ...said } });
  };
  const others = playersOf(table()).filter((person) => person !== state.winner);
  return keys("who-drew", label, [
    ["self", value ? _("nobody") : fact.label, own, () => say(null, own)],
    ...others.map((person) => personKey(person, person === state.drawer, () => say(person, true))),
  ]);
}

/** What is asked of the round: of its table by names, else by the rule set's own questions. */
function factRows(asked, given) {
  if (!table()) return asked.map((one) => row(one, given, "facts"));
  const { alone } = rulesOf(state.rules);
  const named = mayPayAlone() && asked.find((one) => one.name === alone.fact);
  const left = asked.filter((one) => !TABLE_FACTS.includes(one.name) && one !== named);
  return [whoWon(), ...(named ? [whoAlone(named, alone)] : []), ...left.map((one) => row(one, given, "facts"))];
}

/** Draw the switches of facts and options; what holds for the next hands, too, keeps what was said last for this game. */
export function drawFacts() {
  const rules = rulesOf(state.rules);
  if (!rules) return;
  const focused = document.activeElement?.id;
  const [facts, options] = [answers("facts"), answers("options")];
  byId("fact-list").replaceChildren(...factRows(rules.facts.filter((fact) => holds(fact.when)), facts));
  byId("option-list").replaceChildren(...rules.options.map((asked) => row(asked, options, "options")));
  // What the table agreed on is changed there, not for one hand.
  if (state.game) for (const node of byId("option-list").querySelectorAll("input, select, button")) node.disabled = true;
  byId("facts").hidden = !byId("fact-list").children.length;
  byId("options").hidden = !rules.options.length;
  if (focused) byId(focused)?.focus();
}
