"""How long reading a photo takes, by stage, beside what OpenCV alone needs to decode it: `make bench-seeing`.

The 12 megapixel photo is a sample enlarged to a phone's 4032 x 3024 and compressed anew, so the number of cards and
the bytes to decode are those of a real one. The first call (import, networks, first run) is timed on its own.
"""

from __future__ import annotations

import argparse
import json
import resource
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    import vision

SAMPLES = Path(__file__).resolve().parent.parent / "webui" / "static" / "samples"
SIZES = {"photo 12 MP": (4032, 3024), "frame 1280 x 720": (1280, 720)}
CROWDED = (2016, 1512)
GRAIN = 8  # px
JPEG_QUALITY = 92
"""About what phones use; a 12 MP photo is then 3 to 5 MB."""


def milliseconds(work: Callable[[], object]) -> float:
    """How long one call takes."""
    start = time.perf_counter()
    work()
    return (time.perf_counter() - start) * 1000


def spread(times: Sequence[float]) -> dict[str, float]:
    """Median and 95th percentile, ms."""
    ordered = sorted(times)
    return {
        "p50": statistics.median(ordered),
        "p95": ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))],
    }


def picture(sample: Path, width: int, height: int) -> bytes:
    """The sample enlarged or reduced until it covers `width` x `height`, its middle cut out, as JPEG."""
    import cv2
    import numpy as np

    image = cv2.imdecode(np.frombuffer(sample.read_bytes(), np.uint8), cv2.IMREAD_COLOR)
    if image is None:
        raise SystemExit(f"{sample} is no picture")
    if (image.shape[0] > image.shape[1]) != (height > width):
        image = cv2.rotate(image, cv2.ROTATE_90_CLOCKWISE)
    scale = max(width / image.shape[1], height / image.shape[0])
    large = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC)
    top, left = (large.shape[0] - height) // 2, (large.shape[1] - width) // 2
    cut = large[max(top, 0) :, max(left, 0) :][:height, :width]
    return cv2.imencode(".jpg", cut, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])[1].tobytes()


def bare_decode(data: bytes) -> npt.NDArray[np.uint8]:
    """What OpenCV alone makes of the bytes: the yardstick of the same run."""
    import cv2
    import numpy as np

    decoded = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    assert decoded is not None
    return np.asarray(decoded, np.uint8)


def measure(reader: vision.Reader, data: bytes, runs: int) -> dict[str, object]:
    """Times of `runs` readings by stage, the yardstick taken in turn with them."""
    stages: dict[str, list[float]] = {}
    cards = 0
    for _ in range(runs):
        stages.setdefault("imdecode", []).append(milliseconds(lambda: bare_decode(data)))
        start = time.perf_counter()
        reading = reader.read(data, name="bench", deck="auto", taught="none", taught_dir=None)
        stages.setdefault("read", []).append((time.perf_counter() - start) * 1000)
        for stage, took in reading.timing_ms.items():
            stages.setdefault(stage, []).append(took)
        cards = len(reading.cards)
    return {"bytes": len(data), "cards": cards, "ms": {name: spread(times) for name, times in stages.items()}}


def gravel(width: int, height: int) -> bytes:
    """A picture of grains that look like prints and show no card, as JPEG: the worst that a table can do."""
    import cv2
    import numpy as np

    grains = np.random.default_rng(0).integers(0, 256, (height // GRAIN, width // GRAIN), np.uint8)
    picture = cv2.resize(grains, (width, height), interpolation=cv2.INTER_NEAREST)
    return cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])[1].tobytes()


def whole_deck(sample: Path, width: int, height: int) -> bytes:
    """As many cards as the largest deck has: the sample's picture six times over, as JPEG."""
    import cv2
    import numpy as np

    image = cv2.imdecode(np.frombuffer(picture(sample, width // 3, height // 2), np.uint8), cv2.IMREAD_COLOR)
    assert image is not None
    return cv2.imencode(".jpg", np.tile(image, (2, 3, 1)), [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])[
        1
    ].tobytes()


def megabytes_now() -> float | None:
    """The memory that this process holds, where the system says it."""
    status = Path("/proc/self/status")
    if not status.is_file():
        return None
    line = next(line for line in status.read_text().splitlines() if line.startswith("VmRSS"))
    return int(line.split()[1]) / 1024


def peak_megabytes() -> float:
    """The most memory that this process has held so far."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1024 * 1024 if sys.platform == "darwin" else 1024)


def bench(sample: Path, runs: int) -> dict[str, object]:
    """Everything that is reported."""
    photos = {
        "gravel": gravel(*CROWDED),
        "whole deck": whole_deck(sample, *CROWDED),
        **{name: picture(sample, *size) for name, size in SIZES.items()},
    }
    before = peak_megabytes()
    start = time.perf_counter()
    import vision

    reader = vision.Reader()
    loaded = time.perf_counter()
    first = photos["frame 1280 x 720"]
    reader.read(first, name="first", deck="auto", taught="none", taught_dir=None)
    ended = time.perf_counter()
    found: dict[str, object] = {
        "sample": sample.name,
        "runs": runs,
        "first_ms": {"import and load": (loaded - start) * 1000, "first frame": (ended - loaded) * 1000},
        "peak_mb": {"pictures alone": before},
    }
    peaks: dict[str, float] = {"pictures alone": before}
    held = {"before": megabytes_now()}
    for name in reversed(photos):  # the small one first, or its peak would be the large one's
        found[name] = measure(reader, photos[name], runs)
        peaks[name] = peak_megabytes()
        held[f"after {name}"] = megabytes_now()
    return found | {"peak_mb": peaks, "held_mb": held}


def text(found: dict[str, object]) -> str:
    """The report for people."""
    lines = [f"{found['sample']}, {found['runs']} runs; ms as p50 / p95"]
    for name in (*SIZES, "whole deck", "gravel"):
        part = found[name]
        assert isinstance(part, dict)
        lines.append(f"{name}: {part['bytes'] / 1e6:.1f} MB, {part['cards']} cards")
        lines += [f"  {stage:10}{t['p50']:9.1f} / {t['p95']:.1f}" for stage, t in part["ms"].items()]
    for title in ("first_ms", "peak_mb", "held_mb"):
        part = found[title]
        assert isinstance(part, dict)
        lines.append(f"{title}: " + ", ".join(f"{name} {value or 0:.0f}" for name, value in part.items()))
    return "\n".join(lines)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="time reading a photo by stage")
    parser.add_argument(
        "photo", nargs="?", type=Path, help="a sample to enlarge; by default the page's first"
    )
    parser.add_argument("--runs", type=int, default=10)
    parser.add_argument("--json", action="store_true", help="print JSON")
    words = parser.parse_args()
    sample = words.photo or next(iter(sorted(SAMPLES.glob("*.jpg"))), None)
    if sample is None:
        parser.error(f"there is no sample in {SAMPLES}")
    found = bench(sample, max(1, words.runs))
    print(json.dumps(found) if words.json else text(found))


if __name__ == "__main__":
    main()
