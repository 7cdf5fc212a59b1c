"""Read whole decks laid out on a table, at a phone's 12 megapixels: ``python -m models.training.whole_deck``.

Each picture shows every card of a deck (112 for 四色) of a print and on a table that training never met, drawn by our
own renderer. Printed: what was found, how long a reading took and the most memory held.
"""

from __future__ import annotations

import argparse
import resource
from collections.abc import Sequence

import cv2
import numpy as np

import scorer
from models.training import prints
from models.training.camera import aim
from models.training.layout import Pose, Size, spread
from models.training.lens import expose
from models.training.photograph import End, photograph, pixel_scale
from models.training.scenes import DECKS, laid, surroundings
from models.training.tables import ground
from vision.evaluate import compare
from vision.read import Reader
from vision.truth import TrueCard, TrueEnd, TruePhoto

PICTURE = (4032, 3024)  # px


def whole_deck(rng: np.random.Generator, deck: prints.Print) -> tuple[bytes, TruePhoto]:
    """A JPEG of every card of a print, shuffled and laid out, and what it shows."""
    size = Size(deck.width_mm, deck.height_mm)
    table = scorer.deck(deck.deck)
    codes = [face.code for face in table.faces for _ in range(min(4, table.max_copies(face.code)))]
    poses = [Pose(x, y, angle, 0) for group in spread(rng, size, len(codes)) for x, y, angle in group]
    items = laid(deck, rng.permutation(codes).tolist(), poses, size)
    edges = np.array(surroundings(items, size))
    wide = np.ptp(edges[:, 0]) > np.ptp(edges[:, 1])
    width, height = PICTURE if wide else PICTURE[::-1]
    camera = aim(rng, edges, width, height, pitch=rng.uniform(0, 0.35), roll=rng.normal(0, 0.05), fill=0.95)
    image, ends = photograph(rng, camera, ground(rng, "held"), items, gloss=deck.gloss, clutter=0, hands=0)
    picture, _ = expose(rng, image, pixel_scale(camera, items) * size.width)
    data = cv2.imencode(".jpg", picture[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, 92])[1].tobytes()
    return data, TruePhoto(deck.id, deck.deck, "spread", truth(ends))


def truth(ends: Sequence[End]) -> tuple[TrueCard, ...]:
    """The cards that these ends belong to."""
    cards: dict[int, list[End]] = {}
    for end in ends:
        cards.setdefault(end.card, []).append(end)
    return tuple(
        TrueCard(its[0].code, 0, tuple(TrueEnd(np.asarray(end.quad), end.visible) for end in its))
        for its in cards.values()
    )


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--each", type=int, default=3, help="pictures of each deck")
    args = parser.parse_args()
    reader = Reader(threads=2)
    cv2.setNumThreads(2)
    for name in DECKS:
        for number in range(args.each):
            rng = np.random.default_rng([number, DECKS.index(name)])
            data, photo = whole_deck(rng, prints.make_print(name, 900 + number, "held"))
            reading = reader.read(data, name=photo.file)
            n, _ = compare(photo, reading.cards)
            print(
                f"{photo.file}: {n.cards} cards, found {n.found / n.cards:.3f} right {n.right / n.cards:.3f} "
                f"extra {n.extra} silent {n.silent}, {reading.timing_ms['total']:.0f} ms, {len(data) / 1e6:.1f} MB",
                flush=True,
            )
    print(
        f"most memory held {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB, renderer included"
    )


if __name__ == "__main__":
    main()
