// The three steps of a hand, by the address: #scan, #check, #score; the phone's back button leads back.
// @ts-nocheck: not typed yet
import { byId } from "./dom.js";
import { state } from "./state.js";

const STEPS = ["scan", "check", "score"];
const drawers = {};

/** What draws a step when it is gone to. */
export const onStep = (name, draw) => (drawers[name] = draw);

export const shows = (name) => !byId(`step-${name}`).hidden;

/** Show the step of the address; without a game there is only the first. */
export function step() {
  const wanted = location.hash.slice(1);
  const now = STEPS.includes(wanted) && state.rules ? wanted : "scan";
  for (const name of STEPS) byId(`step-${name}`).hidden = name !== now;
  drawers[now]();
  window.scrollTo(0, 0);
}

export const go = (name) => (location.hash === `#${name}` ? step() : (location.hash = name));

window.addEventListener("hashchange", () => {
  step();
  // For who does not see it: the new step begins at its title.
  const title = document.querySelector(".step:not([hidden]) h1");
  title.tabIndex = -1;
  title.focus({ preventScroll: true });
});
