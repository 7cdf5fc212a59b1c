"""Damaged databases and tables: whatever is damaged, the rest goes on, and every answer is a sentence.

    python -m tests.hostile.databases [--files 100] [--tables 100] [--seed 1] [--database URL]

A table is damaged by changing its rows, a file by changing its bytes. Exit status 0 when no answer was a fault of the
program and nothing was lost that was not damaged.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import text

import scorer
from webui import create_app
from webui.ledger import changes as ledger
from webui.ledger.changes import Counted, Created, Event, Round, RoundAdded, RoundDeleted, Seating, Settings
from webui.store import Store, kept, sqlite_url, tables

HAND = "rK rA rB rR rN rC rP yP gP yN yN yN gK gA gA wB wB wR wR wC wC"
"""RULES E-02: exactly ten 胡, one from each other player."""

WHOLE = 3
"""Tables beside the one that is damaged."""

FAULT = 500


class DamageError(AssertionError):
    """An answer was a fault of the program, or something is gone that was not damaged."""


def a_log(name: str) -> list[Event]:
    """A table of four with a counted round, one by numbers, a draw, and one that was deleted."""
    score = scorer.score_json(scorer.score(scorer.parse_hand(HAND, "shihu"), {}, {}))
    changes: list[ledger.Change] = [
        Created("shihu", Settings(name, 1, 4), ("甲", "乙", "丙", "丁"), Seating(0)),
        RoundAdded(
            Round("hand", (3, -1, -1, -1), Seating(0), 1, winner=0, counted=Counted(HAND, {}, {}, score))
        ),
        RoundAdded(Round("numbers", (12, -4, -4, -4), Seating(0), 1, winner=0)),
        RoundAdded(Round("draw", (0, 0, 0, 0), Seating(0), 1)),
        RoundDeleted(3),
    ]
    return [Event(seq, 1_700_000_000_000 + 1000 * seq, change) for seq, change in enumerate(changes, 1)]


def fill(store: Store, number: int, mark: str = "file") -> list[str]:
    """Make that many tables; gives their ids."""
    return [
        tables.restore(
            store, a_log(f"table {n}"), tables.Order(f"key {mark} {n}", "", 1_700_000_000_000 + n)
        ).table_id
        for n in range(number)
    ]


# --- damage to the rows of a table ------------------------------------------------------------------------


@dataclass(frozen=True)
class Change:
    """Some SQL that damages table `:id`."""

    name: str
    sql: str
    values: Callable[[random.Random], dict[str, Any]] = lambda rng: {}


def _junk(rng: random.Random) -> dict[str, Any]:
    values = (
        '"x"',
        "[]",
        "{}",
        "null",
        "7",
        "1e999",
        "[" * 5000 + "]" * 5000,
        '{"round": 7}',
        '{"id": 1e308}',
    )
    return {"body": rng.choice(values)}


def _event(rng: random.Random) -> dict[str, Any]:
    return {"seq": rng.randint(1, 5)}


BODY = "UPDATE event SET body = {} WHERE table_id = :id AND seq = :seq"
CHANGES = (
    Change(
        "an event of a later version",
        "UPDATE event SET kind = 'dealt_twice' WHERE table_id = :id AND seq = :seq",
        _event,
    ),
    Change("an event is missing", "DELETE FROM event WHERE table_id = :id AND seq = :seq", _event),
    Change("no event is left", "DELETE FROM event WHERE table_id = :id"),
    Change("another version", "UPDATE game_table SET version = :seq - 9 WHERE id = :id", _event),
    Change("a number off", "UPDATE event SET seq = seq + 90 WHERE table_id = :id AND seq = :seq", _event),
    Change("another kind", "UPDATE event SET kind = 'undone' WHERE table_id = :id AND seq = :seq", _event),
    Change(
        "a time far off",
        "UPDATE event SET at_ms = 9000000000000000000 WHERE table_id = :id AND seq = :seq",
        _event,
    ),
    Change("junk for a body", BODY.format(":body"), lambda rng: _event(rng) | _junk(rng)),
    Change(
        "half a letter",
        "UPDATE event SET body = :body WHERE table_id = :id AND seq = 1",
        lambda rng: {"body": _named("\ud83c")},
    ),
    Change(
        "an unknown game",
        "UPDATE event SET body = :body WHERE table_id = :id AND seq = 1",
        lambda rng: {"body": _named("x", "poker")},
    ),
    Change("a letter of a body", "", lambda rng: {}),
)
"""The last one is done letter by letter (`_one_letter`)."""

IN_FILES_ONLY = (
    Change("no JSON", BODY.format("'{\"a\": '"), _event),
    Change("no text", BODY.format("CAST(x'ff00fe' AS TEXT)"), _event),
    Change("bytes", BODY.format("x'ff00fe'"), _event),
    Change("a word for a time", "UPDATE event SET at_ms = 'now' WHERE table_id = :id AND seq = :seq", _event),
    Change("a word for a version", "UPDATE game_table SET version = 'new' WHERE id = :id"),
    Change("a word for a change", "UPDATE game_table SET changed_ms = 'now' WHERE id = :id"),
)
"""What a server's database refuses by itself."""


def _named(name: str, rules: str = "shihu") -> str:
    body = {
        "rules": rules,
        "people": ["甲", "乙", "丙", "丁"],
        "seating": {"dealer": 0, "sitter": None, "out": []},
    }
    settings = {"name": name, "stake": 1, "seats": 4, "options": {}, "dealer_rule": "game"}
    return json.dumps(body | {"settings": settings})


def damage(store: Store, table_id: str, rng: random.Random) -> str:
    """Damage one table at random; says how."""
    sqlite = store.engine.dialect.name == "sqlite"
    change = rng.choice(CHANGES + IN_FILES_ONLY if sqlite else CHANGES)
    with store.engine.begin() as connection:
        if change.sql:
            connection.execute(text(change.sql), {"id": table_id, **change.values(rng)})
        else:
            _one_letter(connection, table_id, rng)
    return change.name


def _one_letter(connection: Any, table_id: str, rng: random.Random) -> None:
    """Change a letter of one body so that it is JSON still, which a server's database insists on."""
    here = {"id": table_id, "seq": rng.randint(1, 5)}
    row = "FROM event WHERE table_id = :id AND seq = :seq"
    body = str(connection.execute(text(f"SELECT CAST(body AS TEXT) {row}"), here).scalar())
    while True:
        at = rng.randrange(len(body))
        changed = body[:at] + rng.choice('0129azAZ-."') + body[at + 1 :]
        try:
            json.loads(changed)
        except ValueError:
            continue
        connection.execute(text(BODY.format(":body")), {**here, "body": changed})
        return


# --- what must hold ---------------------------------------------------------------------------------------


@contextmanager
def opened(folder: Path, database: str = "") -> Iterator[Flask]:
    """The page on a database, as it is served."""
    app = create_app({"DATA_DIR": folder, "DATABASE_URL": database, "SECRET_KEY": "k" * 32}, reader=Nobody())
    app.logger.disabled = True
    try:
        yield app
    finally:
        kept.opened(app).close()


class Nobody:
    """Reads no photos."""

    def read(self, *args: object, **more: object) -> Any:
        """Not asked here."""
        raise NotImplementedError

    read_together = read


def ask(client: FlaskClient, path: str) -> Any:
    """The answer to a GET, which is never a fault; 503 says that the database is damaged."""
    answer = client.get(path)
    if answer.status_code == FAULT:
        raise DamageError(f"{path} was answered by {answer.status_code}")
    return answer


PAGES = (
    "",
    "/log",
    "/settle",
    "/seats",
    "/settings",
    "/table.json",
    "/version.json",
    "/export.json",
    "/export.csv",
    "/rounds/2",
    "/rounds/2/edit",
    "/rounds/3/edit",
    "/rounds/new?how=hand",
    "/rounds/new?how=numbers",
    "/as-it-is.json",
    "/delete",
)


def look_at(client: FlaskClient, table_id: str) -> bool:
    """Ask for every page of a table; whether it is shown, and not said to be damaged."""
    answers = {page: ask(client, f"/games/{table_id}{page}").status_code for page in PAGES}
    return bool(answers[""] == 200)


def check_table(store_url: str, folder: Path, rng: random.Random) -> str:
    """Damage one of some tables: the others are shown, it itself can be saved as it is and deleted."""
    with opened(folder, store_url) as app:
        store = kept.opened(app)
        ids = fill(store, WHOLE + 1, str(rng.random()))
        said = damage(store, ids[0], rng)
        store.logs.forget()
        client = app.test_client()
        listed = ask(client, "/games").text
        ask(client, "/games/tables.json")
        ask(client, "/games/new?rules=shihu")
        if not all(one in listed for one in ids):
            raise DamageError(f"{said}: a table is not listed")
        if not all(look_at(client, one) for one in ids[1:]):
            raise DamageError(f"{said}: a whole table is not shown")
        shown = look_at(client, ids[0])
        if json.loads(ask(client, f"/games/{ids[0]}/as-it-is.json").text)["format"] != "paiyan-damaged-table":
            raise DamageError(f"{said}: it can't be saved as it is")
        for one in ids:
            delete(client, one)
        if tables.count(store):
            raise DamageError(f"{said}: it can't be deleted")
    return f"{said}: {'shown' if shown else 'said to be damaged'}"


def delete(client: FlaskClient, table_id: str) -> None:
    """Delete a table as a player does."""
    found = re.search(r'name="csrf-token" content="([^"]+)"', ask(client, f"/games/{table_id}/delete").text)
    if found is None:
        raise DamageError("there is no page to delete it")
    client.post(f"/games/{table_id}/delete", data={"csrf_token": found[1], "sure": "on"})


def check_file(folder: Path, rng: random.Random) -> str:
    """Damage the file of a database: scanning and counting go on, and no answer is a fault."""
    store = Store(sqlite_url(folder))
    store.migrate()
    ids = fill(store, 20)
    with store.engine.connect() as connection:
        connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
    store.close()
    file = folder / "paiyan.sqlite3"
    file.write_bytes(broken(file.read_bytes(), rng))
    with opened(folder) as app:
        client = app.test_client()
        if ask(client, "/").status_code != 200 or ask(client, "/healthz").status_code >= FAULT + 4:
            raise DamageError("the page is not there")
        counted = client.post("/api/score", json={"rules": "shihu", "hand": HAND})
        if counted.status_code != 200:
            raise DamageError("hands are not counted")
        answers = [ask(client, path).status_code for path in ("/games", "/decks", "/games/tables.json")]
        shown = sum(look_at(client, one) for one in ids) if answers[0] == 200 else 0
        fault = kept.opened(app).fault
    if answers[0] != 200 and not (fault and str(file) in str(fault)):
        raise DamageError("nothing says that the file is damaged")
    return "all shown" if shown == len(ids) else "some shown" if shown else "said to be damaged"


def broken(data: bytes, rng: random.Random) -> bytes:
    """The bytes of a file after something happened to it."""
    kind = rng.choice(("flips", "hole", "short", "zeros", "header", "other"))
    changed = bytearray(data)
    if kind == "flips":
        for _ in range(rng.choice((1, 10, 100, 1000))):
            changed[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    elif kind in ("hole", "zeros"):
        at = rng.randrange(0, len(data), 4096)
        changed[at : at + 4096] = bytes(4096) if kind == "zeros" else rng.randbytes(4096)
    elif kind == "short":
        del changed[rng.randrange(len(data)) :]
    elif kind == "header":
        changed[rng.randrange(100)] ^= 0xFF
    else:
        return rng.randbytes(rng.choice((1, 1000, 100000)))
    return bytes(changed)


def run(files: int, broken_tables: int, seed: int, database: str = "") -> Counter[str]:
    """Damage so many files and tables; counts what came of it, raises `DamageError` where something is wrong."""
    rng = random.Random(seed)
    found: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as place:
        for n, check in enumerate(_checks(files, broken_tables, database)):
            folder = Path(place) / str(n)
            folder.mkdir()
            found[check(folder, rng)] += 1
    return found


def _checks(files: int, broken_tables: int, database: str) -> Iterable[Callable[[Path, random.Random], str]]:
    for _ in range(broken_tables):
        yield lambda folder, rng: "table, " + check_table(database, folder, rng)
    for _ in range(files):
        yield lambda folder, rng: "file: " + check_file(folder, rng)


def main() -> int:
    """Read the command line and run."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--files", type=int, default=100)
    parser.add_argument("--tables", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--database", default="", help="URL of an empty database for the tables; SQLite by default"
    )
    asked = parser.parse_args()
    try:
        found = run(asked.files, asked.tables, asked.seed, asked.database)
    except DamageError as error:
        print(f"damage: {error}", file=sys.stderr)
        return 1
    for said, number in sorted(found.items()):
        print(f"{number:4}  {said}")
    print(
        f"{asked.files} damaged files and {asked.tables} damaged tables: nothing stopped that was not damaged"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
