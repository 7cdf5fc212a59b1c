// What is wrong with a field, said in the words of the page: the browser's own are in the browser's language.
import { el } from "./dom.js";
import { _ } from "./words.js";

const MONEY = /^[+\-\u2212]?(\d{1,10}([.,]\d{1,2})?|[.,]\d{1,2}|\d{0,10}[½¼¾])$/;

/** Whether a text is an amount of money as people type it. */
export const isMoney = (text) => MONEY.test(text.normalize("NFKC").replace("1\u20442", "½")) || MONEY.test(text.trim());

/** What is wrong with a field; null where nothing is. */
function wrongWith(field) {
  const { valueMissing, rangeUnderflow, rangeOverflow, badInput, stepMismatch } = field.validity;
  if (valueMissing) return field.type === "radio" || field.type === "file" ? _("Please choose.") : _("Please fill this in.");
  if (badInput || stepMismatch) return _("A whole number, please.");
  if (rangeUnderflow || rangeOverflow) return _("From {least} to {most}.", { least: field.min, most: field.max });
  if ("money" in field.dataset && field.value.trim() && !isMoney(field.value)) return _("Figures, with two places at most.");
  return null;
}

function show(field, said) {
  const id = `wrong-${field.name}`;
  document.getElementById(id)?.remove();
  if (said) field.setAttribute("aria-describedby", id);
  else field.removeAttribute("aria-describedby");
  field.setAttribute("aria-invalid", String(Boolean(said)));
  if (!said) return;
  const line = el("small", { class: "wrong", id, role: "alert" }, said);
  (field.closest(".fact, .people-row, .amount-row, .names li, label") ?? field).after(line);
  field.addEventListener("input", () => show(field, null), { once: true });
}

/** Whether everything in a form is filled in as it must be; else the first field that is not says what it needs. */
export function filledIn(form) {
  const fields = [...form.elements].filter((one) => one.willValidate);
  const wrong = fields.find((one) => wrongWith(one) !== null);
  if (!wrong) return true;
  show(wrong, wrongWith(wrong));
  const closed = wrong.closest("details:not([open])");
  if (closed) closed.open = true;
  wrong.focus({ preventScroll: true });
  wrong.scrollIntoView({ block: "center" });
  return false;
}
