// Keeps the shell (styles, scripts, drawn cards, the sentence for no network); never photos, pages or answers.
// @ts-nocheck: not typed yet
const SHELL = "paiyan-shell-1";
const OFFLINE = "/offline";
const kept = (url) => url.pathname.startsWith("/static/") && !url.pathname.startsWith("/static/samples/");
const drawn = (url) => url.pathname.startsWith("/faces/") || url.pathname.startsWith("/icons/");

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(SHELL).then((cache) => cache.addAll([OFFLINE, "/static/paiyan.css", "/static/icons/seal.svg", "/static/icons/icons.svg"])));
  self.skipWaiting();
});

self.addEventListener("activate", (event) => {
  const old = (names) => Promise.all(names.filter((name) => name !== SHELL).map((name) => caches.delete(name)));
  event.waitUntil(caches.keys().then(old).then(() => self.clients.claim()));
});

/** From the network, and remembered; from memory where there is no network. */
async function fresh(request) {
  const cache = await caches.open(SHELL);
  try {
    const answer = await fetch(request);
    if (answer.ok) await cache.put(request, answer.clone());
    return answer;
  } catch (error) {
    const found = await cache.match(request);
    if (found) return found;
    throw error;
  }
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== location.origin) return;
  if (request.mode === "navigate") event.respondWith(fetch(request).catch(() => caches.match(OFFLINE)));
  else if (kept(url) || drawn(url)) event.respondWith(fresh(request));
});
