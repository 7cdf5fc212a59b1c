// The ledger's forms: sent once however often they are tapped, sent again when the answer is lost.
// @ts-nocheck: not typed yet
import { toast } from "./dom.js";
import { filledIn } from "./fields.js";
import { ask, askAgain, unanswered } from "./request.js";
import { _ } from "./words.js";

const LOOK_EVERY_MS = 7000;

function notice(form, text) {
  let line = document.getElementById("error");
  if (!line) {
    line = document.createElement("p");
    line.id = "error";
    line.className = "notice error";
    line.setAttribute("role", "alert");
    form.closest("details")?.prepend(line) ?? form.before(line);
  }
  line.textContent = text;
  line.hidden = !text;
  if (text) line.scrollIntoView({ block: "nearest" });
}

/** The answer to a form; asks again with the same key while there is no connection. */
function send(form) {
  const request = { method: "POST", body: new FormData(form) };
  return askAgain(form.action, request, () => notice(form, _("No connection. Trying again…")));
}

function go(url) {
  const there = new URL(url, location.href);
  const same = there.pathname === location.pathname && there.search === location.search;
  if (!same) return location.assign(there.href);
  history.replaceState(null, "", there.href); // another hash alone would load nothing
  location.reload();
}

/** What the server refused; a table that changed meanwhile can be saved to again from what it is now. */
function refused(form, error) {
  form.dispatchEvent(new Event("refused"));
  if (error.code === "conflict" && error.body.version) form.elements.base.value = error.body.version;
  notice(form, error.sentence ?? error.body?.error?.message ?? _("Something went wrong in paiyan. Look whether what you did last was saved."));
}

async function submit(event) {
  const form = event.currentTarget;
  event.preventDefault();
  if (!filledIn(form)) return;
  if (form.dataset.sending) return;
  form.dataset.sending = "1";
  form.classList.add("working");
  try {
    const { url } = await send(form);
    form.dispatchEvent(new Event("saved"));
    return go(url);
  } catch (error) {
    if (unanswered(error)) notice(form, _("Not saved yet: the computer that runs paiyan can't be reached. Tap again in a moment; nothing will be written twice."));
    else refused(form, error);
  }
  delete form.dataset.sending;
  form.classList.remove("working");
}

for (const form of document.querySelectorAll("form[data-once]")) {
  form.noValidate = true;
  form.addEventListener("submit", submit);
}

// Another device may write at the same table.
const bar = document.querySelector("[data-table]");
async function look() {
  if (document.hidden) return;
  try {
    const { version } = await ask(bar.dataset.table);
    document.querySelector("[data-stale]").hidden = String(version) === bar.dataset.version;
  } catch {
    // Without a connection there is nothing newer to show.
  }
}
if (bar) {
  setInterval(look, LOOK_EVERY_MS);
  document.addEventListener("visibilitychange", look);
}

// Where the page comes back as far down as it was, what was written down is said there.
const told = document.querySelector(".notice.good");
addEventListener("load", () => requestAnimationFrame(() => told?.getBoundingClientRect().bottom < 0 && toast(told.textContent)));

for (const time of document.querySelectorAll("time[data-clock]")) {
  time.textContent = new Date(time.dateTime).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", hour12: false });
}

// A round that the address names is shown open.
const named = location.hash.startsWith("#round-") && document.getElementById(location.hash.slice(1));
if (named) named.open = true;

// The settlement as a picture; few want it, so what draws it comes when it is wanted.
for (const button of document.querySelectorAll("[data-share-picture]")) {
  button.hidden = false;
  button.addEventListener("click", () => import("./games_picture.js").then(({ shareSettlement }) => shareSettlement(button.dataset)).catch(() => toast(_("Sharing did not work here."))));
}

for (const button of document.querySelectorAll("[data-share-text]")) {
  button.hidden = !navigator.share && !navigator.clipboard;
  button.addEventListener("click", async () => {
    const { text } = button.dataset;
    if (navigator.share) return navigator.share({ text }).catch(() => {});
    await navigator.clipboard.writeText(text);
    toast(_("Copied"));
  });
}
