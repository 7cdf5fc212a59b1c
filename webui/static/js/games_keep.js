// Keeps what is said in the form of a round, and fills it in again; the page of scanning only reads it.
import { keyOf, kept } from "./games_draft.js";

const fields = (form) => [...form.elements].filter((one) => one.name && one.type !== "hidden");
const picks = (one) => one.type === "radio" || one.type === "checkbox";

/** Values of the fields by name, each a list: a box that is off adds nothing to its list. */
function said(form) {
  const values = {};
  for (const one of fields(form)) {
    values[one.name] ??= [];
    if (!picks(one) || one.checked) values[one.name].push(one.value);
  }
  return values;
}

function fill(form, values) {
  for (const one of fields(form)) {
    const given = values[one.name];
    if (!given) continue;
    if (picks(one)) one.checked = given.includes(one.value);
    else if (given.length) [one.value] = given;
  }
}

/** Fill the form with what was said before, also in its other ways, and keep what is said from now on. */
export function keepDraft(form) {
  const key = keyOf(form.action, form.elements.base.value);
  const before = kept(key);
  const started = JSON.stringify(said(form));
  fill(form, before);
  const keep = () => {
    const values = said(form);
    if (Object.keys(before).length || JSON.stringify(values) !== started) sessionStorage.setItem(key, JSON.stringify({ ...before, ...values }));
  };
  addEventListener("pagehide", keep);
  form.addEventListener("saved", () => {
    removeEventListener("pagehide", keep);
    sessionStorage.removeItem(key);
  });
}
