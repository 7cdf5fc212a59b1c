// The count: the piles go to the server at each change and come back as a score.
// @ts-nocheck: not typed yet
import { byId, el, icon } from "./dom.js";
import { later, post, unanswered } from "./request.js";
import { answers, canRedo, cardOf, deck, state, undo } from "./state.js";
import { _, withNames } from "./words.js";

/** What the server said last: {hand, kinds, score | error, waits}; null while there is no card. */
export let result = null;
let asked = 0;
let timer = null;
let callOff = () => {}; // the next try, while there is no answer
const listeners = [];

export const onResult = (listener) => listeners.push(listener);
const tell = (busy = false) => listeners.forEach((listener) => listener(busy));

const question = () => ({
  rules: state.rules,
  piles: state.piles.map((pile) => ({ cards: pile.cards.map((card) => card.code), table: pile.table, kind: pile.kind })),
  winning: state.winning === null ? null : (cardOf(state.winning)?.code ?? null),
  facts: answers("facts"),
  options: answers("options"),
});

async function ask(quietly) {
  const number = ++asked;
  callOff();
  if (!state.rules || !state.piles.length) {
    result = null;
    return tell();
  }
  if (!quietly) tell(true);
  try {
    const found = await post("/api/hand", question());
    if (number === asked) result = found;
  } catch (error) {
    if (number !== asked) return;
    result = { kinds: [], hand: null, error: unanswered(error) ? { code: "uncounted" } : error };
    if (unanswered(error)) callOff = later(() => ask(true));
  }
  if (number === asked) tell();
}

/** Count again soon; several changes in a row are counted once. */
export function recount() {
  clearTimeout(timer);
  timer = setTimeout(ask, 40);
}

/** Whether a count is worth a round: it wins, or it was called falsely. */
export const recordable = ({ score } = {}) => Boolean(score?.wins || score?.fault);

let before = null; // the winning hand that was counted last, {hand, total}: its notation, what it comes to in words

/** Take note of what the hand comes to now, null where it does not win; say what that changed unless it is `known`. */
export function sayChange(now, known = false) {
  if (before && now?.hand === before.hand && now.total === before.total) return;
  const other = before && now && now.hand !== before.hand && !known;
  const changed = other && !canRedo(); // what was just taken back needs no word
  const words = changed && (before.total === now.total ? _("Still {now}", { now: now.total }) : `${before.total} → ${now.total}`);
  byId("changed").replaceChildren(...(changed ? [el("p", {}, words, el("button", { type: "button", class: "plain", onclick: undo }, icon("undo"), _("Undo")))] : []));
  before = now;
}

/** That a hand has too many or too few cards; `takes` is the fewest and the most of one that wins, where known. */
function wrongCount(takes) {
  if (!takes) return _("The number of cards fits no winning hand.");
  const [fewest, most] = takes;
  if (fewest === most) return _("Wrong number of cards: a winning hand has {n}.", { n: most });
  return _("Wrong number of cards: a winning hand with these groups has {fewest} to {most}.", { fewest, most });
}

/** What is wrong, in the page's language; `error` is the API's. */
export function sentence(error) {
  const culprit = withNames(deck(), error.culprit ?? "");
  const said = {
    wrong_card_count: wrongCount(error.takes),
    too_many_copies: _("More of {card} than the deck holds.", { card: culprit }),
    impossible_meld: _("{card} is no group of this game.", { card: culprit || "—" }),
    unknown_card: _("This game has no card {card}.", { card: culprit }),
    unknown_kind: _("This game has no group of that name."),
    bad_fact: _("A statement about this table can't be true in this game."),
    contradicting_facts: _("The statements about this table contradict the hand or each other."),
    bad_option: _("A house rule has a value that it can't have."),
    offline: _("The computer that runs paiyan can't be reached."),
    uncounted: _("The computer that runs paiyan can't be reached. Trying again…"),
    busy: _("Too many photos are being read; try again in a few seconds."),
    empty_file: _("The file is empty."),
    not_an_image: _("This is no photo that can be read here (JPEG, PNG, WebP or HEIC)."),
    unsupported_type: _("This is no photo that can be read here (JPEG, PNG, WebP or HEIC)."),
    too_large: _("The photo is larger than 12 MB."),
    too_many_pixels: _("The photo has too many pixels (more than 50 million)."),
    damaged_image: _("The photo is damaged or was cut short."),
    too_many_scans: _("This photo is stored in a way that takes too long to open; save it again as a JPEG."),
    moving_picture: _("This picture moves; take a still one."),
    took_too_long: _("This photo took too long; take one that shows less."),
    no_networks: _("Photos can't be read: a file of paiyan is missing or damaged. Install it again."),
    too_many_cards: _("These are more cards than a deck can have; leave a photo out."),
    csrf: _("This page is too old; load it again and repeat what you did."),
    internal_error: _("Something went wrong in paiyan. Look whether what you did last was saved."),
  }[error.code];
  return said ?? error.message ?? _("Something went wrong in paiyan. Look whether what you did last was saved.");
}

/** What sends so many photos once more. */
export const sendAgain = (n) => (n > 1 ? _("Send the {n} photos again", { n }) : _("Send the photo again"));
