// Cataloguing a deck: photos in, a grid of faces with what is there, missing and double.
import { sendAgain, sentence } from "./count.js";
import * as deck from "./decks_state.js";
import { byId, el, icon } from "./dom.js";
import { face } from "./faces.js";
import { fitting } from "./photos.js";
import { always, keepPhoto } from "./keep.js";
import { later, mayPass, unanswered, untilDone } from "./request.js";
import { cardCount, cardName, deckOf, _ } from "./words.js";

const { catalogue } = deck;
const { saved, key } = byId("start").dataset; // `saved`: the address of the saved deck that gets further photos
const dialog = byId("sheet");

/* ---- the sheet ---- */

function open(title, ...parts) {
  byId("sheet-title").textContent = title;
  byId("sheet-body").replaceChildren(...parts.flat(3).filter(Boolean));
  if (!dialog.open) dialog.showModal();
  dialog.scrollTop = 0;
  byId("sheet-title").focus();
}
dialog.querySelector("[data-close]").addEventListener("click", () => dialog.close());
dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());

const button = (text, onclick, attributes = {}) => el("button", { type: "button", class: "plain", onclick, ...attributes }, text);

function keypad(choose) {
  const key = ([code, name]) =>
    el(
      "button",
      { type: "button", class: "key", "data-code": code, "aria-label": name, onclick: () => choose(code) },
      face(catalogue.deck, code, { half: true, silent: true }),
      el("span", { "aria-hidden": "true" }, name),
    );
  return el("div", { class: `keypad of-${catalogue.deck}`, role: "group", "aria-label": _("All cards") }, deckOf(catalogue.deck).faces.map(key));
}

const changed = () => (dialog.close(), update());

/** One card: its picture, what it may be, the whole deck; `then` opens what comes next. */
function openCard(card, then = null) {
  const say = (code) => {
    deck.setCode(card, code);
    next();
  };
  const next = () => (then ? update().then(then) : changed());
  const guesses = (card.alternatives.length ? card.alternatives : [[card.code, card.p]]).slice(0, 4);
  const guess = ([code, p]) =>
    el(
      "button",
      { type: "button", class: "guess", "data-code": code, "aria-pressed": String(code === card.code), onclick: () => say(code) },
      face(catalogue.deck, code, { half: true, silent: true }),
      el("span", {}, cardName(catalogue.deck, code)),
      p !== null && el("span", { class: "percent" }, `${Math.round(p * 100)}%`),
    );
  open(
    _("Which card is this?"),
    el("div", { class: "look" }, el("img", { class: "big-cut", src: card.image, alt: _("The card on the photo") }), el("div", { class: "guesses" }, guesses.map(guess))),
    keypad(say),
    el("div", { class: "sheet-acts" }, button(_("No card of this deck"), () => (deck.noCard(card), next()))),
  );
}

/** A card's own picture, or the drawn one where none was kept. */
const picture = (card) => (card.image ? el("img", { src: card.image, alt: "", width: 60, height: 88 }) : face(catalogue.deck, card.code, { silent: true }));

function openFace(code) {
  const there = deck.cardsOf(code);
  const one = (card) =>
    button([picture(card), card.counts ? "" : _("seen twice")], () => openCard(card), {
      "aria-label": _("Look at this {card}", { card: cardName(catalogue.deck, code) }),
      disabled: card.kept,
    });
  open(
    `${cardName(catalogue.deck, code)} · ${catalogue.count?.counts[code] ?? 0}/${catalogue.count?.wanted[code] ?? 0}`,
    there.length ? el("div", { class: "crop-row" }, there.map(one)) : el("p", {}, _("None was seen in the photos.")),
  );
}

function openForeign(other) {
  open(
    _("Is this a card of the deck?"),
    el("div", { class: "look" }, el("img", { class: "big-cut", src: other.image, alt: _("The card on the photo") }), el("p", {}, _("If so, tap which one."))),
    keypad((code) => (deck.isCard(other, code), changed())),
  );
}

/** Which cards of a photo were counted in the ones before: of those whose face was seen there, in the order of the deck. */
function openSome(photo) {
  photo.relation = "some";
  const seen = deck.repeatable(photo);
  const order = deckOf(catalogue.deck).faces.map(([code]) => code);
  seen.sort((one, other) => order.indexOf(one.code) - order.indexOf(other.code));
  const toggle = (card) =>
    button(el("img", { src: card.image, alt: "", width: 54, height: 80 }), (event) => {
      card.counts = !card.counts;
      event.currentTarget.setAttribute("aria-pressed", String(!card.counts));
    }, { "aria-label": cardName(catalogue.deck, card.code), "aria-pressed": String(!card.counts) });
  open(
    _("Tap the cards that were counted already"),
    seen.length ? el("div", { class: "crop-row again" }, seen.map(toggle)) : el("p", {}, _("None was seen in the photos.")),
    el("div", { class: "sheet-acts" }, button(_("Done"), changed, { class: "" })),
  );
}

/* ---- drawing ---- */

const RELATIONS = { more: "Further cards", same: "The same cards again", some: "Some of them again" };

function relate(photo, relation) {
  if (relation === "some") return openSome(photo);
  photo.relation = relation;
  for (const card of photo.cards) card.counts = true;
  return update();
}

/** The photos that a saved deck had before, in one row. */
function keptRow(photos) {
  const number = photos.reduce((total, photo) => total + photo.cards.length, 0);
  return el("li", {}, el("span", { class: "before" }, icon("decks")), el("span", {}, el("b", {}, _("Saved before")), el("br"), cardCount(number)));
}

function photoRow(photo, n) {
  const open = photo.relation === null;
  const says = n === 0 || open ? "" : _(RELATIONS[photo.relation]);
  const twin = deck.twin(photo);
  const ask = el(
    "div",
    { class: "relation", role: "group", "aria-label": _("What does photo {n} show?", { n: n + 1 }) },
    twin && el("p", { class: "amber" }, twin.kept ? _("This photo was saved with the deck before.") : _("This looks like photo {n} once more.", { n: catalogue.photos.indexOf(twin) + 1 })),
    el("b", {}, _("What does photo {n} show?", { n: n + 1 })),
    button(_("Further cards"), () => relate(photo, "more"), { "data-relation": "more" }),
    button(_("The same cards again"), () => relate(photo, "same"), { "data-relation": "same" }),
    button(_("Some of them again"), () => relate(photo, "some"), { "data-relation": "some" }),
  );
  return el(
    "li",
    { class: open ? "open" : "" },
    el("img", { src: photo.url, alt: "" }),
    el("span", {}, el("b", {}, _("Photo {n}", { n: n + 1 })), el("br"), cardCount(photo.cards.length), says && el("small", {}, el("br"), says)),
    el(
      "span",
      {},
      n > 0 && !open && el("button", { type: "button", class: "round", "aria-label": _("Say again what photo {n} shows", { n: n + 1 }), onclick: () => ((photo.relation = null), update()) }, icon("undo")),
      el("button", { type: "button", class: "round", "aria-label": _("Leave photo {n} out", { n: n + 1 }), onclick: () => (deck.remove(photo), update()) }, icon("bin")),
    ),
    open && ask,
  );
}

function cell([code, name], count) {
  const have = count.counts[code] ?? 0;
  const due = count.wanted[code] ?? 0;
  if (!have && !due) return null;
  const first = deck.cardsOf(code)[0];
  const state = have < due ? _("{n} missing", { n: due - have }) : have > due ? _("{n} too many", { n: have - due }) : "";
  return el(
    "li",
    { class: `cell${have < due ? " missing" : have > due ? " extra" : ""}`, "data-code": code },
    el(
      "button",
      { type: "button", class: first ? "" : "none", "aria-label": [name, `${have}/${due}`, state].filter(Boolean).join(", "), onclick: () => openFace(code) },
      first?.image ? el("img", { class: "cut", src: first.image, alt: "" }) : face(catalogue.deck, code, { silent: true }),
      el("span", { class: "cell-name" }, name),
      el("b", { class: "cell-count" }, String(have), el("small", {}, `/${due}`)),
    ),
  );
}

function drawDoubts() {
  const doubts = deck.doubtful();
  byId("doubts").hidden = !doubts.length;
  byId("doubts-title").textContent = _("{n} to look at", { n: doubts.length });
  const next = () => (deck.doubtful().length ? openCard(deck.doubtful()[0], next) : dialog.close());
  const one = (card) =>
    el(
      "button",
      { type: "button", "aria-label": _("Is this {card}?", { card: cardName(catalogue.deck, card.code) }), onclick: () => openCard(card, next) },
      el("img", { class: "crop", src: card.image, alt: "" }),
      `${cardName(catalogue.deck, card.code)}?`,
    );
  byId("doubt-row").replaceChildren(...doubts.slice(0, 30).map(one));
}

function drawCount() {
  const { count } = catalogue;
  byId("result").hidden = !count;
  if (!count) return;
  const sum = (numbers) => Object.values(numbers).reduce((total, number) => total + number, 0);
  const [all, missing, extra] = [sum(count.counts), sum(count.missing), sum(count.extra)];
  byId("result-title").textContent = `${deckOf(count.deck).name} · ${cardCount(all)}`;
  byId("result-says").replaceChildren(
    missing ? el("span", { class: "gain" }, _("{n} missing", { n: missing })) : "",
    extra ? el("span", { class: "amber" }, _("{n} too many", { n: extra })) : "",
    missing || extra ? "" : el("span", { class: "loss" }, _("complete")),
  );
  const choice = byId("composition");
  const names = JSON.parse(byId("kind").querySelector(`[value=${count.deck}]`).dataset.compositions);
  choice.replaceChildren(
    el("option", { value: "" }, count.nearest ? _("the nearest ({name})", { name: count.composition }) : _("the nearest")),
    ...names.map((name) => el("option", { value: name, selected: catalogue.composition === name }, name)),
  );
  byId("grid").replaceChildren(...deckOf(count.deck).faces.map((one) => cell(one, count)).filter(Boolean));
}

function drawForeign() {
  const others = deck.foreign();
  byId("foreign").hidden = !others.length;
  byId("foreign-title").textContent = _("{n} that are no cards of this deck", { n: others.length });
  byId("foreign-row").replaceChildren(
    ...others.map((other, n) => button(el("img", { src: other.image, alt: "", width: 54, height: 80 }), () => openForeign(other), { "aria-label": _("Foreign card {n}", { n: n + 1 }) })),
  );
}

/** A sentence about a photo; of several that were chosen together its number and a small picture say which. `again` offers another try. */
function notice(text, { kind = "error", photo = null, again = null } = {}) {
  const drop = (event) => event.target.remove(); // what is no picture can't be shown
  const which = photo?.all > 1 && [el("img", { src: URL.createObjectURL(photo.file), alt: "", onerror: drop }), el("b", {}, _("Photo {n} of {all}", photo), ": ")];
  byId("notices").append(el("div", { class: `notice ${kind}` }, el("p", {}, which, text), again && button(...again)));
}

let uncounted = () => {}; // calls off the next try to count

/** Count anew; while there is no answer the count before stands, and it is asked again by itself. */
async function count() {
  uncounted();
  const said = byId("uncounted");
  try {
    await deck.recount();
    said.hidden = true;
  } catch (error) {
    said.textContent = error.sentence ?? sentence(unanswered(error) ? { code: "uncounted" } : error);
    said.hidden = false;
    if (unanswered(error)) uncounted = later(update);
  }
}

async function update() {
  byId("photos").hidden = !catalogue.photos.length;
  const before = catalogue.photos.filter((photo) => photo.kept);
  const rows = catalogue.photos.map((photo, n) => !photo.kept && photoRow(photo, n)).filter(Boolean);
  byId("photo-list").replaceChildren(...(before.length ? [keptRow(before)] : []), ...rows);
  if (saved) byId("save").hidden = !rows.length;
  deck.keepUnsaved();
  await count();
  drawDoubts();
  drawCount();
  drawForeign();
}

/* ---- photos in ---- */

/** What is going on, shown at `place`; without a text nothing is. */
function progress(place, text = null, share = null) {
  const bar = byId(place).querySelector("progress");
  byId(place).hidden = text === null;
  byId(place).querySelector("span").textContent = text ?? "";
  if (share === null) bar.removeAttribute("value");
  else bar.value = share;
}

async function takeOne(photo) {
  const blob = await fitting(photo.file);
  const which = photo.all > 1 ? ` (${photo.n}/${photo.all})` : "";
  const going = (share) => (share < 1 ? progress("reading", _("Sending the photo…") + which, share) : progress("reading", _("Reading the cards…") + which));
  going(0);
  const wanted = catalogue.deck ?? byId("kind").value;
  const answer = await deck.read(blob, wanted, going);
  const { deck: found, others } = answer.reading;
  if (wanted !== "auto" && found !== wanted && (found || others.length)) {
    return notice(_("No {deck} were found in this photo; it is left out.", { deck: deckOf(wanted).name }), { kind: "warning", photo });
  }
  if (!found) return notice(_("No card was found in this photo."), { kind: "warning", photo });
  catalogue.deck = found;
  deck.add(blob, answer);
}

/** Say why a photo could not be read, and offer to send it and what waits behind it again where that may pass. */
function failed(error, photo, files) {
  const again = mayPass(error) ? [sendAgain(files.length), () => take(files)] : null;
  notice(sentence(error), { photo, again });
}

async function take(files) {
  const most = Number(byId("start").dataset.most);
  byId("notices").replaceChildren();
  for (const [n, file] of files.entries()) {
    if (catalogue.photos.length >= most) {
      notice(_("A deck has {n} photos at most; further ones are left out.", { n: most }), { kind: "warning" });
      break;
    }
    const photo = { file, n: n + 1, all: files.length };
    const error = await takeOne(photo).then(() => null, (why) => why);
    if (error && unanswered(error)) {
      failed(error, photo, files.slice(n));
      break;
    }
    if (error) failed(error, photo, [file]);
    await update();
  }
  progress("reading");
  byId("photo-list").querySelector(".relation button")?.focus();
}

for (const id of ["take", "choose"]) {
  byId(id).addEventListener("change", (event) => {
    const files = [...event.target.files];
    event.target.value = "";
    take(files);
  });
}
byId("composition").addEventListener("change", (event) => {
  catalogue.composition = event.target.value;
  update();
});

/* ---- saving ---- */

const says = (text) => Object.assign(byId("save-says"), { textContent: text, hidden: !text });

/** What the save was refused for; a deck that changed meanwhile is taken up again, and the photos wait for another tap. */
async function refused(error) {
  if (unanswered(error)) return _("Not saved yet: the computer that runs paiyan can't be reached. Tap again in a moment; nothing will be written twice.");
  if (["too_large", "too_many_pixels", "took_too_long"].includes(error.code)) return _("These photos are too much at once. Switch off learning and keeping the photos and save again, or leave one out.");
  if (saved && error.code === "conflict") {
    await deck.takeUp(saved);
    await update();
  }
  return error.sentence ?? sentence(error);
}

/** Keep photos of the saved deck with what the user says lies on them; that this fails loses nothing of the deck. */
async function keepToMeasure(photos) {
  const name = byId("start").dataset.name ?? catalogue.name;
  const truth = (photo) => photo.cards.map(({ code, quad }, pile) => ({ code, pile, ends: [quad] }));
  for (const photo of photos) {
    await keepPhoto(photo.blob, { deck: catalogue.deck, name, layout: "spread", remarks: [], cards: truth(photo) }).catch(() => null);
  }
}

byId("save").addEventListener("submit", async (event) => {
  event.preventDefault();
  const form = event.currentTarget;
  if (form.dataset.sending) return;
  if (deck.undecided().length) {
    byId("photo-list").querySelector(".relation button")?.focus();
    return says(_("First say for each photo what it shows."));
  }
  form.dataset.sending = "1";
  says("");
  form.classList.add("working");
  const going = byId("teach").checked ? _("Saving, and learning the print…") : _("Saving…");
  progress("saving", going);
  try {
    const wish = { teach: byId("teach").checked, crops: byId("crops").checked, keep: byId("keep").checked };
    const photos = deck.fresh();
    const { url } = await deck.save(saved, wish, (share) => progress("saving", going, share < 1 ? share : null));
    if (byId("measure").checked) await keepToMeasure(photos);
    location.replace(url);
  } catch (error) {
    progress("saving");
    delete form.dataset.sending;
    form.classList.remove("working");
    says(await refused(error));
  }
});
byId("name")?.addEventListener("input", (event) => {
  catalogue.name = event.target.value;
  deck.keepUnsaved();
});
// What is kept is what was read; a photo on its way would be lost.
addEventListener("beforeunload", (event) => byId("reading").hidden || event.preventDefault());

byId("measure").checked = always();
catalogue.key = key;
await deck.takeUpUnsaved();
if (saved) {
  await untilDone(() => deck.takeUp(saved), () => (byId("unreachable").hidden = false));
  byId("unreachable").hidden = true;
} else byId("name").value = catalogue.name;
await update();
document.documentElement.dataset.ready = "true";
