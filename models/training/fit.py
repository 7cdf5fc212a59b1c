"""The training loop that both networks share: one thread, bf16, cosine schedule, moving average, resumable."""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from models.training.exported import load_exported, settle
from models.training.scenes import CACHE

PEAK_RATE = 2e-3
LAST_RATE = 1e-5
WARM_UP = 300  # steps
SAVE_EVERY = 180  # s
SETTLING = 24  # batches over which an exported network's norms measure what they are given


@dataclass(frozen=True)
class Run:
    """What a training run is told: where its scenes and its checkpoint lie, for how long and how far it trains.

    start, rate : whose weights (a checkpoint, or an exported network), and what share of the peak learning rate, it
    begins with where it has no checkpoint.
    """

    scenes: Path
    checkpoint: Path
    minutes: float
    steps: int
    batch: int
    start: Path | None
    rate: float


def told(doc: str | None, checkpoint: str, steps: int, batch: int) -> Run:
    """The command line of a training run, with the defaults of its network; sets the number of threads."""
    parser = argparse.ArgumentParser(description=doc)
    parser.add_argument("--scenes", default="scenes-train", help="folder in the cache")
    parser.add_argument("--checkpoint", default=checkpoint, help="file in the cache")
    parser.add_argument("--minutes", type=float, default=110)
    parser.add_argument("--steps", type=int, default=steps, help="length of the learning-rate schedule")
    parser.add_argument(
        "--start",
        help="whose weights a new run begins with: models/card_NAME.onnx, or a checkpoint in the cache",
    )
    parser.add_argument(
        "--rate", type=float, default=1.0, help="share of the peak learning rate it begins at"
    )
    parser.add_argument("--batch", type=int, default=batch)
    parser.add_argument("--threads", type=int, default=1)
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    start = Path(args.start) if args.start else None
    return Run(
        CACHE / args.scenes,
        CACHE / args.checkpoint,
        args.minutes,
        args.steps,
        args.batch,
        start if start is None or start.suffix == ".onnx" else CACHE / start,
        args.rate,
    )


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


Batches = Callable[[int], Iterator[Any]]
Loss = Callable[[Any], tuple[Tensor, Sequence[float]]]


def begun(
    net: nn.Module, optimiser: torch.optim.Optimizer, run: Run, batches: Batches, loss: Loss
) -> tuple[dict[str, Tensor], int, Iterator[Any]]:
    """Put a net in the state of its checkpoint, else in that of its `start`: its moving average, step and batches."""
    step = 0
    if run.checkpoint.exists():
        state = torch.load(run.checkpoint)
        net.load_state_dict(state["net"])
        if "optimiser" in state:  # a checkpoint that was given a new head has none
            optimiser.load_state_dict(state["optimiser"])
        return state["average"], int(state["step"]), batches(int(state["step"]))
    if run.start is not None:
        step = step_at(run.rate, run.steps)
    stream = batches(step)
    if run.start is not None and run.start.suffix == ".onnx":
        load_exported(net, run.start)
        settle(net, loss, islice(stream, SETTLING))
    elif run.start is not None:
        net.load_state_dict(torch.load(run.start)["average"])
    return {k: v.clone() for k, v in net.state_dict().items()}, step, stream


def fit(
    net: nn.Module,
    batches: Batches,
    loss: Loss,
    run: Run,
    shown: Sequence[str],
) -> None:
    """Train ``net`` in place until the time is up or the schedule of the run's steps is done.

    ``batches(step)`` starts the stream of batches for a run that begins at a step; ``loss(batch)`` gives the loss
    and the figures named in ``shown``. The checkpoint holds the net, the optimiser, the moving average of the
    weights (which is what gets exported) and the step; a run resumes from it. Where there is none yet, its
    `start` may name another run's, or an exported network, whose averaged weights are trained on from its `rate` to the
    end of the schedule.
    """
    optimiser = torch.optim.AdamW(net.parameters(), lr=LAST_RATE, weight_decay=0.03)
    average, step, stream = begun(net, optimiser, run, batches, loss)
    began = saved = time.time()
    figures = [0.0] * len(shown)
    while step < run.steps and time.time() - began < run.minutes * 60:
        for group in optimiser.param_groups:
            group["lr"] = learning_rate(step, run.steps)
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
                run.checkpoint,
                {
                    "net": net.state_dict(),
                    "optimiser": optimiser.state_dict(),
                    "average": average,
                    "step": step,
                },
            )
            saved = time.time()
    save(
        run.checkpoint,
        {"net": net.state_dict(), "optimiser": optimiser.state_dict(), "average": average, "step": step},
    )
