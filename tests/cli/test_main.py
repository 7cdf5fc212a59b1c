"""The command itself: help on everything, quick to start, quiet when it is cut off, never a traceback."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import click
import pytest

from tests.cli.photos import E_02, run
from webui.cli import cli

ROOT = Path(__file__).resolve().parent.parent.parent


def paiyan(*words: str, **settings: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "webui.cli", *words]
    environment = os.environ | {"PYTHONUTF8": "1"} | settings
    return subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, encoding="utf-8", timeout=120, check=False
    )


@pytest.mark.parametrize("command", sorted(cli.commands))
def test_every_command_and_option_has_help(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    answer = run(capsys, command, "--help")
    assert answer.status == 0
    assert answer.out.startswith(f"Usage: paiyan {command}")
    group = cli.commands[command]
    every = [group, *(group.commands.values() if isinstance(group, click.Group) else ())]
    assert any(one.params for one in every)
    options = [one for each in every for one in each.params if isinstance(one, click.Option)]
    assert not [one.name for one in options if not one.help]


def test_help_imports_nothing_heavy() -> None:
    listing = "import sys, webui.cli; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", listing], cwd=ROOT, capture_output=True, text=True, check=True
    )
    loaded = {name.partition(".")[0] for name in done.stdout.split()}
    assert (
        loaded & {"cv2", "numpy", "onnxruntime", "flask", "scipy", "sqlalchemy", "scorer", "vision"} == set()
    )


def test_as_a_process() -> None:
    done = paiyan("score", "--rules", "shihu", "--hand", E_02)
    assert done.returncode == 0
    assert "10 胡" in done.stdout
    assert done.stderr == ""


def test_error_of_a_process() -> None:
    done = paiyan("score", "--rules", "shihu", "--hand", "rK rK rK rK rK")
    assert done.returncode == 2
    assert done.stdout == ""
    assert len(done.stderr.splitlines()) == 1


def test_json_is_plain_ascii_where_the_terminal_cannot_show_chinese() -> None:
    done = paiyan(
        "score", "--rules", "shihu", "--hand", E_02, "--json", PYTHONUTF8="0", PYTHONIOENCODING="ascii"
    )
    assert done.returncode == 0
    assert done.stdout.isascii()


def test_output_that_nobody_reads_is_not_complained_about() -> None:
    command = [sys.executable, "-m", "webui.cli", "decks", "--json"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""


def test_bug_is_shown_as_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """An error of a library is no bad input: it must not pass for a sentence about one."""
    from webui.cli import main

    def broken(*words: object, **named: object) -> None:
        raise ValueError("a fault of ours")

    monkeypatch.setattr(cli, "main", broken)
    with pytest.raises(ValueError, match="a fault of ours"):
        main([])
