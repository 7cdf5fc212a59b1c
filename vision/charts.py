"""Charts of an evaluation as PNG files: reliability, risk and coverage, confusion, groups of photos."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from vision.evaluate import Judged
from vision.geometry import Floats
from vision.photo import Image
from vision.reliability import reliability, risk_coverage

SIDE, EDGE = 480, 60  # px of a chart's square and of the border around it
ROW, NAMED = 26, 240  # px of a group's bar and of its name
INK, LINE, FAINT, FAIR = (40, 40, 40), (200, 60, 30), (205, 205, 205), (120, 170, 120)  # RGB
Colour = tuple[int, int, int]


def write_charts(
    cards: Sequence[Judged], figures: Sequence[Mapping[str, Any]], folder: Path
) -> tuple[Path, ...]:
    """Write `reliability.png`, `risk-coverage.png`, `confusion.png` and `groups.png` into a folder, made where missing.

    `figures` are those of `vision.evaluate.summary`.
    """
    folder.mkdir(parents=True, exist_ok=True)
    charts = {
        "reliability.png": reliability_chart(cards),
        "risk-coverage.png": risk_chart(cards),
        "confusion.png": confusion_chart(cards),
        "groups.png": groups_chart(figures),
    }
    paths = []
    for name, chart in charts.items():
        path = folder / name
        path.write_bytes(cv2.imencode(".png", chart[..., ::-1])[1].tobytes())
        paths.append(path)
    return tuple(paths)


def reliability_chart(cards: Sequence[Judged]) -> Image:
    """Accuracy over confidence; bars on the diagonal mean that doubt is honest."""
    found = reliability(cards)
    chart = _axes("confidence", "right", 1.0, f"reliability, expected error {found.expected_error:.3f}")
    _curve(chart, np.array([0.0, 1.0]), np.array([0.0, 1.0]), FAINT)
    for i in np.flatnonzero(found.cards):
        x, y = _place(found.confidence[i], found.accuracy[i])
        cv2.line(chart, (x, y), _place(found.confidence[i], found.confidence[i]), LINE, 2, cv2.LINE_AA)
        size = 3 + round(8 * np.sqrt(found.cards[i] / found.cards.max()))
        cv2.circle(chart, (x, y), int(size), LINE, -1, cv2.LINE_AA)
    return chart


def risk_chart(cards: Sequence[Judged]) -> Image:
    """Share of wrong cards among the surest, over the share of cards believed."""
    curve = risk_coverage(cards)
    top = max(0.01, float(curve.risk.max(initial=0.0)))
    chart = _axes("share of cards believed", "wrong", top, "risk and coverage")
    _curve(chart, curve.coverage, curve.risk / top, LINE)
    return chart


def confusion_chart(cards: Sequence[Judged]) -> Image:
    """True cards in rows, read cards in columns; darker is more often, the diagonal left pale."""
    codes = sorted({card.code for card in cards} | {card.true or "-" for card in cards})
    place = {code: i for i, code in enumerate(codes)}
    table = np.zeros((len(codes), len(codes)))
    for card in cards:
        table[place[card.true or "-"], place[card.code]] += 1
    share = table / np.maximum(table.sum(axis=1, keepdims=True), 1)
    cell = max(8, min(24, 960 // max(1, len(codes))))
    chart = np.full((len(codes) * cell + 2 * EDGE, len(codes) * cell + 2 * EDGE, 3), 255, np.uint8)
    for i, code in enumerate(codes):
        _text(chart, code, (6, EDGE + i * cell + cell - 2), 0.35)
        _text(chart, code, (EDGE + i * cell, EDGE - 6 - 10 * (i % 3)), 0.3)
        for j in np.flatnonzero(table[i]):
            pale = 235 if i == j else round(200 * (1 - min(1.0, 5 * share[i, j])))
            corner = (EDGE + int(j) * cell, EDGE + i * cell)
            cv2.rectangle(chart, corner, (corner[0] + cell - 1, corner[1] + cell - 1), (pale,) * 3, -1)
    return chart


def groups_chart(figures: Sequence[Mapping[str, Any]]) -> Image:
    """Of each group of photos how many cards are right, how many of the others unmarked: a bar and its dark end."""
    chart = np.full((2 * EDGE + ROW * len(figures), NAMED + SIDE + 2 * EDGE, 3), 255, np.uint8)
    _text(chart, "right of 100 cards; dark: wrong and not marked", (EDGE, 28), 0.5)
    for i, row in enumerate(figures):
        top, right, silent = EDGE + i * ROW, float(row["right"]), float(row["silent"]) / 100
        ends = [EDGE + NAMED + round(SIDE * share) for share in (0, right, 1)]
        cv2.rectangle(chart, (ends[0], top), (ends[2], top + ROW - 8), FAINT, -1)
        cv2.rectangle(chart, (ends[0], top), (ends[1], top + ROW - 8), FAIR, -1)
        if silent:
            start = max(ends[0], ends[2] - max(1, round(SIDE * silent)))
            cv2.rectangle(chart, (start, top), (ends[2], top + ROW - 8), LINE, -1)
        _text(chart, f"{row['name']} ({row['cards']})", (EDGE, top + ROW - 12), 0.42)
        _text(chart, f"{100 * right:.1f}", (ends[2] + 6, top + ROW - 12), 0.42)
    return chart


def _place(x: float, y: float) -> tuple[int, int]:
    """Pixel of a point of the unit square."""
    return EDGE + round(float(x) * SIDE), EDGE + round((1 - float(y)) * SIDE)


def _axes(below: str, beside: str, top: float, title: str) -> Image:
    chart = np.full((SIDE + 2 * EDGE, SIDE + 2 * EDGE, 3), 255, np.uint8)
    for tick in np.linspace(0, 1, 6):
        cv2.line(chart, _place(tick, 0), _place(tick, 1), FAINT, 1)
        cv2.line(chart, _place(0, tick), _place(1, tick), FAINT, 1)
        _text(chart, f"{tick:.1f}", (_place(tick, 0)[0] - 10, EDGE + SIDE + 18), 0.4)
        _text(chart, f"{tick * top:.3g}", (8, _place(0, tick)[1] + 4), 0.4)
    cv2.rectangle(chart, _place(0, 0), _place(1, 1), INK, 1)
    _text(chart, title, (EDGE, 28), 0.55)
    _text(chart, below, (EDGE + SIDE // 2 - 60, EDGE + SIDE + 42), 0.45)
    _text(chart, beside, (8, EDGE - 14), 0.45)
    return chart


def _curve(chart: Image, x: Floats, y: Floats, colour: Colour) -> None:
    points = np.array([_place(a, b) for a, b in zip(x.tolist(), y.tolist(), strict=True)], dtype=np.int32)
    cv2.polylines(chart, [points.reshape(-1, 1, 2)], False, colour, 2, cv2.LINE_AA)


def _text(chart: Image, text: str, at: tuple[int, int], size: float) -> None:
    cv2.putText(chart, text, at, cv2.FONT_HERSHEY_SIMPLEX, size, INK, 1, cv2.LINE_AA)
