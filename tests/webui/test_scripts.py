"""The page's scripts that draw nothing, run by node without a browser; and none of them imports in a circle."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

JS = Path(__file__).resolve().parents[2] / "webui" / "static" / "js"
NODE = shutil.which("node")
needs_node = pytest.mark.skipif(NODE is None, reason="node runs the scripts without a browser")


def run(module: str, expression: str) -> object:
    """The value of an expression with everything that a module exports as `m`."""
    script = f'import * as m from "{(JS / module).as_uri()}"; console.log(JSON.stringify({expression}))'
    command = [str(NODE), "--input-type=module", "--no-warnings", "-e", script]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def imports() -> dict[str, set[str]]:
    """The modules that each script imports, before it runs or when they are wanted."""
    pattern = re.compile(r'(?:from |\bimport ?\(?)"\./(\w+)\.js"')
    return {path.stem: set(pattern.findall(path.read_text(encoding="utf-8"))) for path in JS.glob("*.js")}


def test_no_two_scripts_import_each_other() -> None:
    left = imports()
    while ends := {name for name, wanted in left.items() if not wanted & set(left)}:
        left = {name: wanted for name, wanted in left.items() if name not in ends}
    assert left == {}, "these import in a circle, or lead to one"


def quad(x: float, y: float = 0) -> list[list[float]]:
    return [[x, y], [x + 10, y], [x + 10, y + 12], [x, y + 12]]


@needs_node
@pytest.mark.parametrize(
    ("places", "holes"),
    [
        ((0, 20, 40, 60), []),
        ((0, 20, 60, 80), [40]),
        ((0, 20, 40, 100, 120), [60, 80]),
        ((0, 20, 31, 50), []),
        ((0, 40), []),
        ((0, 20, 40, 300), []),
    ],
)
def test_a_hole_in_a_row_is_where_a_card_lacks(places: tuple[float, ...], holes: list[float]) -> None:
    row = [[quad(x)] for x in places]
    found = run("gaps.js", f"m.holesOf({json.dumps(row)}).map((one) => one[0][0])")
    assert found == pytest.approx(holes)


@needs_node
def test_a_bend_of_the_row_is_no_hole_and_a_card_counts_by_its_nearer_end() -> None:
    bent = [[quad(0)], [quad(20)], [quad(20, 40)], [quad(20, 60)]]
    assert run("gaps.js", f"m.holesOf({json.dumps(bent)})") == []
    cards = [[quad(0)], [quad(20)], [quad(300), quad(40)]]
    assert run("gaps.js", f"m.holesOf({json.dumps(cards)})") == []


@needs_node
def test_only_as_many_places_are_offered_as_cards_lack() -> None:
    pile = {"id": 7, "cards": [{"photo": 1, "ends": [quad(x)]} for x in (0, 20, 60, 80)]}
    photo = {"id": 1, "others": [quad(200)]}
    for most in (0, 1, 2, 5):
        found = run("gaps.js", f"m.probablyHere([{json.dumps(pile)}], {json.dumps(photo)}, {most})")
        assert isinstance(found, list)
        assert [one["pile"] for one in found] == [7, None][:most]


@needs_node
def test_cards_divide_into_groups_or_not_at_all() -> None:
    groups = [["a", "a", "a"], ["a", "b", "c"]]
    assert run("melds.js", f"m.divided(['a', 'a', 'a', 'a', 'b', 'c'], {groups})") == groups
    assert run("melds.js", f"m.divided(['a', 'b'], {groups})") is None
    assert run("melds.js", f"m.divided([], {groups})") == []
    assert run("melds.js", f"m.fitting('b', ['b', 'a'], {groups})") == [["a", "b", "c"]]


@needs_node
@pytest.mark.parametrize(("grey", "dark"), [(10, True), (120, False)])
def test_a_dark_picture_is_called_dark(grey: int, dark: bool) -> None:
    found = run("measure.js", f"m.judge(new Float32Array(160 * 120).fill({grey}), 160, null)")
    assert isinstance(found, dict)
    assert found["dark"] is dark
    assert found["blurred"] is True
