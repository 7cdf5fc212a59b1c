"""The committed networks, put back into torch, answer as they do in onnxruntime, and can be trained on."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest

import models

torch: Any = pytest.importorskip("torch")
pytest.importorskip("onnx")

CLOSE = 1e-5


@pytest.mark.parametrize("kind", ["ends", "faces"])
def test_a_committed_network_is_taken_up_as_it_is(kind: str) -> None:
    from models.training.export import SAMPLE, EndsGraph, FacesGraph, disagreement
    from models.training.exported import load_exported, settle
    from models.training.nets import EndsNet, FacesNet
    from models.training.train_faces import CLASSES
    from vision.ends import letterbox
    from vision.photo import decode

    path = Path(models.__file__).parent / f"card_{kind}.onnx"
    net = EndsNet() if kind == "ends" else FacesNet(len(CLASSES))
    assert load_exported(net, path) == []
    if kind == "ends":
        graph: Any = EndsGraph
        example = torch.from_numpy(letterbox(decode(SAMPLE.read_bytes())))
        batches = [torch.rand(2, 3, 64, 96) * 255 for _ in range(3)]
    else:
        graph = FacesGraph
        example = torch.randint(0, 256, (3, 96, 64, 3), dtype=torch.uint8)
        batches = [torch.rand(4, 3, 96, 64) * 255 for _ in range(3)]
    assert disagreement(graph(copy.deepcopy(net)).eval(), path.read_bytes(), example) < CLOSE
    settle(net, net, batches)
    assert disagreement(graph(copy.deepcopy(net)).eval(), path.read_bytes(), example) < CLOSE
    net.train()
    with torch.no_grad():  # norms that measured their inputs train on about as they answered
        trained = net(batches[0])
        answered = net.eval()(batches[0])
    pairs = zip(trained, answered, strict=True) if kind == "faces" else [(trained, answered)]
    for a, b in pairs:
        assert float((a - b).abs().mean()) < 0.5 * float(b.abs().mean()) + 0.05


def test_another_networks_file_is_refused() -> None:
    from models.training.exported import ExportedError, load_exported
    from models.training.nets import EndsNet

    with pytest.raises(ExportedError, match=r"card_faces\.onnx: no place for .*embed"):
        load_exported(EndsNet(), Path(models.__file__).parent / "card_faces.onnx")
