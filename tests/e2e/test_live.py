"""The live view with a camera that films a demo photo, and the page without a network."""

from __future__ import annotations

import os
from pathlib import Path

import cv2
import pytest
from playwright.sync_api import BrowserContext, Page, Playwright, expect, sync_playwright

from tests.e2e import steps
from tests.e2e.conftest import ARGUMENTS, PHONE, WAIT_MS
from tests.e2e.samples import Sample

CAMERA = ["--use-fake-ui-for-media-stream", "--use-fake-device-for-media-stream"]
FRAMES = 30
SIZE = (1280, 960)


def film(path: Path, photo: Path, light: float = 1.0) -> None:
    """Write a motion JPEG file of one still picture; `light` 0 to 1 dims it."""
    picture = cv2.imread(str(photo))
    assert picture is not None
    height, width = picture.shape[:2]
    scale = min(SIZE[0] / width, SIZE[1] / height)
    small = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    frame = cv2.copyMakeBorder(
        small, 0, SIZE[1] - small.shape[0], 0, SIZE[0] - small.shape[1], cv2.BORDER_REPLICATE
    )
    data = cv2.imencode(".jpg", (frame * light).astype("uint8"), [cv2.IMWRITE_JPEG_QUALITY, 92])[1].tobytes()
    path.write_bytes(data * FRAMES)


def filming(playwright: Playwright, path: Path, address: str) -> BrowserContext:
    """A phone whose camera shows the film."""
    program = os.environ.get("PAIYAN_CHROMIUM", "/usr/bin/chromium")
    arguments = [*ARGUMENTS, *CAMERA, f"--use-file-for-fake-video-capture={path}"]
    browser = playwright.chromium.launch(executable_path=program, args=arguments)
    context = browser.new_context(viewport=PHONE, base_url=address, locale="zh-CN", permissions=["camera"])
    context.set_default_timeout(WAIT_MS)
    return context
