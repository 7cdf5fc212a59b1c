"""The ledger in words: what was refused, what happened, amounts and times."""

from __future__ import annotations

import datetime
import re
import time
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import cast

from babel.dates import format_skeleton
from flask_babel import get_locale

import scorer
from webui.games.rounds import CountedOtherwise
from webui.games.rules import BadCount, DoesNotWin, HandRefused, NoSuchCount, rule_set, table_facts
from webui.language.languages import language
from webui.language.said import gettext, ngettext
from webui.ledger import money
from webui.ledger.changes import (
    Change,
    Created,
    DealerSet,
    Event,
    Json,
    OptionChanged,
    PlayerAway,
    PlayerJoined,
    PlayerRenamed,
    PlayerReplaced,
    Redone,
    Round,
    RoundAdded,
    RoundDeleted,
    RoundEdited,
    SeatsTaken,
    Undone,
)
from webui.ledger.errors import N_, BadField, LedgerError
from webui.ledger.fold import Ledger
from webui.ledger.money import Money
from webui.ledger.sheet_reader import BadRow
from webui.store.tables import Conflict, KeyReused, UnknownTable

MINUS = "\u2212"
# What the page calls the fields of forms and files that can be wrong.
FIELDS: Mapping[str, str] = {
    "stake": N_("Stake"),
    "seats": N_("Seats in a round"),
    "dealer_rule": N_("Who deals next"),
    "dealer": N_("Dealer"),
    "winner": N_("Winner"),
    "drawer": N_("Drew the winning card"),
    "seating": N_("Seats"),
    "person": N_("Name"),
    "hand": N_("The cards"),
    "cards": N_("The cards"),
    "facts": N_("At this table"),
    "options": N_("House rules of this table"),
    "score": N_("Total"),
    "payment": N_("Who pays whom"),
    "amounts": N_("Who gets, who pays how much?"),
    "time": N_("Time (UTC)"),
    "how": N_("How"),
}
OTHERWISE = N_(
    "Its hand counts otherwise then; the money stays as it was written. Look at that round and correct it."
)


def status_of(error: LedgerError) -> int:
    """HTTP status of what the ledger refuses."""
    if isinstance(error, UnknownTable):
        return 404
    return 409 if isinstance(error, Conflict | KeyReused | CountedOtherwise) else 422


def sentence(error: LedgerError) -> str:
    """What was refused, in the language of the page."""
    if isinstance(error, HandRefused):
        return hand_sentence(error)
    if isinstance(error, BadField) and error.values["field"] in FIELDS:
        return gettext(error.text, field=gettext(FIELDS[str(error.values["field"])]))
    if isinstance(error, DoesNotWin):
        return gettext(error.text, why=no_win_sentence(rule_set(error.rules_id), error.score))
    if isinstance(error, BadCount):
        return gettext(error.text, **error.values | {"what": error.asked.label.get(language())})
    if isinstance(error, NoSuchCount):
        return error.notice.text.get(language()).format(n=error.n)
    if isinstance(error, BadRow):
        return gettext(error.text, row=error.values["row"], why=sentence(error.why))
    return gettext(error.text, **error.values) if error.values else gettext(error.text)


def hand_sentence(refused: HandRefused) -> str:
    """What is wrong with a hand, in the language of the page."""
    error = refused.why
    said = {
        "bad_notation": gettext("“{card}” is no hand as it is written here.", card="{card}"),
        "wrong_card_count": wrong_count_sentence(error),
        "too_many_copies": gettext("More of {card} than the deck holds."),
        "impossible_meld": gettext("{card} is no group of this game."),
        "unknown_card": gettext("This game has no card {card}."),
        "unknown_kind": gettext("This game has no group of that name."),
        "bad_fact": gettext("A statement about this table can't be true in this game."),
        "contradicting_facts": gettext("The statements about this table contradict the hand or each other."),
        "bad_option": gettext("A house rule has a value that it can't have."),
    }.get(error.code)
    if not said:
        return str(error)
    deck = scorer.deck(rule_set(refused.rules_id).deck)
    return said.replace("{card}", named_hand(deck, error.culprit) or "—")


def wrong_count_sentence(error: scorer.ScorerError) -> str:
    """That a hand has too many or too few cards, and how many one that wins has where that is known."""
    if not error.takes:
        return gettext("The number of cards fits no winning hand.")
    fewest, most = error.takes
    if fewest == most:
        return gettext("Wrong number of cards: a winning hand has {n}.").format(n=most)
    text = gettext("Wrong number of cards: a winning hand with these groups has {fewest} to {most}.")
    return text.format(fewest=fewest, most=most)


def no_win_sentence(rules: scorer.RuleSet, score: Mapping[str, object]) -> str:
    """Why a hand does not win, in the language of the page."""
    reason = score.get("reason")
    if not isinstance(reason, Mapping):
        return ""
    message = str(reason.get("message", ""))
    notice = rules.notice_by_code.get(str(reason.get("code")))
    # The scorer's sentence fills the places of the notice; so does the page's, with the names of the cards.
    pattern = re.sub(r"\\{(\w+)\\}", r"(?P<\1>.+?)", re.escape(notice.text.en)) if notice else ""
    found = re.fullmatch(pattern, message)
    if notice is None or found is None:
        return message
    local = {face.name.en: face.name.get(language()) for face in scorer.deck(rules.deck).faces}
    said = {
        name: gettext(", ").join(local.get(word, word) for word in value.split(", "))
        for name, value in found.groupdict().items()
    }
    return notice.text.get(language()).format(**said)


def signed(amount: Money) -> str:
    """An amount as people write it: `+12`, `−4`, `0`."""
    return f"+{plain(amount)}" if amount > 0 else plain(amount)


def plain(amount: Money) -> str:
    """A total: `12`, `−4`, `0`."""
    return money.written(amount).replace("-", MINUS)


def average(value: Fraction) -> str:
    """An average with one place: `12.5`."""
    return f"{float(value):.1f}".removesuffix(".0")


def short_name(name: str, room: int = 10) -> str:
    """The beginning of a name that fits where there is room for so many Latin letters; a Chinese one counts two."""
    taken = 0
    for place, letter in enumerate(name):
        taken += 2 if unicodedata.east_asian_width(letter) in "WF" else 1
        if taken > room:
            return name[: max(1, place - 1)] + "…"
    return name


def clock(at_ms: int) -> str:
    """The time of day here, where the program runs: `21:05`."""
    return time.strftime("%H:%M", time.localtime(at_ms / 1000))


def day(at_ms: int) -> str:
    """The day here: `2025-11-30`."""
    return time.strftime("%Y-%m-%d", time.localtime(at_ms / 1000))


def short_day(at_ms: int) -> str:
    """The day here as one says it: `11月30日`, `Nov 30`."""
    return format_skeleton("MMMd", datetime.datetime.fromtimestamp(at_ms / 1000), locale=get_locale())


def iso(at_ms: int) -> str:
    """The time for machines, UTC: `2025-11-30T13:05:00Z`."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(at_ms / 1000))


def round_title(played: Round, ledger: Ledger) -> str:
    """A round in a few words: who won by what."""
    if played.how == "draw":
        return gettext("draw")
    if played.winner is None:
        return gettext("by numbers")
    name = ledger.people[played.winner].name
    score = played.counted.score if played.counted else {}
    if played.called_falsely or score.get("fault"):
        return gettext("%(name)s called falsely", name=name)
    if not score.get("total"):
        # Numbers, or a game that counts nothing but who won (挤儿).
        return gettext("%(name)s won", name=name)
    unit = unit_of(rule_set(ledger.rules), score)
    return gettext("%(name)s won with %(total)s %(unit)s", name=name, total=score["total"], unit=unit)


def written(played: Round, number: int, ledger: Ledger) -> str:
    """A round that was just saved, in short: which one, who won by what, who got and paid how much."""
    said = gettext("Round %(num)s is written down: %(round)s.", num=number, round=round_title(played, ledger))
    people = zip(ledger.people, played.amounts, strict=False)
    return " ".join([said, " · ".join(gain(one.name, amount) for one, amount in people if amount)]).strip()


def turned(before: Ledger, after: Ledger, besides: int | None = None) -> list[str]:
    """What a change of an earlier round makes of later ones: who deals there now, and what that changes.

    `besides` is the round that was changed itself.
    """
    earlier = {played.id: played.round for played in before.rounds if played.id != besides}
    said = []
    for number, played in enumerate(after.rounds, start=1):
        old = earlier.get(played.id)
        if old and old.seating.dealer != played.round.seating.dealer:
            said += [_dealt(number, played.round, after), *_paid_otherwise(old, played.round, after)]
    return said


def _dealt(number: int, this: Round, ledger: Ledger) -> str:
    name = ledger.people[cast("int", this.seating.dealer)].name
    return gettext("Round %(num)s: by the rule %(name)s deals there now.", num=number, name=name)


def _paid_otherwise(old: Round, this: Round, ledger: Ledger) -> list[str]:
    """How another dealer changes what a round pays: through who sits 坐醒, or through the count of the hand."""
    said = []
    if old.amounts != this.amounts:
        gains = " · ".join(
            gain(one.name, got) for one, got in zip(ledger.people, this.amounts, strict=False) if got
        )
        said.append(gettext("So other people pay: %(money)s.", money=gains))
    if _counts_otherwise(this, ledger):
        said.append(gettext(OTHERWISE))
    return said


def otherwise(number: int, this: Round, ledger: Ledger) -> str:
    """What is said of a round as long as its hand counts otherwise for the one who deals there now, else nothing."""
    return f"{_dealt(number, this, ledger)} {gettext(OTHERWISE)}" if _counts_otherwise(this, ledger) else ""


def _counts_otherwise(this: Round, ledger: Ledger) -> bool:
    """Whether a round was counted with another dealer than it has, and its hand pays otherwise with this one."""
    counted = this.counted
    if counted is None or not counted.hand or this.winner is None or this.seating.dealer is None:
        return False
    known = table_facts(rule_set(ledger.rules), len(this.amounts), this.seating, this.winner)
    facts = {**counted.facts, **known}
    if facts == counted.facts:
        return False
    try:
        score = scorer.score(scorer.parse_hand(counted.hand, ledger.rules), facts, counted.options)
    except scorer.ScorerError:
        return True
    return list(score.settlement) != list(cast("Sequence[int]", counted.score["settlement"]))


def gain(name: str, amount: Money) -> str:
    """Who got or paid how much; the end of a line does not come between the two."""
    return f"{name}\u00a0{signed(amount)}"


def named_hand(deck: scorer.Deck, hand: str) -> str:
    """A hand's notation with every code replaced by the card's name in the language of the page."""
    return with_names(hand, lambda code: _card_name(deck, code), language())


def with_names(hand: str, name: Callable[[str], str], language: str) -> str:
    """A hand's notation with the names of its codes, set apart by commas where a name may have a blank in it."""
    between = " " if language.startswith("zh") else ", "
    return re.sub(r"[^\s()!=,]+", lambda code: name(code[0]), hand.replace(" ", between))


def _card_name(deck: scorer.Deck, code: str) -> str:
    # A space inside a name stays with it.
    return deck.face(code).name.get(language()).replace(" ", "\u00a0") if code in deck.index else code


def unit_of(rules: scorer.RuleSet, score: Mapping[str, Json]) -> str:
    """What a total counts: the game's unit in the language of the page, or 番 where these were said."""
    unit = str(score.get("unit", rules.unit.hans))
    return rules.unit.get(language()) if unit == rules.unit.hans else unit


def total_text(rules: scorer.RuleSet, score: Mapping[str, Json]) -> str:
    """What a hand comes to: `12 胡`; where the game counts nothing but who won (挤儿), that it won."""
    if score["wins"] and not score["total"]:
        return gettext("The hand wins")
    said = f"{plain(cast('int', score['total']))} {unit_of(rules, score)}"
    return f"{gettext('False win')}: {said}" if score["fault"] else said


def payment_lines(rules: scorer.RuleSet, score: Mapping[str, Json], stake: Money) -> list[str]:
    """How the payment of a counted hand comes about, by the scorer's own steps, then the stake of the table."""
    steps = cast("Sequence[Mapping[str, Json]]", score.get("payment") or ())
    numbers = [cast("Mapping[str, int]", step["numbers"]) for step in steps]
    said = [
        rules.say_payment(str(step["code"]), language(), filled)
        for step, filled in zip(steps, numbers, strict=True)
    ]
    each = next((filled["each"] for filled in numbers if filled.get("each")), 0)
    if stake != 1 and each:
        said.append(
            gettext(
                "%(each)s × stake %(stake)s = %(money)s",
                each=each,
                stake=plain(stake),
                money=plain(each * stake),
            )
        )
    return said


def change_sentence(event: Event, ledger: Ledger, log: Mapping[int, Event]) -> str:
    """One line of the log in the language of the page; `log` has the events that others point at."""
    change = event.change
    teller = _TELLERS.get(type(change))
    if isinstance(change, Undone | Redone):
        told = change_sentence(log[change.seq], ledger, log)
        said = (
            gettext("Taken back: %(what)s")
            if isinstance(change, Undone)
            else gettext("Brought back: %(what)s")
        )
        return said % {"what": told} if "%(what)s" in said else f"{said} {told}"
    return teller(change, ledger) if teller else ""


def _told_round(change: Change, ledger: Ledger) -> str:
    assert isinstance(change, RoundAdded | RoundEdited)
    if isinstance(change, RoundAdded):
        return gettext("Round added: %(round)s", round=round_title(change.round, ledger))
    number, title = number_of(change.id, ledger), round_title(change.round, ledger)
    return gettext("Round %(num)s corrected: %(round)s", num=number, round=title)


def number_of(round_id: int, ledger: Ledger) -> int:
    """The number of a round among those of the table, or the one that it would have."""
    return sum(played.id < round_id for played in ledger.rounds) + 1


def _told_deletion(change: Change, ledger: Ledger) -> str:
    assert isinstance(change, RoundDeleted)
    return gettext("Round %(num)s deleted", num=number_of(change.id, ledger))


def _told_dealer(change: Change, ledger: Ledger) -> str:
    assert isinstance(change, DealerSet)
    dealer = change.seating.dealer
    if dealer is None:
        return gettext("Seats set by hand")
    return gettext("Seats set by hand: %(name)s deals", name=ledger.people[dealer].name)


def _told_person(change: Change, ledger: Ledger) -> str:
    match change:
        case PlayerRenamed(_, name):
            return gettext("Renamed: %(name)s", name=name)
        case PlayerJoined(name):
            return gettext("%(name)s joined", name=name)
        case PlayerReplaced(person, name):
            return gettext("%(name)s took the seat of %(other)s", name=name, other=ledger.people[person].name)
        case PlayerAway(person, True):
            return gettext("%(name)s left the table", name=ledger.people[person].name)
        case PlayerAway(person, _):
            return gettext("%(name)s is back", name=ledger.people[person].name)
    return ""


def _told_order(change: Change, ledger: Ledger) -> str:
    assert isinstance(change, SeatsTaken)
    return gettext("Seats: %(names)s", names=" ".join(ledger.people[one].name for one in change.order))


def _told_settings(change: Change, ledger: Ledger) -> str:
    return gettext("Settings changed")


def _told_creation(change: Change, ledger: Ledger) -> str:
    assert isinstance(change, Created)
    count = len(change.people)
    return ngettext("Table made for %(num)s person", "Table made for %(num)s people", count)


_TELLERS: Mapping[type, Callable[[Change, Ledger], str]] = {
    Created: _told_creation,
    RoundAdded: _told_round,
    RoundEdited: _told_round,
    RoundDeleted: _told_deletion,
    DealerSet: _told_dealer,
    PlayerRenamed: _told_person,
    PlayerJoined: _told_person,
    PlayerReplaced: _told_person,
    PlayerAway: _told_person,
    SeatsTaken: _told_order,
    OptionChanged: _told_settings,
}
