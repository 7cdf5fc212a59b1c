"""The command line's answers as text, made from the same objects that `--json` prints."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import scorer
from scorer.cards import LANGUAGES
from webui.commands.terminal import sentence, table, wrap

LANGUAGE = "PAIYAN_LANGUAGE"
"""Names the language of cards and lines: by default the players' own words in 简体. The rest is English."""

LIKELY = 0.02
"""Share from which another face is worth naming."""

FIGURES = ("photos", "cards", "found", "right", "extra", "clean", "silent", "flagged", "piles", "p50", "p95")
WORST = 10
"""Confusions and photos that are listed."""


def language() -> str:
    """The language of cards and lines."""
    asked = os.environ.get(LANGUAGE, "").replace("_", "-")
    return asked if asked in LANGUAGES else "zh-Hans"


def card_name(deck: scorer.Deck | None, code: str) -> str:
    """The card's name; a wild with what it stands for is written `王=捌`."""
    if deck is None:
        return code
    return "=".join(_face_name(deck, part) for part in code.split("="))


def _face_name(deck: scorer.Deck, code: str) -> str:
    names = {face.code: face.name.get(language()) for face in deck.faces}
    return names.get(code, code)


def _names(deck: scorer.Deck | None, codes: Iterable[str]) -> str:
    between = " " if language().startswith("zh") else ", "
    return between.join(card_name(deck, code) for code in codes)


def _warnings(found: Sequence[str]) -> list[str]:
    return [f"  note: {warning}" for warning in found]


def reading_text(reading: Mapping[str, Any]) -> str:
    """One photo: its piles, then the cards that a person should look at."""
    cards: list[Mapping[str, Any]] = reading["cards"]
    deck = scorer.deck(reading["deck"]) if reading["deck"] else None
    piles: dict[int, list[str]] = {}
    for card in cards:
        piles.setdefault(card["pile"], []).append(card_name(deck, card["code"]) + "?" * card["review"])
    seconds = reading["timing_ms"]["total"] / 1000
    what = f"{deck.name.get(language())}, {_count(cards, 'card')}" if deck else "no card"
    what += f", by the print of “{reading['taught']}”" if reading.get("taught") else ""
    lines = [f"{reading['file']}: {what}, {seconds:.1f} s"]
    for number, names in enumerate(piles.values(), 1):
        lines += [wrap([f"{number}.", *names], indent="  ")]
    lines += [_doubt(deck, card) for card in cards if card["review"]]
    if reading["others"]:
        are = "is" if len(reading["others"]) == 1 else "are"
        lines.append(
            f"  {_count(reading['others'], 'thing')} that {are} no card of these decks, or face down"
        )
    return "\n".join(lines + _warnings(reading["warnings"]))


def _count(things: Sequence[object], word: str) -> str:
    return f"{len(things)} {word}{'' if len(things) == 1 else 's'}"


def _doubt(deck: scorer.Deck | None, card: Mapping[str, Any]) -> str:
    rest = [(code, share) for code, share in card["alternatives"] if code != card["code"] and share >= LIKELY]
    others = ", ".join(f"{card_name(deck, code)} {share:.0%}" for code, share in rest[:3])
    name = card_name(deck, card["code"])
    return f"  look at {name} {card['confidence']:.0%}" + (f" (or {others})" if others else "")


def score_text(score: Mapping[str, Any]) -> str:
    """The total, then every line of the count with its points and cards."""
    rules = scorer.rule_set(score["rules"])
    deck = scorer.deck(rules.deck)
    lines = [f"{rules.name.get(language())}: {_verdict(score, rules)}"]
    if score["melds"]:
        melds = [
            f"{_meld_name(meld, score, rules)}({_names(deck, meld['cards'])})" for meld in score["melds"]
        ]
        lines += ["", wrap(melds)]
    if score["lines"]:
        rows = [
            (_line_name(rules, line["name"]), _worth(line), _names(deck, line["cards"]), line["clause"])
            for line in score["lines"]
        ]
        lines += ["", table(rows, right=frozenset({1}))]
    if any(score["settlement"]):
        lines += ["", "  pays: " + _settlement(score["settlement"])]
    return "\n".join(lines + _warnings(score["warnings"]))


def _line_name(rules: scorer.RuleSet, name: str) -> str:
    """What the page calls a line of the count."""
    return rules.rows[name].name.get(language()) if name in rules.rows else name


def _meld_name(meld: Mapping[str, Any], score: Mapping[str, Any], rules: scorer.RuleSet) -> str:
    """What a meld is called: on the table by its kind, in hand by the line that counts it, where one does."""
    if meld["shown"]:
        return str(meld["kind"])
    cards = sorted(meld["cards"])
    counted = [line["name"] for line in score["lines"] if sorted(line["cards"]) == cards]
    return _line_name(rules, counted[0]) if counted else ""


def before_text(found: Mapping[str, Any]) -> str:
    """Whether a dealt hand may play, then the cards of each 卯 in both ways, of each 陀 and of each 番."""
    rules = scorer.rule_set(found["rules"])
    deck = scorer.deck(rules.deck)
    why = "; ".join(sentence(reason["message"]) for reason in found["reasons"])
    rows = [
        (f"卯 {found['mao']}", _groups(deck, found["units_strict"])),
        (f"卯 {found['mao_with_pairs']} with any two alike", _groups(deck, found["units_with_pairs"])),
        (f"in place of 卯: {found['support']}", _groups(deck, found["supports"])),
        (f"陀 {found['tuo']}, {found['need']} needed; 番 {found['fan']}; as estimated:", ""),
    ]
    heading = (
        f"{rules.name.get(language())}: may {'' if found['may_play'] else 'not '}play{': ' * bool(why)}{why}"
    )
    coming = [
        (one["name"], f"{one['tuo']:+d}", f"{one['fan']} 番" * bool(one["fan"]), _names(deck, one["cards"]))
        for one in found["coming"]
    ]
    lines = [heading, "", table(rows), table(coming, right=frozenset({1}), indent="    ")]
    return "\n".join(lines + _warnings(found["warnings"]))


def _groups(deck: scorer.Deck, groups: Sequence[Sequence[str]]) -> str:
    return " | ".join(_names(deck, cards) for cards in groups)


def _verdict(score: Mapping[str, Any], rules: scorer.RuleSet) -> str:
    reason = sentence(score["reason"]["message"]) if score["reason"] else ""
    if score["fault"]:
        return f"{score['total']} {rules.unit.get(language())}: {reason or 'false call (相公)'}"
    if not score["wins"]:
        return "does not win" + (f": {reason}" if reason else "")
    named = {name: said.get(language()) for name, said in rules.details.items()}
    detail = " ".join(f"{named.get(name, name)} {value}" for name, value in score["detail"].items())
    return f"{score['total']} {rules.unit.get(language())}" + (f"  ({detail})" if detail else "")


def _worth(line: Mapping[str, Any]) -> str:
    parts = [f"{line['points']:+d}"] if line["points"] else []
    parts += [f"×{line['times']}"] if line["times"] not in (None, 0, 1) else []
    return " ".join(parts) or "0"


def _settlement(changes: Sequence[int]) -> str:
    """Changes by seat; seat 0 is the hand that was scored."""
    return ", ".join(f"seat {seat} {change:+d}" for seat, change in enumerate(changes))


def waits_text(waits: Mapping[str, Any]) -> str:
    """The cards that would complete the hand, the dearest first."""
    rules = scorer.rule_set(waits["rules"])
    unit = rules.unit.get(language())
    if not waits["waits"]:
        return "\n".join(["no card completes this hand", *_warnings(waits["warnings"])])
    found = sorted(waits["waits"], key=lambda wait: -wait["score"])
    rows = [(_face_name(scorer.deck(rules.deck), w["code"]), f"{w['score']} {unit}") for w in found]
    heading = f"{rules.name.get(language())}: {_count(found, 'card')} would complete it"
    return "\n".join([heading, table(rows, right=frozenset({1})), *_warnings(waits["warnings"])])


def catalogue_text(found: Mapping[str, Any]) -> str:
    """A deck's cards with their number, then what is missing and what is too much."""
    if found["deck"] is None:
        return "\n".join(["no card was seen", *_warnings(found["warnings"])])
    deck = scorer.deck(found["deck"])
    total = sum(found["counts"].values())
    lines = [f"{deck.name.get(language())}: {total} cards, beside the deck of {found['composition']}", ""]
    cells = [f"{card_name(deck, code)} {number}" for code, number in found["counts"].items()]
    lines.append(table([cells[at : at + 6] for at in range(0, len(cells), 6)]))
    for word in ("missing", "extra"):
        parts = [f"{card_name(deck, code)} {number}" for code, number in found[word].items()]
        lines += ["", f"  {word}: " + (", ".join(parts) or "none")]
    if found["others"]:
        lines.append(f"  {_count(found['others'], 'thing')} that is no card of these decks, or face down")
    return "\n".join(lines + _warnings(found["warnings"]))


def rule_sets_text() -> str:
    """Every rule set in a line."""
    rules = [scorer.rule_set(one) for one in scorer.rule_ids()]
    rows = [
        (r.id, r.name.get(language()), r.name.en, f"counts {r.unit.get(language())}", r.deck) for r in rules
    ]
    return table(rows, indent="")


def rule_set_text(rules: scorer.RuleSet) -> str:
    """One rule set: kinds of meld, facts to be told, options and the table of lines."""
    heading = (
        f"{rules.name.get(language())} ({rules.id}, {rules.name.en}): counts {rules.unit.get(language())}"
    )
    seats = ", ".join(map(str, rules.seats))
    told, spoken = scorer.glossary(rules.id), language() if os.environ.get(LANGUAGE) else "en"
    said = [wrap(text.get(spoken).split()) for text in (told.about, told.counting, told.pays)]
    lines = [
        heading,
        f"deck {rules.deck} ({rules.composition}), seats {seats}",
        "",
        *said,
        "",
        "kinds of meld:",
    ]
    lines.append(table([(_kind(kind), "hidden" if kind.hidden else "shown") for kind in rules.kinds]))
    if rules.facts:
        lines += ["", "facts (--fact NAME=VALUE):"]
        lines.append(table([(f.name, _default(f), f.label.get(language()), f.help.en) for f in rules.facts]))
    if rules.options:
        lines += ["", "options (--option NAME=VALUE):"]
        rows = [(o.name, _default(o), o.label.get(language()), o.clause) for o in rules.options]
        lines.append(table(rows))
    return "\n".join(lines)


def _kind(kind: scorer.Kind) -> str:
    return "=".join((kind.id, *kind.synonyms))


def _default(setting: scorer.Fact | scorer.Option) -> str:
    value = setting.default
    if value is None or isinstance(value, bool):
        return {True: "yes", False: "no", None: "-"}[value]
    return f"{value} of {'/'.join(map(str, setting.choices))}" if setting.choices else str(value)


def decks_text() -> str:
    """Every deck in a line."""
    decks = [scorer.deck(one) for one in scorer.deck_ids()]
    rows = [
        (d.id, d.name.get(language()), d.name.en, f"{len(d.faces)} faces", " ".join(d.copies)) for d in decks
    ]
    return table(rows, indent="")


def deck_text(deck: scorer.Deck) -> str:
    """One deck: its cards with their codes and numbers in each composition."""
    heading = [("code", "name", "", *deck.copies)]
    rows = [
        (f.code, f.name.get(language()), f.name.en, *(str(copies[f.code]) for copies in deck.copies.values()))
        for f in deck.faces
    ]
    numbers = frozenset(range(3, 3 + len(deck.copies)))
    return f"{deck.name.get(language())} ({deck.id}, {deck.name.en})\n" + table(heading + rows, right=numbers)


def evaluation_text(found: Mapping[str, Any]) -> str:
    """The figures as a table, then what is confused most and which photos are read worst."""
    rows = [("", *FIGURES)]
    rows += [(row["name"], *(_figure(row[name]) for name in FIGURES)) for row in found["figures"]]
    lines = [table(rows, right=frozenset(range(1, len(FIGURES) + 1)), indent="")]
    lines.append("extra, silent and flagged per 100 cards; p50 and p95 ms")
    lines.append(f"confidence is off by {found['expected_error']:.3f} on average")
    if found["confusions"]:
        worst = [f"{true} as {code} {n}x" for true, code, n in found["confusions"][:WORST]]
        lines.append("misread: " + ", ".join(worst))
    unread = [photo["file"] for photo in found["photos"] if not photo["read"]]
    if unread:
        lines.append("could not be read: " + ", ".join(unread))
    worse = sorted((photo for photo in found["photos"] if photo["errors"]), key=lambda one: -one["errors"])
    lines += [
        f"  {one['file']}: {one['missed']} missed, {one['wrong']} wrong, {one['extra']} extra"
        for one in worse[:WORST]
    ]
    return "\n".join(lines)


def _figure(value: float | None) -> str:
    return "-" if value is None else f"{value:g}"


REPORT_ROWS = {
    "plain": "by itself",
    "own": "with what the others teach",
    "before": "before the update",
    "now": "after it, on the same photos",
}


def report_text(found: Mapping[str, Any], photos: int) -> str:
    """What paiyan is worth on kept photos: a line for each state, deck and light, then what is misread most."""
    columns = ("photos", "cards", "right", "silent", "marked", "clean")
    rows: list[Sequence[str]] = [("", *columns)]
    for title, group in (("", "rows"), ("", "update"), ("deck ", "decks"), ("light ", "lights")):
        for row in found[group]:
            name = f"{title}{row['name']}" if title else REPORT_ROWS[row["name"]]
            rows.append((name, *(str(row[column]) for column in columns)))
    lines = [
        _count(range(photos), "kept photo"),
        table(rows, right=frozenset(range(1, len(columns) + 1)), indent=""),
        "silent: wrong and not marked",
    ]
    if found["misread"]:
        lines.append("misread: " + ", ".join(f"{true} as {code} {n}x" for true, code, n in found["misread"]))
    if found["teachable"]:
        lines.append("can learn from their photos (on the page): " + ", ".join(found["teachable"]))
    return "\n".join(lines)
