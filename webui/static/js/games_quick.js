// A round from the table's page: tap who won, type or tap the number, done.
// @ts-nocheck: not typed yet
import "./games.js";
import { askCount, noCount, paysAlone, showCount, soon } from "./games_count.js";
import { byId } from "./dom.js";

const form = document.querySelector(".quick");
const more = form.querySelector(".quick-more");
const number = more.querySelector("input[type=number]");
const { drawer } = form.elements;

async function count() {
  if (!form.checkValidity()) return noCount();
  const body = await askCount();
  if (body) showCount(body);
}

/** Only who did not win can pay alone, and only where the game says so of this round. */
function drawDrawer() {
  if (!drawer) return;
  byId("drew").hidden = !paysAlone(byId("drew").dataset);
  for (const choice of drawer.options) choice.disabled = choice.value !== "" && choice.value === form.elements.winner.value;
}

for (const radio of form.querySelectorAll("[name=winner]")) {
  radio.addEventListener("change", () => {
    number?.focus();
    more.querySelector("button.main").scrollIntoView({ block: "nearest" });
  });
}
for (const button of form.querySelectorAll("[data-usual]")) {
  button.addEventListener("click", () => {
    number.value = button.dataset.usual;
    form.dispatchEvent(new Event("input"));
  });
}
form.addEventListener("input", () => (drawDrawer(), soon(count)));
drawDrawer();
