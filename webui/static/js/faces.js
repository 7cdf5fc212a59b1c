// Drawn cards, from the deck's sprite.
import { el, svg } from "./dom.js";
import { _, cardName } from "./words.js";

/**
 * A drawn card of 60 x 120 units, or its upper half.
 * With `silent` it is decoration: whoever holds it has a label of its own.
 */
export function face(deck, code, { half = false, silent = false } = {}) {
  const card = code.split("=")[0];
  const label = silent ? { "aria-hidden": "true" } : { role: "img", "aria-label": cardName(deck, code) };
  const box = half ? "0 0 60 62" : "0 0 60 120";
  return svg(
    "svg",
    { class: half ? "face half" : "face", viewBox: box, ...label },
    svg("use", { href: `/faces/${deck}.svg#${card}`, width: 60, height: 120 }),
  );
}

/** A row of drawn cards; the first that is `won` gets the winning card's mark. */
export function faceRow(deck, codes, won = null) {
  const at = codes.findIndex((code) => code.split("=")[0] === won);
  const drawn = (code, n) => (n === at ? el("span", { class: "won" }, face(deck, code), el("span", { class: "unseen" }, _("winning card"))) : face(deck, code));
  return el("div", { class: "faces" }, codes.map(drawn));
}
