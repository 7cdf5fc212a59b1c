"""RapidOCR: the recogniser of a general OCR on the upright crop, its text looked up among the cards' characters."""

from __future__ import annotations

import numpy as np

from models.training.baselines.paper import Painter, colourless
from models.training.baselines.score import FaceReader
from scorer.cards import deck
from vision.photo import Image

SQUARE = slice(0, 72)  # rows of a crop down to 1.2 card widths: one character, as a line of text has it
LINE = [3, 48, 96]  # of the recogniser's input; its own 320 px of width would be padding
JOKERS = ("C", "T")  # the only 川牌 with characters
SETTINGS = {
    "Global.log_level": "error",
    "EngineConfig.onnxruntime.intra_op_num_threads": 1,
    "Rec.rec_img_shape": LINE,
}


def card_characters() -> dict[str, str]:
    """What each character printed on a card stands for: ``sise:K`` for 將, ``zipai:s3`` for 三, ``chuanpai:C`` for 财.

    Pips are no characters: of 川牌 only the jokers have an entry.
    """
    found = {name: f"zipai:{code}" for name, code in deck("zipai").aliases.items() if chinese(name)}
    for name, code in deck("sise").aliases.items():
        if chinese(name):
            found[name[-1]] = colourless(f"sise:{code}")
    for name, code in deck("chuanpai").aliases.items():
        if code in JOKERS and chinese(name):
            found |= dict.fromkeys(name, f"chuanpai:{code}")
    return found


def chinese(name: str) -> bool:
    """Whether a card's name is written in Chinese characters, as the cards are."""
    return all("\u4e00" <= letter <= "\u9fff" for letter in name)


def looked_up(text: str, characters: dict[str, str]) -> str:
    """What the first known character of a text stands for, "" without one."""
    return next((characters[letter] for letter in text if letter in characters), "")


def ocr_reader(paint: Painter) -> FaceReader:
    """Reads the character, and a 四色 card's colour from its paper."""
    from rapidocr import RapidOCR

    engine, characters = RapidOCR(params=SETTINGS), card_characters()

    def read(crops: Image) -> list[str]:
        lines = [np.ascontiguousarray(crop[SQUARE, :, ::-1]) for crop in crops]
        texts = engine.recognize_txt(lines).txts
        return paint([looked_up(text, characters) for text in texts], crops)

    return read
