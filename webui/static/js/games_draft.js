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

/** Who sits opposite the dealer; undefined where the dealer is not one of them. */
export function opposite(seated, dealer) {
  const place = seated.indexOf(dealer);
  return place < 0 ? undefined : seated[(place + seated.length / 2) % seated.length];
}

const person = (text) => (text ? Number(text) : null);

/** Who deals, sits 坐醒 and is out in the coming round of a table: as its form was filled in, else as it comes. */
export function seatingOf(table) {
  const { dealer, sitter, out = [] } = draftOf(table);
  if (!dealer) return table.next;
  const said = { dealer: person(dealer[0]), out: out.map(Number) };
  const seated = table.order.filter((one) => !said.out.includes(one) && !table.people[one].away);
  const sits = table.rules === "zipai" && seated.length === 4;
  return { ...said, sitter: sits ? (person(sitter?.[0]) ?? opposite(seated, said.dealer) ?? null) : null };
}

/** Those who hold cards in the coming round, in the order in which they sit. */
export function playersOf(table) {
  const { out, sitter } = seatingOf(table);
  return table.order.filter((one) => one !== sitter && !out.includes(one) && !table.people[one].away);
}

export const forgetDraft = (table) => sessionStorage.removeItem(keyOf(`${table.url}/rounds/new`, table.version));
