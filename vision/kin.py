"""Faces that only colour tells apart.

All suits of one kind of 四色牌; elsewhere a red face and the black one that it is taken for where colour is missing.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np

from vision.geometry import Floats

# What held-out photos without colour are misread as: a red 1 as a black 2, and of 字牌 these.
MISTAKEN = {"s2": "s3", "s7": "s9", "s10": "s6", "b2": "b3", "b7": "b3", "b10": "b8"}
UNKNOWN = 0.85  # share of photos without colour in which what tells such faces apart is a guess


def kin(class_name: str) -> str:
    """What a class such as `sise:rK` shares with all those that only colour tells from it."""
    deck, _, code = class_name.partition(":")
    if deck == "sise":
        return f"sise:{code[1:]}"
    if deck == "chuanpai":
        return class_name.replace("1", "2")
    return f"{deck}:{MISTAKEN.get(code, code)}"


@cache
def kinship(classes: tuple[str, ...]) -> Floats:
    """(K, K) what each class shares with each: 1 / number of its kin, 0 for all others."""
    names = np.array([kin(name) for name in classes])
    alike = names[:, None] == names[None]
    shares: Floats = alike / alike.sum(axis=1, keepdims=True)
    return shares


def without_colour(log_evidence: Floats, classes: Sequence[str]) -> Floats:
    """Log-probabilities (M, K) of classes for cards of a photo that has no colour."""
    p = np.exp(log_evidence)
    table: Floats = np.log((1 - UNKNOWN) * p + UNKNOWN * p @ kinship(tuple(classes)) + 1e-30)
    return table
