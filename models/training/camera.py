"""A pinhole camera over a table, and a card bent in space, as plain matrices.

World: x to the right, y along the table towards the viewer, z up from the table, all in millimetres.
Picture: (x, y) px, y down. Looking straight down (pitch 0) world x, y and picture x, y point the same way.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from models.training.layout import Pose, Size

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Camera:
    """Projection ``matrix`` (3, 4) from world mm to picture px, and the picture's ``width`` and ``height``."""

    matrix: Floats
    width: int
    height: int

    def project(self, points: Floats) -> Floats:
        """World points (..., 3) mm to picture points (..., 2) px."""
        mapped = points @ self.matrix[:, :3].T + self.matrix[:, 3]
        return mapped[..., :2] / mapped[..., 2:]

    def table(self) -> Floats:
        """Homography (3, 3) from table mm (z = 0) to picture px."""
        return self.matrix[:, [0, 1, 3]]


def aim(
    rng: np.random.Generator,
    points: Floats,
    width: int,
    height: int,
    *,
    pitch: float,
    roll: float,
    fill: float,
) -> Camera:
    """A camera tilted by ``pitch`` and turned by ``roll`` (radians) that sees ``points`` (n, 3) mm.

    ``fill`` is the share of the picture that the points' bounding box takes along the tighter side; above 1
    some are cut off.
    """
    middle = points.mean(axis=0)
    reach = float(np.abs(points - middle).max()) + 20
    distance = reach * rng.uniform(2.2, 5.0)
    c, s = np.cos(pitch), np.sin(pitch)
    view = np.array([[1, 0, 0, 0], [0, c, -s, 0], [0, -s, -c, distance]], np.float64)
    view[:, 3] -= view[:, :3] @ middle
    turn = np.array([[np.cos(roll), -np.sin(roll), 0], [np.sin(roll), np.cos(roll), 0], [0, 0, 1.0]])
    raw = Camera(turn @ view, width, height)
    seen = raw.project(points)
    low, high = seen.min(axis=0), seen.max(axis=0)
    scale = fill * min(width / (high[0] - low[0]), height / (high[1] - low[1]))
    slack = np.array([width, height]) - (high - low) * scale
    offset = slack * rng.uniform(0.25, 0.75, 2) - low * scale
    fit = np.array([[scale, 0, offset[0]], [0, scale, offset[1]], [0, 0, 1.0]])
    return Camera(fit @ raw.matrix, width, height)


@dataclass(frozen=True)
class BentCard:
    """A card as the camera sees it.

    ``homography`` (3, 3) maps card coordinates (u across, v along, both 0..1 from the first end's outer left
    corner) to px for the flat card through its four corners; ``rows`` (k,) are true v values, ``bent`` (k, 2) the
    (u, v) that the middle of each row has on that flat card.
    """

    homography: Floats
    rows: Floats
    bent: Floats

    def to_picture(self, uv: Floats) -> Floats:
        """Card coordinates (..., 2) to picture px (..., 2)."""
        shift = np.interp(uv[..., 1], self.rows, self.bent[:, 0]) - 0.5
        v = np.interp(uv[..., 1], self.rows, self.bent[:, 1])
        lifted = np.stack([uv[..., 0] + shift, v, np.ones_like(v)], -1) @ self.homography.T
        return lifted[..., :2] / lifted[..., 2:]


def surface(pose: Pose, size: Size, lift: float, uv: Floats) -> Floats:
    """World points (..., 3) mm of card coordinates (..., 2) of a bent, tilted card lying at height ``lift`` mm."""
    along = np.array([np.cos(pose.angle), np.sin(pose.angle)])
    right = np.array([-along[1], along[0]])
    x = (uv[..., :1] - 0.5) * size.width
    y = (0.5 - uv[..., 1:]) * size.height
    arch = (2 * uv[..., 1] - 1) ** 2
    z = lift + (pose.bend * (1 - arch) if pose.bend > 0 else -pose.bend * arch)
    z = z + x[..., 0] * pose.tilt_across + y[..., 0] * pose.tilt_along
    z = z + abs(pose.tilt_across) * size.width / 2 + abs(pose.tilt_along) * size.height / 2
    plane = np.array([pose.x, pose.y]) + x * right + y * along
    return np.concatenate([plane, z[..., None]], -1)


def bend_card(camera: Camera, pose: Pose, size: Size, lift: float) -> BentCard:
    """Project a card."""
    corners = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float64)
    seen = camera.project(surface(pose, size, lift, corners))
    homography = cv2.getPerspectiveTransform(corners.astype(np.float32), seen.astype(np.float32)).astype(
        np.float64
    )
    rows = np.linspace(0, 1, 9)
    middle = camera.project(surface(pose, size, lift, np.stack([np.full(9, 0.5), rows], -1)))
    back = np.concatenate([middle, np.ones((9, 1))], -1) @ np.linalg.inv(homography).T
    return BentCard(homography, rows, back[:, :2] / back[:, 2:])
