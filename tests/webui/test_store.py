"""The database: migrations, the log, retries, races; on SQLite and, where one is named, on PostgreSQL."""

import random
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from sqlalchemy import inspect, text

from tests.webui.databases import KINDS, fresh_store, fresh_url
from webui.ledger.changes import (
    Change,
    Counted,
    Created,
    Crop,
    Event,
    Round,
    RoundAdded,
    RoundDeleted,
    Seating,
    Settings,
    Undone,
)
from webui.ledger.errors import NotZero, UnknownRound
from webui.store import Store, StoreError, engine, tables
from webui.store.schema import Row
from webui.store.tables import BadKey, Conflict, KeyReused, MissingCrop, Order, UnknownTable


@pytest.fixture(params=KINDS)
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def store(kind: str, tmp_path: Path) -> Iterator[Store]:
    with fresh_store(kind, tmp_path) as opened:
        yield opened


CREATED = Created("shihu", Settings("周末", 1, 4), ("甲", "乙", "丙", "丁"), Seating(0))


def order(name: str, asked: object = None, at_ms: int = 1000) -> Order:
    return Order(f"key-{name:0>8}", tables.fingerprint(asked), at_ms)


def won(points: int) -> RoundAdded:
    return RoundAdded(Round("numbers", (3 * points, -points, -points, -points), Seating(0), 1, winner=0))


def new_table(store: Store, name: str = "t") -> str:
    return tables.create(store, [CREATED], order(name)).table_id


# --- migrations -------------------------------------------------------------------------------------------


def test_migrations_go_up_from_empty_and_again(kind: str, tmp_path: Path) -> None:
    with fresh_url(kind, tmp_path) as url:
        store = Store(url)
        store.migrate()
        table_id = new_table(store)
        store.migrate()
        assert tables.version(store, table_id) == 1
        store.close()


def test_the_migrated_tables_are_those_of_the_schema(store: Store) -> None:
    with store.engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, Row.metadata) == []


def test_migrations_go_down_and_up(store: Store) -> None:
    config = Config()
    config.set_main_option("script_location", str(engine.MIGRATIONS))
    config.set_main_option("path_separator", "os")
    with store.engine.begin() as connection:
        config.attributes["connection"] = connection
        command.downgrade(config, "base")
    assert set(inspect(store.engine).get_table_names()) <= {"alembic_version"}
    store.migrate()
    assert new_table(store)


def test_many_processes_may_migrate_at_once(kind: str, tmp_path: Path) -> None:
    with fresh_url(kind, tmp_path) as url:
        failures: list[BaseException] = []

        def start() -> None:
            try:
                store = Store(url)
                store.migrate()
                store.close()
            except BaseException as error:
                failures.append(error)

        threads = [threading.Thread(target=start) for _ in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert failures == []


def test_the_database_of_a_newer_paiyan_is_refused(store: Store) -> None:
    with store.engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '999'"))
    with pytest.raises(StoreError, match="newer paiyan"):
        store.migrate()


@pytest.mark.parametrize(
    ("url", "says"),
    [
        ("nonsense", "not a database URL"),
        ("oracle://x/y", "cannot be used"),
        ("sqlite:////nowhere/at/all.sqlite3", "cannot be opened"),
        ("postgresql://nobody@127.0.0.1:1/none", "cannot be opened"),
    ],
)
def test_a_database_that_cannot_be_opened_says_why(url: str, says: str) -> None:
    with pytest.raises(StoreError, match=says):
        Store(url).migrate()


def test_sqlite_keeps_what_it_acknowledged(tmp_path: Path) -> None:
    with fresh_store("sqlite", tmp_path) as store, store.engine.connect() as connection:
        asked = ["journal_mode", "synchronous", "foreign_keys", "busy_timeout"]
        assert [connection.execute(text(f"PRAGMA {name}")).scalar() for name in asked] == ["wal", 2, 1, 15000]


# --- the log ----------------------------------------------------------------------------------------------


def test_events_come_back_as_they_went_in(store: Store) -> None:
    table_id = new_table(store)
    changes: list[Change] = [won(4), won(2), RoundDeleted(2), Undone(4)]
    for base, change in enumerate(changes, start=1):
        tables.append(store, table_id, change, base, order(f"e{base}", base, 1000 + base))
    log = tables.events(store, table_id)
    assert log == (
        Event(1, 1000, CREATED),
        *(Event(base + 1, 1000 + base, change) for base, change in enumerate(changes, start=1)),
    )
    assert tables.ledger(store, table_id).totals == (18, -6, -6, -6)


def test_a_repeated_request_adds_nothing(store: Store) -> None:
    table_id = new_table(store)
    first = tables.append(store, table_id, won(4), 1, order("a", "four"))
    again = tables.append(store, table_id, won(4), 1, order("a", "four"))
    assert (first.seq, first.repeated, again.seq, again.repeated) == (2, False, 2, True)
    assert tables.ledger(store, table_id).totals == (12, -4, -4, -4)
    assert tables.acknowledged(store, order("a", "four")) == again
    assert tables.acknowledged(store, order("b")) is None


def test_a_repeated_creation_makes_no_second_table(store: Store) -> None:
    assert new_table(store) == new_table(store)
    assert tables.count(store) == 1


def test_a_key_serves_one_request(store: Store) -> None:
    table_id = new_table(store)
    tables.append(store, table_id, won(4), 1, order("a", "four"))
    with pytest.raises(KeyReused):
        tables.append(store, table_id, won(5), 2, order("a", "five"))
    assert tables.version(store, table_id) == 2


@pytest.mark.parametrize("key", ["", "short", "x" * 65, "schlüssel-äöü", "new\nline-key"])
def test_a_key_must_be_usable(store: Store, key: str) -> None:
    with pytest.raises(BadKey):
        tables.create(store, [CREATED], Order(key, "", 0))


def test_a_change_made_on_an_old_state_is_refused(store: Store) -> None:
    table_id = new_table(store)
    tables.append(store, table_id, won(4), 1, order("a"))
    with pytest.raises(Conflict):
        tables.append(store, table_id, won(2), 1, order("b"))
    assert tables.ledger(store, table_id).totals == (12, -4, -4, -4)


def test_a_change_that_does_not_fit_leaves_nothing_behind(store: Store) -> None:
    table_id = new_table(store)
    bad = RoundAdded(Round("numbers", (1, 0, 0, 0), Seating(0), 1))
    with pytest.raises(NotZero):
        tables.append(store, table_id, bad, 1, order("a"))
    with pytest.raises(UnknownRound):
        tables.append(store, table_id, RoundDeleted(7), 1, order("b"))
    assert tables.version(store, table_id) == 1
    assert tables.append(store, table_id, won(1), 1, order("a", "good")).seq == 2, "the key was not used up"


def test_an_unknown_table_is_refused(store: Store) -> None:
    for ask in (tables.ledger, tables.version, tables.remove):
        with pytest.raises(UnknownTable):
            ask(store, "nothing")
    with pytest.raises(UnknownTable):
        tables.append(store, "nothing", won(1), 1, order("a"))


def test_tables_are_listed_the_last_changed_first(store: Store) -> None:
    made = [
        tables.create(store, [CREATED], order(f"t{number}", number, 1000 + number)).table_id
        for number in range(3)
    ]
    tables.append(store, made[0], won(1), 1, order("a", None, 9000))
    assert [table_id for table_id, _ in tables.listed(store).tables] == [made[0], made[2], made[1]]
    assert [table_id for table_id, _ in tables.listed(store, start=1, most=1).tables] == [made[2]]
    assert tables.listed(store).tables[0][1].totals == (3, -1, -1, -1)


def test_a_restored_log_is_all_or_nothing(store: Store) -> None:
    log = [Event(1, 5, CREATED), Event(2, 6, won(1)), Event(3, 7, RoundDeleted(9))]
    with pytest.raises(UnknownRound):
        tables.restore(store, log, order("a"))
    assert tables.count(store) == 0
    made = tables.restore(store, log[:2], order("a"))
    assert tables.events(store, made.table_id) == tuple(log[:2])


# --- pictures ---------------------------------------------------------------------------------------------


def hand(*hashes: str) -> RoundAdded:
    counted = Counted("rK", {}, {}, {"settlement": [3, -1, -1, -1]}, tuple(Crop("rK", one) for one in hashes))
    return RoundAdded(Round("hand", (3, -1, -1, -1), Seating(0), 1, winner=0, counted=counted))


def test_pictures_are_kept_once_and_go_with_their_table(store: Store) -> None:
    table_id = new_table(store)
    pictures = {"a" * 64: b"one", "b" * 64: b"two", "c" * 64: b"not named"}
    tables.append(store, table_id, hand("a" * 64, "b" * 64), 1, order("a"), pictures)
    tables.append(store, table_id, hand("a" * 64), 2, order("b"), {})
    assert tables.crops(store, table_id) == {"a" * 64: b"one", "b" * 64: b"two"}
    assert tables.crop(store, table_id, "a" * 64) == b"one"
    assert tables.crop(store, table_id, "c" * 64) is None
    tables.remove(store, table_id)
    assert tables.crop(store, table_id, "a" * 64) is None
    assert tables.count(store) == 0


def test_a_picture_that_is_missing_is_refused(store: Store) -> None:
    table_id = new_table(store)
    with pytest.raises(MissingCrop):
        tables.append(store, table_id, hand("a" * 64), 1, order("a"), {})
    assert tables.version(store, table_id) == 1


# --- two browsers at once ---------------------------------------------------------------------------------


def play(store: Store, table_id: str, name: str, rounds: int, saved: list[int]) -> None:
    """Add rounds like a browser: look, save, look again on a conflict, send some requests twice."""
    rng = random.Random(name)
    for number in range(rounds):
        request = order(f"{name}-{number}", [name, number])
        points = rng.randint(1, 50)
        while True:
            try:
                tables.append(store, table_id, won(points), tables.version(store, table_id), request)
            except Conflict:
                continue
            break
        if rng.random() < 0.5:
            assert tables.append(store, table_id, won(points), 0, request).repeated
        saved.append(points)


def test_browsers_at_once_lose_and_double_nothing(store: Store) -> None:
    table_id = new_table(store)
    saved: list[int] = []
    threads = [
        threading.Thread(target=play, args=(store, table_id, f"browser{number}", 12, saved))
        for number in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    ledger = tables.ledger(store, table_id)
    assert len(saved) == 48
    assert ledger.totals[0] == 3 * sum(saved)
    assert sorted(played.round.amounts[0] for played in ledger.rounds) == sorted(
        3 * points for points in saved
    )


def test_the_same_request_from_many_sides_is_saved_once(store: Store) -> None:
    table_id = new_table(store)
    outcomes: list[object] = []

    def send() -> None:
        try:
            outcomes.append(tables.append(store, table_id, won(4), 1, order("same")).seq)
        except Conflict as error:
            outcomes.append(error)

    threads = [threading.Thread(target=send) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert outcomes == [2] * 8
    assert tables.version(store, table_id) == 2
