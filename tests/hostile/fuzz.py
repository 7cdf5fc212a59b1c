"""Let a machine try: ``python -m tests.hostile.fuzz [TARGET...] [--seconds N]`` (needs the extra `fuzz`).

atheris follows which code each try reaches and changes the bytes towards more of it; it stops at what no target may
do: an error that is not ours, ten seconds, two gigabytes. What it found lies in the folder that it names.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

SECONDS = 600
FLAGS = ["-timeout=10", "-rss_limit_mb=2048", "-max_len=100000", "-print_final_stats=1", "-verbosity=1"]


def seeds(target: str) -> list[bytes]:
    """What a target begins with."""
    from tests.hostile.tables import saved_tables
    from tests.hostile.targets import photo_seeds

    if target in ("photo", "picture"):
        return photo_seeds()
    if target == "table":
        return saved_tables()
    hands = (
        "碰(伍伍伍) 偎(陆陆陆) 一二三 二七十 四五六 八八捌 九九 !玖",
        "吃(rK rA rB) yN yN yN gK",
        "1-1 6-6 !4-6",
    )
    return [bytes([number]) + hand.encode() for number in range(3) for hand in hands]


def run_one(target: str, words: list[str]) -> None:
    """Never comes back: libFuzzer ends the process."""
    import atheris

    with atheris.instrument_imports(include=["vision", "scorer", "webui"]):
        from tests.hostile.targets import TARGETS

    atheris.Setup([sys.argv[0], *words], TARGETS[target])
    atheris.Fuzz()


def main() -> int:
    """Each target in a process of its own, one after the other."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("targets", nargs="*", default=["photo", "picture", "notation", "table"])
    parser.add_argument("--seconds", type=int, default=SECONDS, help="for each target")
    parser.add_argument("--one", nargs=argparse.REMAINDER, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.one:
        run_one(given.one[0], given.one[1:])
    found = 0
    folder = Path(tempfile.mkdtemp(prefix="paiyan-fuzz."))
    for target in given.targets:
        corpus = folder / target
        corpus.mkdir()
        for number, seed in enumerate(seeds(target)):
            (corpus / f"seed-{number}").write_bytes(seed)
        words = [
            f"-max_total_time={given.seconds}",
            f"-artifact_prefix={folder}/{target}-",
            *FLAGS,
            str(corpus),
        ]
        done = subprocess.run(
            [sys.executable, "-m", "tests.hostile.fuzz", "--one", target, *words], check=False
        )
        found += done.returncode != 0
        print(
            f"{target}: {'stopped by what it found' if done.returncode else 'nothing found'}; {folder}",
            flush=True,
        )
    return int(found > 0)


if __name__ == "__main__":
    sys.exit(main())
