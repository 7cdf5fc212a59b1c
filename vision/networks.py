"""The two trained networks as plain functions, with what their files say of themselves."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from functools import cached_property

import numpy as np

import models
from vision.ends import EndsNetwork, Peaks
from vision.faces import FaceAnswer, FacesNetwork
from vision.geometry import CROP_SIZE
from vision.photo import Image


@dataclass(frozen=True)
class Networks:
    """What sees ends, what reads faces, and what the numbers of the latter mean.

    classes : names of the K logits, `deck:code` or starting with `other`.
    temperature : what logits are divided by, so that probabilities mean what they say.
    scale : a logit is this times the cosine between an embedding and its class.
    name : tells the face network from every other, so that embeddings of different ones are never compared.
    """

    ends: EndsNetwork
    faces: FacesNetwork
    classes: tuple[str, ...]
    temperature: float
    scale: float
    name: str

    @cached_property
    def dimensions(self) -> int:
        """Numbers of one embedding."""
        width, height = CROP_SIZE
        return int(self.faces(np.zeros((1, height, width, 3), np.uint8)).embedding.shape[1])


def weights_fault() -> str | None:
    """What is wrong with the files of the networks; None for nothing."""
    try:
        models.check()
    except models.ModelError as error:
        return str(error)
    return None


def load_networks(threads: int | None = None) -> Networks:
    """Load and verify both networks.

    Parameters
    ----------
    threads : CPU threads of one run; None leaves the choice to onnxruntime.

    Raises
    ------
    models.ModelError
        When a file is missing or is not the one that the manifest names.
    """
    ends_session = models.load("card_ends", threads)
    faces_session = models.load("card_faces", threads)
    facts = faces_session.get_modelmeta().custom_metadata_map

    def ends(picture: Image) -> Peaks:
        cells, around = ends_session.run(list(Peaks._fields), {"image": picture})
        return Peaks(np.asarray(cells, dtype=np.int64), np.asarray(around, dtype=np.float32))

    def faces(crops: Image) -> FaceAnswer:
        answer = faces_session.run(list(FaceAnswer._fields), {"crops": crops})
        return FaceAnswer(*(np.asarray(part, dtype=np.float32) for part in answer))

    return Networks(
        ends,
        faces,
        tuple(json.loads(facts["classes"])),
        float(facts.get("temperature", "1")),
        float(facts.get("scale", "20")),
        models.manifest()["card_faces"].sha256[:16],
    )


def weights_name() -> str:
    """What tells the installed networks from every other state of them: 16 hexadecimal digits."""
    every = "".join(entry.sha256 for _, entry in sorted(models.manifest().items()))
    return hashlib.sha256(every.encode("ascii")).hexdigest()[:16]
