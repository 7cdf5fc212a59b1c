"""The live view with a camera that films a demo photo, and the page without a network."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Playwright, expect

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


@pytest.fixture
def filming(playwright: Playwright, address: str) -> Iterator[Callable[[Path], BrowserContext]]:
    """Makes a phone whose camera shows a film."""
    browsers: list[Browser] = []

    def make(path: Path) -> BrowserContext:
        program = os.environ.get("PAIYAN_CHROMIUM", "/usr/bin/chromium")
        arguments = [*ARGUMENTS, *CAMERA, f"--use-file-for-fake-video-capture={path}"]
        browsers.append(playwright.chromium.launch(executable_path=program, args=arguments))
        context = browsers[0].new_context(
            viewport=PHONE, base_url=address, locale="zh-CN", permissions=["camera"]
        )
        context.set_default_timeout(WAIT_MS)
        return context

    yield make
    for browser in browsers:
        browser.close()


Filming = Callable[[Path], BrowserContext]


def open_live(context: BrowserContext, rules: str) -> Page:
    """Choose the game and open the live view."""
    page = context.new_page()
    steps.open_page(page)
    page.locator(f"input[value={rules}]").check(force=True)
    page.locator("#live-open").click()
    expect(page.locator("#live")).to_be_visible()
    return page


def test_the_live_view_counts_and_takes_the_picture_by_itself(
    filming: Filming, tmp_path: Path, sample: Sample
) -> None:
    film(tmp_path / "hand.mjpeg", sample.path)
    page = open_live(filming(tmp_path / "hand.mjpeg"), sample.rules)
    if os.environ.get("PAIYAN_E2E_READER") == "truth":  # knows the demo photos only, not films of them
        expect(page.locator("#live-says")).to_contain_text("把手机举到牌的上方")
        page.locator("#live-shoot").click()
    expect(page.locator("#step-check")).to_be_visible(timeout=60_000)
    expect(page.locator("#live")).to_be_hidden()
    expect(page.locator("#stage")).to_be_visible()


def test_the_live_view_says_that_it_is_too_dark(filming: Filming, tmp_path: Path, sample: Sample) -> None:
    film(tmp_path / "night.mjpeg", sample.path, light=0.12)
    page = open_live(filming(tmp_path / "night.mjpeg"), sample.rules)
    expect(page.locator("#live-says")).to_contain_text("太暗")
    page.locator("#live [data-close]").click()
    expect(page.locator("#step-scan")).to_be_visible()


ASKED = """
const ask = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
window.streams = [];
navigator.mediaDevices.getUserMedia = async (wanted) => {
  const stream = await ask(wanted);
  window.streams.push(stream);
  return stream;
};
"""
ON = "window.streams.filter((stream) => stream.getTracks().some((track) => track.readyState === 'live')).length"
REFUSED = """
navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException("no", "{name}"));
"""


def expect_soon(page: Page, true: str) -> None:
    """Wait for an expression to hold. `wait_for_function` would have the page itself read it from text again and again,
    which its content policy forbids from the second time on."""
    for _ in range(200):
        if page.evaluate(true):
            return
        page.wait_for_timeout(50)
    raise AssertionError(f"never: {true}")


def expect_on(page: Page, number: int) -> None:
    expect_soon(page, f"{ON} === {number}")


def begin(context: BrowserContext, rules: str, script: str = ASKED) -> Page:
    """The first page with the game chosen, whose camera is watched by a script."""
    page = context.new_page()
    page.add_init_script(script)
    steps.open_page(page)
    page.locator(f"input[value={rules}]").check(force=True)
    return page


def test_there_is_one_camera_however_often_it_is_asked_for_and_none_when_nobody_looks(
    filming: Filming, tmp_path: Path, sample: Sample
) -> None:
    film(tmp_path / "night.mjpeg", sample.path, light=0.1)
    page = begin(filming(tmp_path / "night.mjpeg"), sample.rules)
    page.evaluate("for (let n = 0; n < 4; n++) document.getElementById('live-open').click()")
    expect(page.locator("#live-says")).to_contain_text("太暗")
    assert page.evaluate("window.streams.length") == 1
    page.locator("#live [data-close]").click()
    expect_on(page, 0)
    page.locator("#live-open").click()
    expect(page.locator("#live-says")).to_contain_text("太暗")
    expect_on(page, 1)
    page.evaluate(
        "Object.defineProperty(document, 'hidden', {value: true});"
        "document.dispatchEvent(new Event('visibilitychange'))"
    )
    expect(page.locator("#live")).to_be_hidden()
    expect_on(page, 0)


def test_a_camera_that_is_opened_and_closed_at_once_stays_off(
    filming: Filming, tmp_path: Path, sample: Sample
) -> None:
    film(tmp_path / "night.mjpeg", sample.path, light=0.1)
    page = begin(filming(tmp_path / "night.mjpeg"), sample.rules)
    page.locator("#live-open").click()
    page.locator("#live [data-close]").click()
    page.wait_for_timeout(2500)
    assert page.evaluate(ON) == 0
    expect(page.locator("#sheet")).to_be_hidden()


def test_a_lost_camera_is_said_and_nothing_is_sent(filming: Filming, tmp_path: Path, sample: Sample) -> None:
    film(tmp_path / "night.mjpeg", sample.path, light=0.1)
    page = begin(filming(tmp_path / "night.mjpeg"), sample.rules)
    page.locator("#live-open").click()
    expect(page.locator("#live-says")).to_contain_text("太暗")
    page.evaluate("window.streams[0].getVideoTracks()[0].dispatchEvent(new Event('ended'))")
    expect(page.locator("#live-says")).to_contain_text("摄像头断了")
    expect(page.locator("#live-shoot")).to_be_disabled()
    page.wait_for_timeout(1500)
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.url) if "/api/read" in request.url else None)
    page.wait_for_timeout(2500)
    assert sent == []
    expect(page.locator("#live-says")).to_contain_text("摄像头断了")


@pytest.mark.parametrize(
    ("script", "said"),
    [
        (REFUSED.replace("{name}", "NotAllowedError"), "没有摄像头的权限"),
        (REFUSED.replace("{name}", "NotFoundError"), "没有网页能用的摄像头"),
        (REFUSED.replace("{name}", "NotReadableError"), "别的应用正在用"),
        ("Object.defineProperty(window, 'isSecureContext', {value: false})", "HTTPS"),
    ],
)
def test_each_cause_of_no_camera_has_its_sentence(
    phone: BrowserContext, sample: Sample, script: str, said: str
) -> None:
    page = begin(phone, sample.rules, script)
    expect(page.locator("#live-open")).to_be_visible()
    page.locator("#live-open").tap()
    expect(page.locator("#no-camera")).to_contain_text(said)
    expect(page.locator("#live")).to_be_hidden()


def test_with_cards_missing_it_says_how_many_and_takes_no_picture_by_itself(
    filming: Filming, tmp_path: Path, sample: Sample
) -> None:
    if os.environ.get("PAIYAN_E2E_READER") == "truth":
        pytest.skip("the truth of the demo photos knows no film")
    film(tmp_path / "hand.mjpeg", sample.path)
    page = begin(filming(tmp_path / "hand.mjpeg"), "guangshui")
    page.locator("#live-open").click()
    expect(page.locator("#live-says")).to_contain_text("/ 31 张 · 还差 1")
    page.wait_for_timeout(4000)
    expect(page.locator("#live")).to_be_visible()
    page.locator("#live-shoot").click()
    expect(page.locator("#step-check")).to_be_visible()
    expect_on(page, 0)


KEPT = """
caches.keys()
  .then((names) => Promise.all(names.map((name) => caches.open(name).then((cache) => cache.keys()))))
  .then((lists) => lists.flat().map((request) => new URL(request.url).pathname))
"""


def test_without_a_network_there_is_one_sentence(phone: BrowserContext) -> None:
    page = phone.new_page()
    steps.open_page(page)
    page.evaluate("navigator.serviceWorker.ready.then(() => null)")
    page.reload()
    expect_soon(page, "navigator.serviceWorker.controller !== null")
    phone.set_offline(True)
    page.reload()
    expect(page.locator("h1")).to_contain_text("连不上运行牌眼的电脑")
    kept = page.evaluate(KEPT)
    assert "/offline" in kept
    private = ("/api", "/static/samples", "/games", "/decks")
    assert not [path for path in kept if path == "/" or path.startswith(private)]
