"""A printed page as a picture."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from webui.printing.shapes import Page

MM_PER_INCH = 25.4
SHIFT = 4  # bits of a pixel's fraction in OpenCV's points
CAP_HEIGHT_PX = 21  # of OpenCV's plain letters at scale 1


def picture(page: Page, dots_per_inch: float = 200) -> npt.NDArray[np.uint8]:
    """The page as RGB (H, W, 3) on white."""
    scale = dots_per_inch / MM_PER_INCH
    image = np.full((round(page.height * scale), round(page.width * scale), 3), 255, np.uint8)
    for shape in page.shapes:
        # Contours count from the page's edge, OpenCV from the middle of the first pixel.
        points = [np.round((one * scale - 0.5) * 2**SHIFT).astype(np.int32) for one in shape.contours]
        cv2.fillPoly(image, points, shape.colour, lineType=cv2.LINE_AA, shift=SHIFT)
    for label in page.labels:
        at = (round(label.x * scale), round(label.y * scale))
        size = label.size * scale / CAP_HEIGHT_PX
        cv2.putText(image, label.text, at, cv2.FONT_HERSHEY_SIMPLEX, size, (60, 60, 60), 1, cv2.LINE_AA)
    return image


def png(page: Page, dots_per_inch: float = 200) -> bytes:
    """The page as a PNG file."""
    return cv2.imencode(".png", picture(page, dots_per_inch)[..., ::-1])[1].tobytes()
