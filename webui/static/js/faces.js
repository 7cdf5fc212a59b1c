// Drawn cards, from the deck's sprite.
import { svg } from "./dom.js";
import { cardName } from "./words.js";

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

/** A row of drawn cards. */
export function faceRow(deck, codes) {
  const row = document.createElement("div");
  row.className = "faces";
  row.append(...codes.map((code) => face(deck, code)));
  return row;
}
