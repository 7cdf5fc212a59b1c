"""Take up training from an exported network: the weights of an ONNX file, put back into torch's.

Exporting puts every batch norm into the convolution before it. Read back, a norm first only adds that convolution's
bias; `settle` then lets it measure what it is given, so that it answers as before and can be trained.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from torch import Tensor, nn

PIXEL_SCALE = 64.0  # an exported network's first convolution takes pixels from -128 to 127 instead of -2 to 2


class ExportedError(ValueError):
    """An ONNX file is not an export of the network that is to be trained."""


def held(path: Path) -> tuple[dict[str, Tensor], list[Tensor]]:
    """The weights of an exported network by their names in torch, and those whose names the exporter did not keep."""
    named, nameless = {}, []
    for weight in onnx.load(str(path)).graph.initializer:
        value = torch.from_numpy(np.array(onnx.numpy_helper.to_array(weight)))
        if weight.name.startswith("net."):
            named[weight.name.removeprefix("net.").removesuffix(".half")] = value.float()
        elif value.is_floating_point() and value.ndim > 1:
            nameless.append(value.float())
    return named, nameless


def normed(net: nn.Module) -> Iterator[tuple[str, str, nn.BatchNorm2d]]:
    """Every batch norm that follows a convolution: the names of both, and the norm."""
    for name, block in net.named_modules():
        if isinstance(block, nn.Sequential):
            for (first, conv), (second, norm) in pairwise(block.named_children()):
                if isinstance(conv, nn.Conv2d) and isinstance(norm, nn.BatchNorm2d):
                    yield f"{name}.{first}", f"{name}.{second}", norm


def load_exported(net: nn.Module, path: Path) -> list[str]:
    """Give a net in place the weights of its export; returns the names of its parameters that the file lacks.

    Raises
    ------
    ExportedError : a weight of the file has no place in the net.
    """
    named, nameless = held(path)
    for conv, norm, module in normed(net):
        named[f"{norm}.bias"] = named.pop(f"{conv}.bias", torch.zeros(module.num_features))
        named[f"{norm}.weight"] = torch.ones(module.num_features)
        named[f"{norm}.running_mean"] = torch.zeros(module.num_features)
        named[f"{norm}.running_var"] = torch.full((module.num_features,), 1 - module.eps)
    own = net.state_dict()
    missing = [key for key, value in own.items() if key not in named and value.is_floating_point()]
    for value in nameless:
        fitting = [key for key in missing if own[key].numel() == value.numel() and own[key].ndim > 1]
        for key in fitting[:1]:
            named[key] = value.reshape(own[key].shape)
            missing.remove(key)
    astray = [key for key, value in named.items() if key not in own or own[key].shape != value.shape]
    if astray:
        raise ExportedError(f"{path.name}: no place for {', '.join(sorted(astray))}")
    named[next(key for key, value in own.items() if value.ndim == 4)] *= PIXEL_SCALE
    net.load_state_dict({**own, **named})
    return missing


def settle(net: nn.Module, run: Callable[[Any], object], batches: Iterable[Any]) -> None:
    """Let batch norms that only add a bias measure their inputs over batches and norm them, with the same answers.

    ``run(batch)`` sends a batch through the net.
    """
    norms = [module for _, _, module in normed(net)]
    sums = {norm: torch.zeros(3, norm.num_features) for norm in norms}

    def measured(norm: nn.Module, given: tuple[Tensor, ...]) -> None:
        x = given[0].detach().float().transpose(0, 1).flatten(1)
        sums[norm] += torch.stack([torch.full((len(x),), float(x.shape[1])), x.sum(1), (x**2).sum(1)])

    hooks = [norm.register_forward_pre_hook(measured) for norm in norms]
    net.eval()
    with torch.no_grad():
        for batch in batches:
            run(batch)
    for hook in hooks:
        hook.remove()
    net.train()
    for norm, (count, total, squares) in sums.items():
        mean = total / count
        spread = (squares / count - mean**2).clamp(min=0)
        with torch.no_grad():
            norm.bias += mean
            norm.weight.copy_((spread + norm.eps).sqrt())
            norm.running_mean, norm.running_var = mean, spread
