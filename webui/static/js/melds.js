// Codes of cards that make groups: what they divide into, and which groups a card is likely meant for.
const KEYS = 8;

/** What is left of `codes` without those of `group`; null where it lacks one. */
export function without(codes, group) {
  const left = [...codes];
  for (const code of group) {
    const at = left.indexOf(code);
    if (at < 0) return null;
    left.splice(at, 1);
  }
  return left;
}

/** Groups that these cards divide into, all of them; null where they don't. */
export function divided(codes, groups) {
  if (!codes.length) return [];
  for (const group of groups) {
    const left = group.includes(codes[0]) ? without(codes, group) : null;
    const rest = left && divided(left, groups);
    if (rest) return [group, ...rest];
  }
  return null;
}

/** Groups with the card that was typed last, those first of which most was typed. */
export function fitting(last, codes, groups) {
  const there = (group) => group.filter((code, n) => codes.filter((one) => one === code).length > group.slice(0, n).filter((one) => one === code).length).length;
  const with_ = groups.filter((group) => group.includes(last));
  return with_.map((group) => [group, there(group) / group.length]).sort((a, b) => b[1] - a[1]).slice(0, KEYS).map(([group]) => group);
}
