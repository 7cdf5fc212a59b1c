"""The training loop that both networks share: one thread, bf16, cosine schedule, moving average, resumable."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

PEAK_RATE = 2e-3
LAST_RATE = 1e-5
WARM_UP = 300  # steps
SAVE_EVERY = 180  # s


def learning_rate(step: int, total: int) -> float:
    """Warm-up, then half a cosine."""
    return (
        PEAK_RATE * min(1.0, (step + 1) / WARM_UP) * 0.5 * (1 + math.cos(math.pi * min(1.0, step / total)))
        + LAST_RATE
    )


def step_at(rate: float, total: int) -> int:
    """The step of a schedule of so many from which the learning rate stays under this share, 0 to 1, of its peak."""
    return round(total * math.acos(2 * rate - 1) / math.pi)


def save(path: Path, state: dict[str, Any]) -> None:
    """Write a checkpoint at once or not at all."""
    partial = path.with_suffix(".part")
    torch.save(state, partial)
    partial.rename(path)


def begun(
    net: nn.Module, optimiser: torch.optim.Optimizer, checkpoint: Path, start: Path | None, at: int
) -> tuple[dict[str, Tensor], int]:
    """Put a net in the state of its checkpoint, else in that of `start` at step `at`: its moving average and step."""
    step = 0
    if checkpoint.exists():
        state = torch.load(checkpoint)
        net.load_state_dict(state["net"])
        if "optimiser" in state:  # a checkpoint that was given a new head has none
            optimiser.load_state_dict(state["optimiser"])
        return state["average"], int(state["step"])
    if start is not None:
        net.load_state_dict(torch.load(start)["average"])
        step = at
    return {k: v.clone() for k, v in net.state_dict().items()}, step


def fit(
    net: nn.Module,
    batches: Callable[[int], Iterator[Any]],
    loss: Callable[[Any], tuple[Tensor, Sequence[float]]],
    checkpoint: Path,
    *,
    minutes: float,
    steps: int,
    shown: Sequence[str],
    start: Path | None = None,
    rate: float = 1.0,
) -> None:
    """Train ``net`` in place until the time is up or the schedule of ``steps`` is done.

    ``batches(step)`` starts the stream of batches for a run that begins at a step; ``loss(batch)`` gives the loss
    and the figures named in ``shown``. The checkpoint holds the net, the optimiser, the moving average of the
    weights (which is what gets exported) and the step; a run resumes from it. Where there is none yet, `start` may name
    another run's, whose averaged weights are trained on from this share of the peak `rate` to the end of the schedule.
    """
    optimiser = torch.optim.AdamW(net.parameters(), lr=LAST_RATE, weight_decay=0.03)
    average, step = begun(net, optimiser, checkpoint, start, step_at(rate, steps))
    stream = batches(step)
    began = saved = time.time()
    figures = [0.0] * len(shown)
    while step < steps and time.time() - began < minutes * 60:
        for group in optimiser.param_groups:
            group["lr"] = learning_rate(step, steps)
        value, now = loss(next(stream))
        optimiser.zero_grad()
        value.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        optimiser.step()
        step += 1
        decay = min(0.998, step / (step + 20))
        for key, tensor in net.state_dict().items():
            average[key] = (
                average[key].lerp(tensor, 1 - decay) if tensor.is_floating_point() else tensor.clone()
            )
        figures = [0.98 * old + 0.02 * new for old, new in zip(figures, now, strict=True)]
        if step % 100 == 0:
            report = " ".join(f"{name} {figure:.4f}" for name, figure in zip(shown, figures, strict=True))
            print(f"step {step} {report} {time.time() - began:.0f} s", flush=True)
        if time.time() - saved > SAVE_EVERY:
            save(
                checkpoint,
                {
                    "net": net.state_dict(),
                    "optimiser": optimiser.state_dict(),
                    "average": average,
                    "step": step,
                },
            )
            saved = time.time()
    save(
        checkpoint,
        {"net": net.state_dict(), "optimiser": optimiser.state_dict(), "average": average, "step": step},
    )
