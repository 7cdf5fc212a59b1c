// What a photograph can't show: facts of the round and house rules of the table, as switches.
import { byId, el } from "./dom.js";
import { face } from "./faces.js";
import { askCard } from "./sheet.js";
import { answer, answers, deck, state } from "./state.js";
import { _, cardName, rulesOf } from "./words.js";

/** The values of options that are words, shortly; the option's label says more. */
const CHOICES = {
  table: _("on the table"),
  hand: _("in hand"),
  open: _("open ones"),
  all: _("all of them"),
  any: _("any"),
  five: _("five kinds"),
  next: _("next form"),
  held: _("as held"),
  double: _("doubled"),
  add: _("added"),
};
export const choiceName = (choice) => CHOICES[choice] ?? String(choice);

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
        el("button", { type: "button", "aria-pressed": String(choice === value), onclick: () => say(choice) }, choiceName(choice)),
      ),
    );
  }
  if (asked.choices.length) {
    const read = (event) => say(asked.choices[event.target.selectedIndex]);
    return el("select", { id, onchange: read }, asked.choices.map((choice) => el("option", { selected: choice === value }, choiceName(choice))));
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
    el(grouped ? "span" : "label", { for: grouped ? null : id }, asked.label, note && el("small", {}, note)),
    control(asked, value, name, id),
  );
}

/** Draw the switches of facts and options; what holds for the next hands, too, keeps what was said last for this game. */
export function drawFacts() {
  const rules = rulesOf(state.rules);
  if (!rules) return;
  const focused = document.activeElement?.id;
  for (const [name, list] of [["facts", "fact-list"], ["options", "option-list"]]) {
    const given = answers(name);
    byId(list).replaceChildren(...rules[name].map((asked) => row(asked, given, name)));
    // What the table agreed on is changed there, not for one hand.
    if (name === "options" && state.game) for (const node of byId(list).querySelectorAll("input, select, button")) node.disabled = true;
  }
  byId("facts").hidden = !rules.facts.length;
  byId("options").hidden = !rules.options.length;
  if (focused) byId(focused)?.focus();
}
