"""What paiyan is worth on the kept photos, added up: by state of the networks, with and without a print, by light."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from vision.evaluate import Counts, Judged
from vision.networks import weights_name
from vision.reliability import confusions
from webui.store.examples import Answer, Example


@dataclass(frozen=True)
class Row:
    """One line of the report: what it tells of, and the figures of its photos."""

    name: str
    counts: Counts

    @property
    def right(self) -> float:
        """Share of the cards that are read right."""
        return self.counts.right / max(1, self.counts.cards)

    @property
    def silent(self) -> int:
        """Cards that are wrong and not marked."""
        return self.counts.silent

    @property
    def marked(self) -> int:
        """Cards that are marked, right or wrong."""
        return self.counts.flagged + self.counts.wrong + self.counts.extra - self.counts.silent


CHARTED = {
    "plain": "by itself",
    "own": "with others' print",
    "before": "before update",
    "now": "after update",
}


@dataclass(frozen=True)
class Report:
    """All that is known of the kept photos.

    `rows` are the installed networks alone and, where a photo has others of its deck, with the print that these teach;
    `update` are the networks before them and the installed ones, on the photos that both have read. `lights` and
    `decks` are of the installed ones, `misread` are (true, read, how often). `unmeasured` are the ids of photos that
    the installed networks have not read yet, `teachable` the names of decks whose print can learn from their photos.
    """

    rows: tuple[Row, ...]
    update: tuple[Row, ...]
    lights: tuple[Row, ...]
    decks: tuple[Row, ...]
    misread: tuple[tuple[str, str, int], ...]
    unmeasured: tuple[str, ...]
    teachable: tuple[str, ...]
    judged: tuple[Judged, ...]

    @property
    def figures(self) -> list[dict[str, object]]:
        """Every line as `vision.charts.groups_chart` draws it, whose letters are Latin."""
        named = [
            *((CHARTED[row.name], row) for row in (*self.rows, *self.update)),
            *((row.name if row.name.isascii() else f"deck {n}", row) for n, row in enumerate(self.decks, 1)),
            *((f"light {row.name}", row) for row in self.lights),
        ]
        return [
            {
                "name": name,
                "cards": row.counts.cards,
                "right": row.right,
                "silent": 100 * row.silent / max(1, row.counts.cards),
            }
            for name, row in named
        ]

    def json(self) -> dict[str, object]:
        """The report for programs."""
        return {
            "rows": [_row_json(row) for row in self.rows],
            "update": [_row_json(row) for row in self.update],
            "decks": [_row_json(row) for row in self.decks],
            "lights": [_row_json(row) for row in self.lights],
            "misread": [list(one) for one in self.misread],
            "teachable": list(self.teachable),
        }


def _row_json(row: Row) -> dict[str, object]:
    return {
        "name": row.name,
        "photos": row.counts.photos,
        "cards": row.counts.cards,
        "right": row.counts.right,
        "silent": row.silent,
        "marked": row.marked,
        "clean": row.counts.clean,
    }


LEAST_PHOTOS = 3
"""Of a deck, from which its print may learn from them: with one left out, two are there to learn from."""


def report(there: Sequence[Example], answers: Sequence[Answer]) -> Report:
    """Add up the answers on kept photos."""
    now = weights_name()
    by = {(one.example_id, one.weights, one.how): one for one in answers}
    before = next((one.weights for one in reversed(answers) if one.weights != now), None)
    ids = [one.id for one in there]
    plain = {id_: by[id_, now, "plain"] for id_ in ids if (id_, now, "plain") in by}
    own = {id_: by[id_, now, "own"] for id_ in ids if (id_, now, "own") in by}
    best = _best(by, now, ids)
    rows = [_row("plain", plain.values())] + ([_row("own", best.values())] if own else [])
    old = _best(by, before, best) if before else {}
    update = (_row("before", old.values()), _row("now", (best[id_] for id_ in old))) if old else ()
    return Report(
        tuple(row for row in rows if row.counts.photos),
        update,
        _grouped(there, best, [one.photo.groups[0].removeprefix("light ") for one in there]),
        _grouped(there, best, [one.name or one.deck for one in there]),
        tuple(confusions(_judged(best.values()))[:6]),
        tuple(id_ for id_ in ids if id_ not in plain),
        teachable(there, plain, own),
        tuple(_judged(best.values())),
    )


def _best(by: Mapping[tuple[str, str, str], Answer], weights: str, ids: Iterable[str]) -> dict[str, Answer]:
    """What networks made of photos, of each the reading with a print where there is one."""
    found = {id_: by.get((id_, weights, "own")) or by.get((id_, weights, "plain")) for id_ in ids}
    return {id_: one for id_, one in found.items() if one}


def teachable(there: Sequence[Example], plain: dict[str, Answer], own: dict[str, Answer]) -> tuple[str, ...]:
    """Decks with enough photos that were read both ways, on which the print that left each photo out did no harm."""
    names = Counter(one.name for one in there if one.name)
    found = []
    for name, number in sorted(names.items()):
        ids = [one.id for one in there if one.name == name]
        if number >= LEAST_PHOTOS and all(id_ in plain and id_ in own for id_ in ids):
            before, after = _sum(plain[id_] for id_ in ids), _sum(own[id_] for id_ in ids)
            if no_harm(before, after):
                found.append(name)
    return tuple(found)


def no_harm(before: Counts, after: Counts) -> bool:
    """Whether reading with a print gets as many cards right as without, and leaves no more wrong ones unmarked."""
    return after.right >= before.right and after.silent <= before.silent


def _row(name: str, answers: Iterable[Answer]) -> Row:
    return Row(name, _sum(answers))


def _sum(answers: Iterable[Answer]) -> Counts:
    return sum((one.counts for one in answers), Counts())


def _judged(answers: Iterable[Answer]) -> list[Judged]:
    return [card for one in answers for card in one.judged]


def _grouped(there: Sequence[Example], best: dict[str, Answer], names: Sequence[str]) -> tuple[Row, ...]:
    groups: dict[str, list[Answer]] = {}
    for one, name in zip(there, names, strict=True):
        if one.id in best:
            groups.setdefault(name, []).append(best[one.id])
    return tuple(_row(name, members) for name, members in sorted(groups.items()))
