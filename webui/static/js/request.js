// What is asked of the computer that runs paiyan. Every request ends: with its answer, or with an Error whose `code` has a sentence.
// @ts-nocheck: not typed yet
const ANSWER_MS = 20000; // for an answer, and for a photo on its way to go on
const READING_MS = 90000; // for a photo that has arrived: others may be read before it
const AGAIN_MS = 5000;
const WAITS_MS = [1000, 2000, 4000, 8000, 15000];
const LONGEST_MS = 60000; // from the first try to the last one
const BUSY_TRIES = 5;
const BUSY_WAIT_MS = 2500;

const sleep = (ms) => new Promise((done) => setTimeout(done, ms));

const failed = (code, body = null) => Object.assign(new Error(body?.error?.message ?? code), { code, body, sentence: body?.error?.sentence });

/** Whether the computer could not be reached, or did not answer in time. */
export const unanswered = (error) => error.code === "offline";

/** Whether the same may succeed another time. */
export const mayPass = (error) => ["offline", "busy", "internal_error"].includes(error.code);

export const csrfToken = () => document.querySelector("meta[name=csrf-token]").content;

/** The answer to a request, as JSON or as `read` makes it; refused, an Error with `code`, `body` and `sentence`; without one, "offline". */
export async function ask(url, request = {}, read = (answer) => answer.json()) {
  const over = new AbortController();
  const timer = setTimeout(() => over.abort(), ANSWER_MS);
  const headers = { Accept: "application/json", ...request.headers };
  const found = await fetch(url, { ...request, headers, signal: over.signal })
    .then(async (answer) => ({ ok: answer.ok, body: await read(answer) }))
    .catch((error) => {
      throw failed(error instanceof SyntaxError ? "internal_error" : "offline");
    })
    .finally(() => clearTimeout(timer));
  if (!found.ok) throw failed(found.body?.error?.code ?? "internal_error", found.body);
  return found.body;
}

const postOf = (body, headers) => ({ method: "POST", headers: { "Content-Type": "application/json", ...headers }, body: JSON.stringify(body) });

/** Post JSON, by `send` where that is not once; what is answered. */
export const post = (url, body, { token = false, send = ask } = {}) => send(url, postOf(body, token ? { "X-CSRFToken": csrfToken() } : {}));

/** The same as `ask`; while there is no answer `tell()` is called and it is asked again, for about a minute. */
export async function askAgain(url, request, tell) {
  const end = Date.now() + LONGEST_MS;
  for (const wait of WAITS_MS) {
    try {
      return await ask(url, request);
    } catch (error) {
      if (!unanswered(error) || Date.now() > end) throw error;
      tell();
      await sleep(wait);
    }
  }
  return ask(url, request);
}

/** Call `work` soon, or as soon as the browser finds the network again; gives what calls that off. */
export function later(work) {
  const off = () => (clearTimeout(timer), removeEventListener("online", now));
  const now = () => (off(), work());
  const timer = setTimeout(now, AGAIN_MS);
  addEventListener("online", now);
  return off;
}

/** What `work` gives, done again and again until it succeeds; `tell(error)` each time that it fails. */
export async function untilDone(work, tell) {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      tell(error);
      await new Promise(later);
    }
  }
}

/** Post a form with some `photos`; `progress(share)` while it goes up, share 1 when the server has it. */
export function upload(url, form, progress = () => {}, photos = 1) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    let timer = null;
    const within = (ms) => {
      clearTimeout(timer);
      timer = setTimeout(() => request.abort(), ms);
    };
    request.open("POST", url);
    request.setRequestHeader("Accept", "application/json");
    request.setRequestHeader("X-CSRFToken", csrfToken());
    request.responseType = "json";
    request.upload.onprogress = (event) => {
      within(ANSWER_MS);
      progress(event.loaded / Math.max(event.total, 1));
    };
    request.upload.onload = () => within(photos * READING_MS);
    request.onloadend = () => clearTimeout(timer);
    request.onerror = request.onabort = () => reject(failed("offline"));
    request.onload = () => {
      const body = request.response;
      if (request.status < 300 && body) resolve(body);
      else reject(failed(body?.error?.code ?? "internal_error", body));
    };
    within(ANSWER_MS);
    request.send(form);
  });
}

/** What `work` gives, asked again some times while the server is busy with other photos. */
export async function patiently(work) {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (error.code !== "busy" || tries === BUSY_TRIES) throw error;
      await sleep(BUSY_WAIT_MS);
    }
  }
}
