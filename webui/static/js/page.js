// What every room does: light and type as they are chosen, and the service worker where the browser allows one.
// @ts-nocheck: not typed yet
const COOKIE_SECONDS = 400 * 24 * 3600;
const settings = document.getElementById("settings");

function choose({ set, value }) {
  document.documentElement.dataset[set] = value;
  document.cookie = `${set}=${value};path=/;max-age=${value ? COOKIE_SECONDS : 0};samesite=lax`;
  for (const one of settings.querySelectorAll(`[data-set=${set}]`)) one.setAttribute("aria-pressed", String(one.dataset.value === value));
}
for (const button of settings.querySelectorAll("[data-set]")) button.addEventListener("click", () => choose(button.dataset));
document.addEventListener("click", (event) => settings.contains(event.target) || (settings.open = false));
settings.addEventListener("keydown", (event) => event.key === "Escape" && (settings.open = false));

// A word of a game says what it means where it stands; without its script it is a link to the page of the game's words.
document.addEventListener("click", (event) => {
  const link = event.target.closest("a.term");
  if (!link) return;
  event.preventDefault();
  import("./glossary.js").then(({ explain }) => explain(link)).catch(() => location.assign(link.href));
});

if ("serviceWorker" in navigator && window.isSecureContext) {
  navigator.serviceWorker.register("/service-worker.js", { scope: "/" }).catch(() => null);
}

// The language changes and nothing else: the address may have changed since the page was sent, and the step stands behind its #.
for (const link of document.querySelectorAll("[data-language]")) {
  link.addEventListener("click", () => {
    const { pathname, search, hash } = location;
    link.href = `/language/${link.dataset.language}?next=${encodeURIComponent(pathname + search)}${hash}`;
  });
}
