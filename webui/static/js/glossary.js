// A word of a game, explained where it is tapped: the text stands on the page of the game's words.
import { el } from "./dom.js";

/** Show what the word behind a link means. */
export async function explain(link) {
  const answer = await fetch(link.pathname);
  const there = new DOMParser().parseFromString(await answer.text(), "text/html");
  const word = there.getElementById(decodeURIComponent(link.hash.slice(1)));
  const title = el("h2", { id: "word-title", tabindex: -1 }, word.textContent);
  const dialog = el(
    "dialog",
    { class: "sheet word", "aria-labelledby": "word-title", onclose: () => dialog.remove(), onclick: () => dialog.close() },
    title,
    el("p", {}, word.nextElementSibling.textContent),
    el("p", {}, el("a", { href: link.pathname }, there.querySelector("h1").textContent)),
  );
  document.body.append(dialog);
  dialog.showModal();
  title.focus();
}
