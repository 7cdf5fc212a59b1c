"""Seeing: photo bytes to the cards that lie in them, with every doubt marked.

    reading = Reader().read(data, name="hand.jpg")
    [(card.code, card.confidence, card.review) for card in reading.cards]

Images are RGB uint8 (H, W, 3); points are (x, y) px of the upright full photo; the quad of a card end is
outer-left, outer-right, inner-right, inner-left with the end's glyph upright.
"""

import os

# Read once, when cv2 is first imported; set later it is ignored (DESIGN 7).
os.environ.setdefault("OPENCV_IO_MAX_IMAGE_PIXELS", "50000000")
os.environ.setdefault("OPENCV_LOG_LEVEL", "SILENT")

from vision.header import PhotoError
from vision.photo import MAX_BYTES, MAX_PIXELS, decode
from vision.read import Reader
from vision.reading import CardEnd, Look, Reading, SeenCard, reading_json
from vision.remarks import REMARKS, Remark
from vision.taught import PrintError, load_print, print_names, save_print

__all__ = [
    "MAX_BYTES",
    "MAX_PIXELS",
    "REMARKS",
    "CardEnd",
    "Look",
    "PhotoError",
    "PrintError",
    "Reader",
    "Reading",
    "Remark",
    "SeenCard",
    "decode",
    "load_print",
    "print_names",
    "reading_json",
    "save_print",
]
