// What was said in the form of a round, kept for this tab until the round is saved: its ways (by hand, by numbers,
// draw, photo) are pages of their own.

const keyOf = (action, version) => `paiyan-round:${new URL(action, location.href).pathname}:${version}`;
const kept = (key) => JSON.parse(sessionStorage.getItem(key) ?? "{}");
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

/** What was said of the coming round of a table, by field; nothing where the table changed since. */
export const draftOf = (table) => kept(keyOf(`${table.url}/rounds/new`, table.version));

export const forgetDraft = (table) => sessionStorage.removeItem(keyOf(`${table.url}/rounds/new`, table.version));
