// What was said in the form of a round, kept for this tab until the round is saved: its ways (by hand, by numbers,
// draw, photo) are pages of their own. `games_keep.js` keeps it.

export const keyOf = (action, version) => `paiyan-round:${new URL(action, location.href).pathname}:${version}`;
export const kept = (key) => JSON.parse(sessionStorage.getItem(key) ?? "{}");

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
