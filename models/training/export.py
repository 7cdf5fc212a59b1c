"""Write a trained checkpoint as ONNX, check that it agrees with torch, and enter it in the manifest.

``python -m models.training.export ends|faces``
"""

from __future__ import annotations

import argparse
import hashlib
import json
import subprocess
import tomllib
from itertools import pairwise
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import torch
from torch import Tensor, nn
from torch.nn.utils.fusion import fuse_conv_bn_eval

from models.training.nets import EndsNet, FacesNet
from models.training.scenes import CACHE
from models.training.train_faces import CLASSES, SCALE

MODELS = Path(__file__).resolve().parent.parent
PARITY = 1e-3
LARGE = 1024  # numbers from which a tensor is stored in 16 bits


class EndsGraph(nn.Module):
    """The ends network with its input as a picture has it and its output as the reader wants it."""

    def __init__(self, net: EndsNet) -> None:
        super().__init__()
        self.net = net

    def forward(self, image: Tensor) -> Tensor:
        out = self.net(image.permute(0, 3, 1, 2).float())
        return torch.cat([torch.sigmoid(out[:, :1]), out[:, 1:10], torch.sigmoid(out[:, 10:])], 1)


class FacesGraph(nn.Module):
    """The face network likewise."""

    def __init__(self, net: FacesNet) -> None:
        super().__init__()
        self.net = net

    def forward(self, crops: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor]:
        cosine, embedding, upside, colours, frame = self.net(crops.permute(0, 3, 1, 2).float())
        return cosine * SCALE, embedding, torch.sigmoid(upside), torch.softmax(colours, 1), frame


def graph(kind: str, checkpoint: Path) -> tuple[nn.Module, Tensor, dict[str, object]]:
    """The module to export, an example input and the arguments of the exporter."""
    average = torch.load(checkpoint)["average"]
    if kind == "ends":
        ends = EndsNet()
        ends.load_state_dict(average)
        names = {"input_names": ["image"], "output_names": ["maps"]}
        axes = {"image": {1: "height", 2: "width"}, "maps": {2: "rows", 3: "columns"}}
        return (
            EndsGraph(ends).eval(),
            torch.randint(0, 256, (1, 96, 128, 3), dtype=torch.uint8),
            {**names, "dynamic_axes": axes},
        )
    faces = FacesNet(len(CLASSES))
    faces.load_state_dict(average)
    outputs = ["logits", "embedding", "upside_down", "colour", "frame"]
    axes = {name: {0: "n"} for name in ("crops", *outputs)}
    example = torch.randint(0, 256, (3, 96, 64, 3), dtype=torch.uint8)
    return (
        FacesGraph(faces).eval(),
        example,
        {"input_names": ["crops"], "output_names": outputs, "dynamic_axes": axes},
    )


def round_weights(module: nn.Module) -> None:
    """Put batch norms into the convolutions before them, in place, and give large weights values that 16 bits hold."""
    for block in module.modules():
        if isinstance(block, nn.Sequential):
            for i, (conv, norm) in enumerate(pairwise(block)):
                if isinstance(conv, nn.Conv2d) and isinstance(norm, nn.BatchNorm2d):
                    block[i], block[i + 1] = fuse_conv_bn_eval(conv, norm), nn.Identity()
    with torch.no_grad():
        for weight in module.parameters():
            if weight.numel() >= LARGE:
                weight.copy_(weight.half().float())


def store_halved(model: onnx.ModelProto) -> None:
    """Store what `round_weights` rounded in 16 bits; the runtime widens it when it loads the network."""
    for held in model.graph.initializer:
        values = onnx.numpy_helper.to_array(held)
        short = values.astype(np.float16)
        if values.dtype != np.float32 or values.size < LARGE or np.any(short.astype(np.float32) != values):
            continue
        name = held.name
        held.CopyFrom(onnx.numpy_helper.from_array(short, name + ".half"))
        widen = onnx.helper.make_node("Cast", [held.name], [name], to=onnx.TensorProto.FLOAT)
        model.graph.node.insert(0, widen)


def disagreement(module: nn.Module, data: bytes, example: Tensor) -> float:
    """The largest difference between torch and onnxruntime over all outputs."""
    session = onnxruntime.InferenceSession(data, providers=["CPUExecutionProvider"])
    there = session.run(None, {session.get_inputs()[0].name: example.numpy()})
    with torch.no_grad():
        here = module(example)
    pairs = zip(here if isinstance(here, tuple) else (here,), there, strict=True)
    return max(float(np.abs(a.numpy() - b).max()) for a, b in pairs)


def enter(name: str, file: str, data: bytes, facts: dict[str, object]) -> None:
    """Put a network's row into the manifest."""
    path = MODELS / "manifest.toml"
    table = tomllib.loads(path.read_text("utf-8")) if path.exists() else {}
    table[name] = {"file": file, "sha256": hashlib.sha256(data).hexdigest(), "bytes": len(data), **facts}
    lines = []
    for key in sorted(table):
        lines += [
            f"[{key}]",
            *(f"{k} = {json.dumps(v, ensure_ascii=False)}" for k, v in table[key].items()),
            "",
        ]
    path.write_text("\n".join(lines), "utf-8")


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kind", choices=("ends", "faces"))
    parser.add_argument("--checkpoint", help="file in the cache (default: KIND.pt)")
    parser.add_argument("--recipe", default="", help="how it was trained, in one line")
    parser.add_argument(
        "--temperature", type=float, default=1.0, help="of the face logits, from models.training.calibrate"
    )
    args = parser.parse_args()
    checkpoint = CACHE / (args.checkpoint or f"{args.kind}.pt")
    module, example, names = graph(args.kind, checkpoint)
    file = MODELS / f"card_{args.kind}.onnx"
    round_weights(module)
    torch.onnx.export(module, (example,), str(file), opset_version=17, dynamo=False, **names)  # type: ignore[arg-type]
    model = onnx.load(str(file))
    meta = {"stride": "4"}
    if args.kind == "faces":
        meta = {"classes": json.dumps(CLASSES), "scale": str(SCALE), "temperature": f"{args.temperature:.4f}"}
    for key, value in meta.items():
        model.metadata_props.add(key=key, value=value)
    store_halved(model)
    onnx.save(model, str(file))
    data = file.read_bytes()
    worst = disagreement(module, data, example)
    if worst > PARITY:
        raise SystemExit(f"ONNX and torch differ by {worst:.2g}, more than {PARITY}")
    commit = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=True
    ).stdout.strip()
    step = int(torch.load(checkpoint)["step"])
    facts: dict[str, object] = {
        "steps": step,
        "commit": commit,
        "recipe": args.recipe,
        "parity": float(f"{worst:.2g}"),
    }
    enter(f"card_{args.kind}", file.name, data, facts)
    print(f"{file.name}: {len(data)} bytes, step {step}, ONNX and torch agree within {worst:.2g}")


if __name__ == "__main__":
    main()
