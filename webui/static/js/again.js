// Asking again while there is no connection: what is written down carries a key, so nothing is written twice.
const WAITS_MS = [1000, 2000, 4000, 8000, 15000];
const sleep = (ms) => new Promise((done) => setTimeout(done, ms));

/** The answer to a request; while there is none `tell()` is called and it is sent again, for half a minute. */
export async function fetchAgain(url, request, tell) {
  for (const wait of WAITS_MS) {
    try {
      return await fetch(url, request);
    } catch {
      tell();
      await sleep(wait);
    }
  }
  return fetch(url, request);
}
