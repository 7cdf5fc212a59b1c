"""Hands counted per second: `make bench-score`.

One process. For each rule set a fixed random corpus of complete hands, already parsed, 0 to 4 fixed melds evenly,
the winning card marked; nothing is kept from one hand to the next. Beside it the PyPI library `mahjong` on
complete random hands, in the same run, and the slowest hand of an adversarial set per rule set.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from random import Random

from mahjong.hand_calculating.hand import HandCalculator
from mahjong.hand_calculating.hand_config import HandConfig

import scorer
from tests.scorer.hands import RECIPES, complete, densest

HANDS = 1000
ROUNDS = 9
SLOWEST_MS = 50


def rates(contenders: Mapping[str, Callable[[], object]]) -> dict[str, float]:
    """Return hands per second of CPU time, each contender's best of several rounds taken in turn."""
    best = dict.fromkeys(contenders, float("inf"))
    for _ in range(ROUNDS):
        for name, work in contenders.items():
            start = time.process_time()
            work()
            best[name] = min(best[name], time.process_time() - start)
    return {name: HANDS / seconds for name, seconds in best.items()}


def mahjong_hands(rng: Random, number: int) -> list[tuple[list[int], int]]:
    """Return complete hands of four sets and a pair as (136-format tiles, winning tile)."""
    hands: list[tuple[list[int], int]] = []
    while len(hands) < number:
        counts = [0] * 34
        for _ in range(4):
            first = rng.randrange(3) * 9 + rng.randrange(7)
            for tile in [rng.randrange(34)] * 3 if rng.random() < 0.3 else [first, first + 1, first + 2]:
                counts[tile] += 1
        counts[rng.randrange(34)] += 2
        if max(counts) <= 4:
            tiles = [tile * 4 + copy for tile, held in enumerate(counts) for copy in range(held)]
            hands.append((tiles, rng.choice(tiles)))
    return hands


def mahjong_work() -> Callable[[], None]:
    hands = mahjong_hands(Random(1), HANDS)
    calculator, config = HandCalculator(), HandConfig(is_tsumo=True)

    def work() -> None:
        for tiles, winning in hands:
            calculator.estimate_hand_value(tiles, winning, config=config)

    return work


def our_work(rules: str) -> Callable[[], None]:
    rng = Random(1)
    hands = [complete(rules, rng, at % 5) for at in range(HANDS)]

    def work() -> None:
        for hand in hands:
            scorer.score(hand)

    return work


def slowest(hands: Sequence[scorer.Hand], options: Mapping[str, object]) -> tuple[float, str]:
    """Return the slowest hand and its time in ms (best of three, so that only the hand counts)."""
    times = []
    for hand in hands:
        tries = []
        for _ in range(3):
            start = time.process_time()
            try:
                scorer.score(hand, options=options)
            except scorer.ScorerError:
                scorer.score_part(hand, options=options)
            tries.append(time.process_time() - start)
        times.append((min(tries) * 1000, scorer.write_hand(hand)))
    return max(times)


def main() -> None:
    """Print rates and the slowest hands, of all rule sets or of those named; `--json` for programs."""
    names = [name for name in sys.argv[1:] if name != "--json"] or scorer.rule_ids()
    found = rates({"mahjong (PyPI)": mahjong_work()} | {rules: our_work(rules) for rules in names})
    theirs = found.pop("mahjong (PyPI)")
    slow = {rules: slowest(densest(rules, Random(2)), RECIPES[rules].dense_options) for rules in names}
    if "--json" in sys.argv:
        rows = [
            {"rules": rules, "hands_per_s": ours, "slowest_ms": slow[rules][0], "slowest": slow[rules][1]}
            for rules, ours in found.items()
        ]
        print(json.dumps({"mahjong_hands_per_s": theirs, "rules": rows}, ensure_ascii=False))
        return
    print(f"{'mahjong (PyPI)':<16} {theirs:>9,.0f} hands/s")
    for rules, ours in found.items():
        ms, text = slow[rules]
        mark = "" if ms < SLOWEST_MS else "  TOO SLOW"
        print(
            f"{rules:<16} {ours:>9,.0f} hands/s  {ours / theirs:5.2f} x   slowest {ms:6.2f} ms{mark}  {text}"
        )


if __name__ == "__main__":
    main()
