"""Kill the server at random moments while two browsers write rounds down; then compare with what was acknowledged.

    python -m tests.kill_test [--kills 200] [--limit 900] [--seed 1] [--database URL]

Two clients add, correct, delete, undo and redo rounds of one table without a pause, change seats and let somebody
new take a seat, through the same forms as a browser; a request whose answer is lost is sent again with its key. The
server process gets SIGKILL at random moments and is started again. After each start every acknowledged change must
be in the log and nothing else but changes still asked for; at the end the log must be exactly the acknowledged
changes, each once, and the seats and totals those of a replay that shares no code with the ledger. Exit status 0 when
all of it holds.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import random
import re
import secrets
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from sqlalchemy import text

from webui.store import Store, sqlite_url

PEOPLE = ("甲", "乙", "丙", "丁")
MOST_ANSWERS = 6
"""A server dies after 0 to this many answers, and then somewhere within the time that one answer takes."""

ANSWER_SECONDS = 60
Amounts = tuple[int, ...]
"""What each person of a round won or paid, by number; 0 for who had no part in it."""

MOST_PEOPLE = 8


class KillTestError(AssertionError):
    """Something acknowledged is lost, something is there twice, or it took too long."""


# --- the server -------------------------------------------------------------------------------------------


def serve(folder: str, port: int) -> None:
    """Start a server for every line on standard input, killed and waited for by whoever writes the lines.

    The imports are done once: each server is a fork of this process, which has no threads.
    """
    import logging

    from waitress import serve as wait_and_serve

    # What create_app would import in every fork.
    from webui import create_app, decks, games, shell  # noqa: F401

    logging.getLogger("waitress").setLevel(logging.ERROR)
    for _ in sys.stdin:
        child = os.fork()
        if child == 0:
            app = create_app({"DATA_DIR": folder})
            wait_and_serve(app, host="127.0.0.1", port=port, threads=4, _quiet=True)
        print(child, flush=True)
        os.waitpid(child, 0)


@dataclass
class Server:
    """The server on its port, and the process that starts it again and again."""

    port: int
    starter: subprocess.Popen[str]
    pid: int = 0

    def start(self) -> None:
        """Start it and wait until it answers."""
        assert self.starter.stdin is not None
        assert self.starter.stdout is not None
        self.starter.stdin.write("start\n")
        self.starter.stdin.flush()
        self.pid = int(self.starter.stdout.readline())
        deadline = time.monotonic() + ANSWER_SECONDS
        while time.monotonic() < deadline:
            try:
                if self.ask("GET", "/healthz").status == 200:
                    return
            except OSError:
                time.sleep(0.01)
        raise KillTestError("the server does not answer after a start")

    def kill(self) -> None:
        """SIGKILL, in the middle of whatever it does."""
        os.kill(self.pid, signal.SIGKILL)

    def ask(self, method: str, path: str, body: str = "", headers: Mapping[str, str] | None = None) -> Answer:
        """One request on a connection of its own; raises OSError where no whole answer comes."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=ANSWER_SECONDS)
        try:
            connection.request(method, path, body, dict(headers or {}))
            answer = connection.getresponse()
            return Answer(answer.status, answer.read().decode(), answer.getheader("Set-Cookie") or "")
        except http.client.HTTPException as error:
            raise ConnectionError("the answer was cut off") from error
        finally:
            connection.close()


@dataclass(frozen=True)
class Answer:
    """What came back: status, text, cookie."""

    status: int
    text: str
    cookie: str


@contextmanager
def running(folder: Path, database: str) -> Iterator[Server]:
    """A server that can be started, gone afterwards."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "tests.kill_test", "--serve", str(folder), str(port)]
    environment = {**os.environ, "PAIYAN_DATABASE_URL": database}
    starter = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
    )
    server = Server(port, starter)
    try:
        yield server
    finally:
        if server.pid and starter.poll() is None:
            server.kill()
        assert starter.stdin is not None
        starter.stdin.close()
        starter.kill()
        starter.wait(ANSWER_SECONDS)
        if starter.stdout:
            starter.stdout.close()


# --- a browser --------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Deed:
    """One change that a client asked for: what, which round, event or person, and the amounts or the new name."""

    kind: str
    target: int = 0
    amounts: Amounts = ()
    name: str = ""


@dataclass
class Client:
    """A browser that never stops writing; `acknowledged` is what the server said yes to, by key."""

    server: Server
    table: str
    rng: random.Random
    stop: threading.Event
    acknowledged: dict[str, tuple[int, Deed]] = field(default_factory=dict)
    cookie: str = ""
    token: str = ""
    lost: int = 0
    answers: int = 0
    took: float = 0.01
    error: BaseException | None = None

    def run(self) -> None:
        """Write until told to stop; the last request is always brought to an answer."""
        try:
            while not self.stop.is_set():
                self.write()
        except BaseException as error:
            self.error = error
            raise

    def write(self) -> None:
        """Look at the table, choose something to do and do it."""
        if not self.token:
            self.enter()
        table = json.loads(self.until_answered("GET", f"{self.table}/table.json").text)
        deed = self.choose(table)
        key = secrets.token_hex(16)
        fields = {"csrf_token": self.token, "key": key, "base": table["version"], **form_of(deed)}
        answer = self.until_answered("POST", self.table + path_of(deed), urlencode(fields))
        if answer.status in (200, 201):
            self.acknowledged[key] = (json.loads(answer.text)["seq"], deed)
        elif answer.status not in (409, 422):
            raise KillTestError(f"{deed} was answered by {answer.status}: {answer.text[:300]}")

    def enter(self) -> None:
        """Get a session and its token."""
        answer = self.until_answered("GET", "/games")
        self.cookie = answer.cookie.partition(";")[0]
        self.token = found(r'name="csrf-token" content="([^"]+)"', answer.text)

    def choose(self, table: Mapping[str, Any]) -> Deed:
        """Mostly a new round; else a correction, a deletion, an undo or a redo, other seats, somebody new."""
        kinds = ("add", "edit", "delete", "undo", "redo", "seats", "replace")
        kind = self.rng.choices(kinds, (6, 3, 2, 3, 2, 2, 1))[0]
        if kind in ("undo", "redo") and table[kind] is not None:
            return Deed(kind, table[kind])
        if kind == "edit" and table["rounds"]:
            # Those who came first had a part in every round.
            return Deed(kind, self.rng.choice(table["rounds"]), self.amounts(range(len(PEOPLE))))
        if kind == "delete" and table["rounds"]:
            return Deed(kind, self.rng.choice(table["rounds"]))
        if kind == "seats":
            return Deed(kind, self.rng.choice(table["order"]))
        if kind == "replace" and len(table["people"]) < MOST_PEOPLE:
            return Deed(kind, self.rng.choice(table["playing"]), name=secrets.token_hex(4))
        return Deed("add", 0, self.amounts(table["playing"]))

    def amounts(self, playing: Sequence[int]) -> Amounts:
        """Some amounts for these people that add up to 0."""
        gains = {person: self.rng.randint(-50, 50) for person in playing}
        gains[playing[0]] -= sum(gains.values())
        return tuple(gains.get(person, 0) for person in range(max(playing) + 1))

    def until_answered(self, method: str, path: str, body: str = "") -> Answer:
        """Send a request, again and again while no whole answer comes."""
        headers = {"Cookie": self.cookie, "Accept": "application/json" if body else "text/html"}
        if body:
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        deadline = time.monotonic() + 3 * ANSWER_SECONDS
        while time.monotonic() < deadline:
            begin = time.monotonic()
            try:
                answer = self.server.ask(method, path, body, headers)
                self.answers += 1
                self.took = time.monotonic() - begin
                if answer.status < 500:
                    return answer
            except ConnectionRefusedError:
                pass
            except OSError:
                # It may have been saved, or not: only the key can tell.
                self.lost += bool(body)
            time.sleep(0.005)
        raise KillTestError(f"{method} {path} was never answered")


def found(pattern: str, text_: str) -> str:
    """The first group of a pattern that must be there."""
    match = re.search(pattern, text_)
    if match is None:
        raise KillTestError(f"the page lacks {pattern}: {text_[:200]}")
    return match.group(1)


def path_of(deed: Deed) -> str:
    """Where the form of a deed goes."""
    paths = {
        "add": "/rounds/new",
        "edit": f"/rounds/{deed.target}/edit",
        "delete": f"/rounds/{deed.target}/delete",
        "seats": "/people",
        "replace": "/people",
    }
    return paths.get(deed.kind, f"/{deed.kind}")


def form_of(deed: Deed) -> dict[str, str]:
    """The fields of the form of a deed."""
    if deed.kind in ("undo", "redo"):
        return {"seq": str(deed.target)}
    if deed.kind == "seats":
        return {"what": "earlier", "person": str(deed.target)}
    if deed.kind == "replace":
        return {"what": "join", "person": str(deed.target), "name": deed.name}
    fields = {"how": "numbers", "way": "money", "dealer": ""} if deed.amounts else {}
    for person, amount in enumerate(deed.amounts):
        fields[f"amount-{person}"] = str(abs(amount))
        fields[f"side-{person}"] = "wins" if amount >= 0 else "pays"
    return fields


# --- what must hold ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class State:
    """A table: amounts of its rounds by their number, and the people in the order in which they sit."""

    rounds: Mapping[int, Amounts]
    order: tuple[int, ...]

    def after(self, number: int, deed: Deed) -> State:
        """The table after a deed that has this number in the log."""
        rounds, order = dict(self.rounds), list(self.order)
        if deed.kind == "delete":
            del rounds[deed.target]
        elif deed.kind == "seats":
            place = order.index(deed.target)
            # The first one goes to the last seat, else two neighbours change places.
            order = [*order[1:], order[0]] if place == 0 else _swapped(order, place - 1)
        elif deed.kind == "replace":
            order.insert(order.index(deed.target) + 1, len(order))
        else:
            rounds[deed.target or number] = deed.amounts
        return State(rounds, tuple(order))

    def standings(self) -> list[tuple[int, int]]:
        """(person, total) as they sit."""
        amounts = self.rounds.values()
        return [(one, sum(each[one] for each in amounts if one < len(each))) for one in self.order]


def _swapped(order: list[int], place: int) -> list[int]:
    return [*order[:place], order[place + 1], order[place], *order[place + 2 :]]


def replay(deeds: Mapping[int, Deed], people: int = len(PEOPLE)) -> State:
    """The table after deeds by their number in the log, without the ledger: a list of states to go back to."""
    states = [State({}, tuple(range(people)))]
    ahead: list[State] = []
    for number in sorted(deeds):
        deed = deeds[number]
        if deed.kind == "undo":
            ahead.append(states.pop())
        elif deed.kind == "redo":
            states.append(ahead.pop())
        else:
            states.append(states[-1].after(number, deed))
            ahead.clear()
    return states[-1]


def logged(store: Store, table_id: str) -> dict[int, str]:
    """Keys of the events of the table by their number, the creation left out."""
    with store.reading() as session:
        rows = session.execute(
            text("SELECT seq, key FROM event WHERE table_id = :id AND seq > 1"), {"id": table_id}
        )
        return {seq: key for seq, key in rows.all()}


def check_start(clients: list[Client], there: Mapping[int, str]) -> None:
    """After a start: nothing acknowledged is lost, and nothing is there twice."""
    keys = list(there.values())
    if len(set(keys)) != len(keys) or sorted(there) != list(range(2, len(there) + 2)):
        raise KillTestError("the log has an event twice or a gap")
    known = {key: seq for client in clients for key, (seq, _) in list(client.acknowledged.items())}
    by_key = {key: seq for seq, key in there.items()}
    lost = [key for key, seq in known.items() if by_key.get(key) != seq]
    if lost:
        raise KillTestError(f"{len(lost)} acknowledged changes are lost")


def check_end(
    clients: list[Client], there: Mapping[int, str], shown: list[tuple[int, int]]
) -> Mapping[str, int]:
    """At the end: the log is what was acknowledged, seats and totals are those of the replay; counts the changes."""
    check_start(clients, there)
    known = {key: deed for client in clients for key, (_, deed) in client.acknowledged.items()}
    if set(known) != set(there.values()):
        raise KillTestError(
            f"{len(set(there.values()) - set(known))} changes are there that nobody was told of"
        )
    expected = replay({seq: known[key] for seq, key in there.items()}).standings()
    if expected != shown:
        raise KillTestError(f"the page shows {shown}, the acknowledged changes make {expected}")
    return Counter(deed.kind for deed in known.values())


# --- the whole run ----------------------------------------------------------------------------------------


def make_table(server: Server) -> str:
    """Make the table that the clients write on; gives its path."""
    hand = Client(server, "", random.Random(0), threading.Event())
    hand.enter()
    names = {f"name-{number}": name for number, name in enumerate(PEOPLE)}
    fields = {
        "csrf_token": hand.token,
        "key": secrets.token_hex(16),
        "base": "0",
        "rules": "shihu",
        "stake": "1",
    }
    answer = hand.until_answered("POST", "/games/new", urlencode({**fields, **names}))
    return str(json.loads(answer.text)["url"])


def shown_standings(server: Server, table: str) -> list[tuple[int, int]]:
    """(person, total) as the page shows them, from the first seat on."""
    page = server.ask("GET", table, headers={"Accept": "text/html"}).text
    head = page[page.index('class="standings"') : page.index('class="coming"')]
    found = re.findall(r'<li class="p(\d)[^"]*">.*?class="money [a-z]+">([^<]+)<', head, re.DOTALL)
    return [(int(person), int(total.replace("\u2212", "-"))) for person, total in found]


def run(kills: int, limit_s: float, seed: int, database: str = "", tell: bool = True) -> Mapping[str, int]:
    """The whole test; counts the acknowledged changes by kind, raises `KillTestError` where something is wrong."""
    begin, rng = time.monotonic(), random.Random(seed)
    with tempfile.TemporaryDirectory() as folder, running(Path(folder), database) as server:
        server.start()
        table = make_table(server)
        stop = threading.Event()
        clients = [Client(server, table, random.Random(rng.random()), stop) for _ in range(2)]
        threads = [threading.Thread(target=client.run, daemon=True) for client in clients]
        for thread in threads:
            thread.start()
        store = Store(database or sqlite_url(Path(folder)))
        for number in range(1, kills + 1):
            _wait_for_moment(clients, rng)
            server.kill()
            server.start()
            check_start(clients, logged(store, table.rsplit("/", 1)[1]))
            _progress(number, kills, clients, begin, limit_s, tell)
        stop.set()
        for thread in threads:
            thread.join(4 * ANSWER_SECONDS)
        if any(thread.is_alive() or client.error for thread, client in zip(threads, clients, strict=True)):
            raise KillTestError("a client did not come to an end")
        changes = check_end(clients, logged(store, table.rsplit("/", 1)[1]), shown_standings(server, table))
        store.close()
    return changes


def _wait_for_moment(clients: list[Client], rng: random.Random) -> None:
    """Wait for some answers and then for a part of one more: however fast the machine, both come to something."""
    wanted = sum(client.answers for client in clients) + rng.randint(0, MOST_ANSWERS)
    deadline = time.monotonic() + ANSWER_SECONDS
    while sum(client.answers for client in clients) < wanted and time.monotonic() < deadline:
        time.sleep(0.002)
    time.sleep(rng.uniform(0, 1.5 * max(client.took for client in clients)))


def _progress(
    number: int, kills: int, clients: list[Client], begin: float, limit_s: float, tell: bool
) -> None:
    took = time.monotonic() - begin
    for client in clients:
        if client.error:
            raise KillTestError(f"a client failed: {client.error}")
    if took > limit_s:
        raise KillTestError(f"only {number} of {kills} kills in {limit_s:.0f} seconds")
    if tell and (number % 20 == 0 or number == kills):
        done = sum(len(client.acknowledged) for client in clients)
        lost = sum(client.lost for client in clients)
        print(
            f"{number} kills, {done} changes acknowledged, {lost} answers lost, {took:.0f} s",
            flush=True,
        )


def main() -> int:
    """Read the command line and run."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--limit", type=float, default=900, help="seconds after which it is given up")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--database", default="", help="URL of an empty database; SQLite by default")
    parser.add_argument("--serve", nargs=2, metavar=("FOLDER", "PORT"), help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.serve:
        serve(asked.serve[0], int(asked.serve[1]))
        return 0
    try:
        changes = run(asked.kills, asked.limit, asked.seed, asked.database)
    except KillTestError as error:
        print(f"kill test: {error}", file=sys.stderr)
        return 1
    kinds = ", ".join(f"{kind} {number}" for kind, number in sorted(changes.items()))
    print(
        f"{asked.kills} kills: all {sum(changes.values())} acknowledged changes ({kinds}) are there once, "
        "and seats and totals are theirs"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
