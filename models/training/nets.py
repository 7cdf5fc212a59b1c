"""The two networks: plain convolutions only, since depthwise ones train ten times slower on a CPU."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional

MAPS = 11  # channels of the ends network, in the order of `vision.ends.MAPS`
EMBEDDING = 128
FRAME = 6  # numbers that say how an end lies in its crop
COLOURS = ("r", "y", "g", "w", "none")


def conv(inputs: int, outputs: int, stride: int = 1) -> nn.Sequential:
    """3 x 3 convolution, batch norm, ReLU."""
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False), nn.BatchNorm2d(outputs), nn.ReLU(inplace=True)
    )


class Residual(nn.Module):
    """Two convolutions around a shortcut."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.first = conv(width, width)
        self.second = nn.Sequential(nn.Conv2d(width, width, 3, 1, 1, bias=False), nn.BatchNorm2d(width))

    def forward(self, x: Tensor) -> Tensor:
        return functional.relu(x + self.second(self.first(x)))


class EndsNet(nn.Module):
    """Picture -> maps of card ends at a quarter of its size.

    Input (N, 3, H, W) RGB 0..255 with H and W multiples of 32; output (N, 11, H/4, W/4): heat logit, offset x and y
    in cells, outward cos and sin (not normalised), log(size / 32 px), slant (2, `vision.geometry.slanted_quad`), vector
    to the other end x and y in sizes, visible-share logit.
    """

    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Sequential(conv(3, 16, 2), conv(16, 32, 2))
        self.quarter = conv(32, 32)
        self.eighth = nn.Sequential(conv(32, 64, 2), Residual(64))
        self.sixteenth = nn.Sequential(conv(64, 96, 2), Residual(96), Residual(96), Residual(96))
        self.thirty_second = nn.Sequential(conv(96, 96, 2), Residual(96), Residual(96), Residual(96))
        self.side16 = nn.Conv2d(96, 64, 1)
        self.side32 = nn.Conv2d(96, 64, 1)
        self.merge16 = nn.Sequential(conv(64, 64), Residual(64))
        self.side8 = nn.Conv2d(64, 64, 1)
        self.merge8 = nn.Sequential(conv(64, 32), Residual(32))
        self.side4 = nn.Conv2d(32, 32, 1)
        self.merge4 = conv(32, 32)
        self.heat = nn.Conv2d(32, 1, 3, 1, 1)
        self.shape = nn.Sequential(conv(32, 32), nn.Conv2d(32, MAPS - 3, 1))
        self.slant = nn.Sequential(conv(96, 64), nn.Conv2d(64, 2, 1))  # of the table, so it is told from afar
        nn.init.constant_(self.heat.bias, -4.0)  # type: ignore[arg-type]

    def forward(self, x: Tensor) -> Tensor:
        full, slant = self.trunk((x - 128.0) / 64.0)
        shape = self.shape(full)
        slant = functional.interpolate(slant, scale_factor=8.0, mode="nearest")
        return torch.cat([self.heat(full), shape[:, :5], slant, shape[:, 5:]], 1)

    def trunk(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """Of pictures from -2 to 2 what the heads look at (N, 32, H/4, W/4), and the slant (N, 2, H/32, W/32)."""
        quarter = self.quarter(self.stem(x))
        eighth = self.eighth(quarter)
        sixteenth = self.sixteenth(eighth)
        thirty_second = self.thirty_second(sixteenth)
        deep = self.side32(thirty_second)
        mid = self.merge16(
            self.side16(sixteenth) + functional.interpolate(deep, scale_factor=2.0, mode="nearest")
        )
        fine = self.merge8(self.side8(eighth) + functional.interpolate(mid, scale_factor=2.0, mode="nearest"))
        full = self.merge4(
            self.side4(quarter) + functional.interpolate(fine, scale_factor=2.0, mode="nearest")
        )
        return full, self.slant(thirty_second)


class FacesNet(nn.Module):
    """Upright crop of a card end -> what it shows.

    Input (N, 3, 96, 64) RGB 0..255. Output: cosine of the embedding to each class (N, K), embedding (N, 128) of
    length 1, upside-down logit (N,), paper colour logits (N, 5) in the order of ``COLOURS``, and how the end really
    lies in the crop (N, 6), as `vision.geometry.frame_in_crop` has it.
    """

    def __init__(self, classes: int) -> None:
        super().__init__()
        self.features = nn.Sequential(
            conv(3, 32, 2),
            conv(32, 48),
            conv(48, 64, 2),
            Residual(64),
            conv(64, 128, 2),
            Residual(128),
            Residual(128),
            conv(128, 160, 2),
            Residual(160),
            nn.Conv2d(160, 48, 1, bias=False),
            nn.BatchNorm2d(48),
            nn.ReLU(inplace=True),
            nn.Flatten(),
        )
        self.embed = nn.Linear(48 * 6 * 4, EMBEDDING)
        self.weight = nn.Parameter(torch.randn(classes, EMBEDDING) * 0.1)
        self.side = nn.Linear(48 * 6 * 4, 1 + len(COLOURS))
        self.frame = nn.Linear(48 * 6 * 4, FRAME)
        nn.init.zeros_(self.frame.weight)
        nn.init.zeros_(self.frame.bias)

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor]:
        return self.answer((x - 128.0) / 64.0)

    def answer(self, x: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor]:
        """What crops from -2 to 2 show."""
        flat = self.features(x)
        embedding = functional.normalize(self.embed(flat).float(), dim=1)
        cosine = embedding @ functional.normalize(self.weight.float(), dim=1).T
        side = self.side(flat).float()
        return cosine, embedding, side[:, 0], side[:, 1:], self.frame(flat).float()
