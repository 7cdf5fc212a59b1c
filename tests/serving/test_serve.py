"""Addresses and ports, what the terminal says, and the real server in a process of its own."""

from __future__ import annotations

import http.client
import os
import re
import signal
import socket
import ssl
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from webui import trusted_hosts
from webui.access import serve
from webui.access.serve import Door, greeting, host_names
from webui.commands.terminal import CommandError

ROOT = Path(__file__).resolve().parent.parent.parent


def test_greeting_for_this_computer_alone() -> None:
    said = greeting(Door("127.0.0.1", 8765, None, None), None)
    assert said.splitlines() == ["paiyan is open on this computer: http://localhost:8765", "Ctrl-C stops it."]


def test_greeting_for_phones_has_address_code_and_qr_code() -> None:
    door = Door("192.168.1.5", 8765, None, "123456")
    said = greeting(door, None)
    assert "http://192.168.1.5:8765\n" in said
    assert "123 456" in said
    assert door.first_visit_url == "http://192.168.1.5:8765/pair?code=123456"
    assert "█" in said or "▄" in said
    assert max(map(len, said.splitlines())) < 90


def test_greeting_with_https_leads_to_the_trust_page() -> None:
    door = Door("192.168.1.5", 8765, 8766, "123456")
    said = greeting(door, "AA:BB")
    assert "https://192.168.1.5:8766" in said
    assert door.first_visit_url == "http://192.168.1.5:8765/trust"
    assert "AA:BB" in said


def test_ipv6_addresses_are_bracketed() -> None:
    assert Door("fd00::5", 8765, None, "123456").outside_url == "http://[fd00::5]:8765"


def test_trusted_hosts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PAIYAN_TRUSTED_HOSTS", "cards.example, club.example,")
    assert trusted_hosts(["localhost", "::1"]) == ["localhost", "[::1]", "cards.example", "club.example"]
    assert "0.0.0.0" not in host_names("0.0.0.0")
    assert "192.168.1.5" in host_names("192.168.1.5")


def test_a_named_port_that_is_taken_is_said() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(CommandError, match=f"port {port} is taken"):
            serve.run("127.0.0.1", port, lan=False, https=False, open_page=False, say=lambda text: None)


def test_an_address_of_another_computer_is_said() -> None:
    with pytest.raises(CommandError, match=r"cannot listen on 192\.0\.2\.1"):
        serve.run("192.0.2.1", 0, lan=False, https=False, open_page=False, say=lambda text: None)


def test_an_address_that_is_none_is_said() -> None:
    with pytest.raises(CommandError, match="cannot listen on nonsense"):
        serve.run("nonsense..", 0, lan=False, https=False, open_page=False, say=lambda text: None)


def test_the_next_free_port_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        monkeypatch.setattr(serve, "DEFAULT_PORT", port)
        listeners, outer = serve._listen("127.0.0.1", None, https=False)
    assert outer is None
    with closing(listeners[0]):
        assert port < listeners[0].getsockname()[1] < port + serve.PORTS_TO_TRY


@contextmanager
def served(*words: str, data: Path, stop: signal.Signals = signal.SIGINT) -> Iterator[str]:
    """`paiyan serve` as people start it; gives the first lines that it printed."""
    command = [sys.executable, "-m", "webui.cli", "serve", "--port", "0", *words]
    environment = os.environ | {"PAIYAN_DATA": str(data), "PYTHONUTF8": "1"}
    with subprocess.Popen(
        command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8"
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        lines = []
        for line in process.stdout:
            lines.append(line)
            if "Ctrl-C" in line:
                break
        try:
            yield "".join(lines)
        finally:
            process.send_signal(stop)
            assert process.wait(timeout=60) == 0
            assert process.stderr.read() == ""


def test_real_server_answers_and_stops(data_folder: Path) -> None:
    with served(data=data_folder) as said:
        port = int(re.findall(r"localhost:(\d+)", said)[0])
        with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=60)) as connection:
            connection.request("GET", "/", headers={"Host": f"localhost:{port}"})
            answer = connection.getresponse()
            page = answer.read().decode()
        assert answer.status == 200
        assert "<html" in page
        assert answer.getheader("Server") is None
        assert "frame-ancestors 'none'" in str(answer.getheader("Content-Security-Policy"))
        assert answer.getheader("X-Content-Type-Options") == "nosniff"


@pytest.mark.skipif(os.name != "posix", reason="BROWSER names no script elsewhere")
def test_real_server_shows_its_page_in_the_browser(
    data_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" >{tmp_path}/asked\n', encoding="utf-8")
    browser.chmod(0o755)
    monkeypatch.setenv("BROWSER", f"{browser} %s")
    with served("--open", data=data_folder) as said:
        address = re.findall(r"http://localhost:\d+", said)[0]
        for _ in range(200):
            if (tmp_path / "asked").exists():
                break
            time.sleep(0.05)
    assert (tmp_path / "asked").read_text(encoding="utf-8").strip() == address


def test_real_server_stops_when_it_is_told_to(data_folder: Path) -> None:
    with served(data=data_folder, stop=signal.SIGTERM) as said:
        assert "Ctrl-C stops it." in said


def test_real_server_by_https(data_folder: Path) -> None:
    with served("--https", data=data_folder) as said:
        assert "Fingerprint" in said
        plain = int(re.findall(r"localhost:(\d+)", said)[0])
        authority = data_folder / "https" / "authority.crt"
        context = ssl.create_default_context(cafile=str(authority))
        port = int(re.findall(r"https://127\.0\.0\.1:(\d+)", said)[0])
        with closing(
            http.client.HTTPSConnection("127.0.0.1", port, context=context, timeout=60)
        ) as connection:
            connection.request("GET", "/healthz")
            assert connection.getresponse().read() == b'{"status":"ok"}\n'
        with closing(http.client.HTTPConnection("127.0.0.1", plain, timeout=60)) as connection:
            connection.request("GET", "/trust")
            assert connection.getresponse().status == 200
