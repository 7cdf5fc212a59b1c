"""Write a trained checkpoint as ONNX, check that it agrees with torch, and enter it in the manifest.

``python -m models.training.export ends|faces``
"""

from __future__ import annotations

import argparse
import hashlib
import json
import subprocess
import tomllib
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import torch
from torch import Tensor, nn
from torch.nn import functional
from torch.nn.utils.fusion import fuse_conv_bn_eval

from models.training.exported import load_exported
from models.training.nets import EndsNet, FacesNet
from models.training.scenes import CACHE
from models.training.train_faces import CLASSES, SCALE
from vision.ends import AROUND, PEAK, letterbox
from vision.photo import decode

MODELS = Path(__file__).resolve().parent.parent
SAMPLE = MODELS.parent / "webui" / "static" / "samples" / "chuanpai.jpg"
PARITY = 1e-3
LARGE = 1024  # numbers from which a tensor is stored in 16 bits


class EndsGraph(nn.Module):
    """The ends network with its input as a picture has it and its output as the reader wants it: `vision.ends.Peaks`.

    The shapes are worked out around the peaks alone, which spares two convolutions over a quarter of the size.
    """

    def __init__(self, net: EndsNet) -> None:
        super().__init__()
        self.net = net
        _for_pixels(net.stem[0])

    def forward(self, image: Tensor) -> tuple[Tensor, Tensor]:
        full, slant = self.net.trunk(image.permute(0, 3, 1, 2).float() - 128.0)
        heat = torch.sigmoid(self.heat(full))
        top = functional.max_pool2d(heat, 3, 1, 1)
        cells = torch.nonzero(((heat >= PEAK) & (heat >= top))[0, 0])
        height, width = heat.shape[2:]
        reach = AROUND + 1  # the shapes' first convolution sees a cell farther
        steps = torch.arange(-reach, reach + 1)
        rows, columns = cells[:, :1] + steps, cells[:, 1:] + steps
        inside = ((rows >= 0) & (rows < height))[:, :, None] & ((columns >= 0) & (columns < width))[:, None]
        rows, columns = rows.clamp(0, height - 1)[:, :, None], columns.clamp(0, width - 1)[:, None]
        within = slice(1, -1)
        shown = inside[:, None].float()
        shape = self.shapes(_gather(full, rows, columns) * shown)
        parts = [
            (_gather(heat, rows, columns) * shown)[:, :, within, within],
            shape[:, :5],
            _gather(slant, rows // 8, columns // 8)[:, :, within, within],
            shape[:, 5:7],
            torch.sigmoid(shape[:, 7:]),
        ]
        return cells, torch.cat(parts, 1)

    def heat(self, full: Tensor) -> Tensor:
        """The heat's 3 x 3 convolution as nine products per cell, summed over the cells around: half of the work, since
        a runtime rounds one channel up to sixteen."""
        head = self.net.heat
        products = functional.conv2d(full, head.weight[0].flatten(1).T[:, :, None, None])
        around = torch.eye(9).view(1, 9, 3, 3)
        return functional.conv2d(products, around, head.bias, padding=1)

    def shapes(self, patches: Tensor) -> Tensor:
        """The shape head on patches that reach a cell farther than its answer."""
        (convolution, *after), last = self.net.shape
        return last(nn.Sequential(*after)(functional.conv2d(patches, convolution.weight, convolution.bias)))


def _gather(maps: Tensor, rows: Tensor, columns: Tensor) -> Tensor:
    """Maps (1, C, H, W) at rows (P, n, 1) and columns (P, 1, n), as (P, C, n, n)."""
    place = rows * maps.shape[3] + columns
    return maps[0].flatten(1)[:, place.flatten()].unflatten(1, place.shape).transpose(0, 1)


def _for_pixels(first: nn.Module) -> None:
    """Let a network's first convolution take pixels from -128 to 127 instead of -2 to 2."""
    convolution = first[0]  # type: ignore[index]
    with torch.no_grad():
        convolution.weight.div_(64.0)


class FacesGraph(nn.Module):
    """The face network likewise."""

    def __init__(self, net: FacesNet) -> None:
        super().__init__()
        self.net = net
        _for_pixels(net.features[0])

    def forward(self, crops: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor]:
        cosine, embedding, upside, colours, frame = self.net.answer(crops.permute(0, 3, 1, 2).float() - 128.0)
        return cosine * SCALE, embedding, torch.sigmoid(upside), torch.softmax(colours, 1), frame


def weights(kind: str, path: Path) -> dict[str, Tensor]:
    """The averaged weights of a checkpoint, or those of an exported network."""
    if path.suffix != ".onnx":
        average: dict[str, Tensor] = torch.load(path)["average"]
        return average
    net = EndsNet() if kind == "ends" else FacesNet(len(CLASSES))
    load_exported(net, path)
    return net.state_dict()


def mean_weights(kind: str, files: Sequence[Path]) -> dict[str, Tensor]:
    """The mean of the weights of checkpoints, or of exported networks (not of both: their norms differ); of runs that
    went on one from the other it generalises better than each (Wortsman and others, "Model soups", 2022)."""
    mean = weights(kind, files[0])
    for number, path in enumerate(files[1:], 2):
        more = weights(kind, path)
        mean = {
            key: held.lerp(more[key], 1 / number) if held.is_floating_point() else more[key]
            for key, held in mean.items()
        }
    return mean


def graph(kind: str, average: dict[str, Tensor]) -> tuple[nn.Module, Tensor, dict[str, object]]:
    """The module to export, an example input and the arguments of the exporter."""
    if kind == "ends":
        ends = EndsNet()
        ends.load_state_dict(average)
        names = {"input_names": ["image"], "output_names": ["cells", "around"]}
        axes = {"image": {1: "height", 2: "width"}, "cells": {0: "peaks"}, "around": {0: "peaks"}}
        return (
            EndsGraph(ends).eval(),
            torch.from_numpy(letterbox(decode(SAMPLE.read_bytes()))),  # noise would have no peaks
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


def widen_at_once(model: onnx.ModelProto) -> None:
    """Let the graph widen its pixels and take 128 from them in one pass instead of two."""
    nodes = model.graph.node
    cast = next(node for node in nodes if node.op_type == "Cast")
    (sub,) = (node for node in nodes if node.op_type == "Sub" and node.input[0] == cast.output[0])
    grey = next(node for node in nodes if node.output[0] == sub.input[1])
    at = list(nodes).index(cast)
    model.graph.initializer.extend(
        [
            onnx.numpy_helper.from_array(np.float32(1), "pixel.scale"),
            onnx.numpy_helper.from_array(np.uint8(128), "pixel.grey"),
        ]
    )
    widen = onnx.helper.make_node(
        "DequantizeLinear", [cast.input[0], "pixel.scale", "pixel.grey"], list(sub.output)
    )
    nodes.insert(at, widen)
    for node in (cast, sub, grey):
        nodes.remove(node)


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
    parser.add_argument(
        "--checkpoint",
        nargs="+",
        help="file in the cache (default: KIND.pt), or exported networks; of several the mean of their weights",
    )
    parser.add_argument("--recipe", default="", help="how it was trained, in one line")
    parser.add_argument("--steps", type=int, default=0, help="that the manifest names, for exported networks")
    parser.add_argument(
        "--temperature", type=float, default=1.0, help="of the face logits, from models.training.calibrate"
    )
    args = parser.parse_args()
    named = [Path(name) for name in args.checkpoint or [f"{args.kind}.pt"]]
    checkpoints = [path if path.suffix == ".onnx" else CACHE / path for path in named]
    module, example, names = graph(args.kind, mean_weights(args.kind, checkpoints))
    file = MODELS / f"card_{args.kind}.onnx"
    round_weights(module)
    torch.onnx.export(module, (example,), str(file), opset_version=17, dynamo=False, **names)  # type: ignore[arg-type]
    model = onnx.load(str(file))
    meta = {"stride": "4"}
    if args.kind == "faces":
        meta = {"classes": json.dumps(CLASSES), "scale": str(SCALE), "temperature": f"{args.temperature:.4f}"}
    for key, value in meta.items():
        model.metadata_props.add(key=key, value=value)
    widen_at_once(model)
    store_halved(model)
    onnx.save(model, str(file))
    data = file.read_bytes()
    worst = disagreement(module, data, example)
    if worst > PARITY:
        raise SystemExit(f"ONNX and torch differ by {worst:.2g}, more than {PARITY}")
    commit = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=True
    ).stdout.strip()
    step = args.steps or int(torch.load(checkpoints[-1])["step"])
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
