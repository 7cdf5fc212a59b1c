"""Count the multiply-adds of the exported networks: ``python -m models.training.multiply_adds [FILE ...]``.

Of `card_ends` for a picture of 1280 x 960 and for each of its peaks, of `card_faces` for each end; convolutions and
matrix products only, as the graph has them, which is all but a hundredth of the work.
"""

from __future__ import annotations

import argparse
import math
from pathlib import Path

import onnx

from vision.ends import AROUND

MODELS = Path(__file__).resolve().parent.parent
DIMENSIONS = {"height": 960, "width": 1280, "n": 1}
AROUND_PEAK = (2 * AROUND + 1) ** 2  # cells


def multiply_adds(path: Path) -> tuple[int, int]:
    """Multiply-adds of a network for one picture (or one end), and for each peak in it."""
    model = onnx.load(str(path))
    for value in (*model.graph.input, *model.graph.output):
        for dimension in value.type.tensor_type.shape.dim:
            if dimension.dim_param in DIMENSIONS:
                dimension.dim_value = DIMENSIONS[dimension.dim_param]
    graph = onnx.shape_inference.infer_shapes(model).graph
    weights = {weight.name: tuple(weight.dims) for weight in graph.initializer}
    shapes = {
        value.name: tuple(dimension.dim_value for dimension in value.type.tensor_type.shape.dim)
        for value in (*graph.value_info, *graph.output)
    } | weights
    whole, peak = 0, 0
    for node in graph.node:
        if node.op_type not in ("Conv", "Gemm", "MatMul"):
            continue
        of, out = shapes[node.input[1]], shapes.get(node.output[0], ())
        if math.prod(out) and out:
            whole += math.prod(out) * (
                math.prod(of[1:]) if node.op_type == "Conv" else math.prod(of) // out[-1]
            )
        else:  # after the peaks, whose number the graph cannot know
            peak += math.prod(of) * AROUND_PEAK
    return whole, peak


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="*", type=Path, default=sorted(MODELS.glob("*.onnx")))
    for path in parser.parse_args().files:
        whole, peak = multiply_adds(path)
        print(f"{path.name}: {whole / 1e6:.1f} M multiply-adds, {peak / 1e6:.2f} M for each peak")


if __name__ == "__main__":
    main()
