// A new table: who played before sits down with a tap.
// @ts-nocheck: not typed yet
import "./games.js";

const fields = [...document.querySelectorAll("[data-names] input[type=text]")];
const known = document.getElementById("known");
const said = () => fields.map((field) => field.value.trim());

/** Who sits already need not be offered. */
function draw() {
  for (const button of known.querySelectorAll("[data-known]")) button.hidden = said().includes(button.dataset.known);
  known.hidden = !known.querySelector("[data-known]:not([hidden])") || said().every(Boolean);
}

if (known) {
  for (const button of known.querySelectorAll("[data-known]")) {
    button.addEventListener("click", () => {
      const field = fields.find((one) => !one.value.trim());
      if (field) field.value = button.dataset.known;
      draw();
    });
  }
  for (const field of fields) field.addEventListener("input", draw);
  draw();
}
