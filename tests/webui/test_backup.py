"""Backups: written while others write, brought back whole or not at all, from one kind of database to another."""

import json
import secrets
import sqlite3
import threading
import zipfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from sqlalchemy import text

from tests.hostile.databases import a_log, fill
from tests.webui.databases import KINDS, fresh_url
from vision.evaluate import Counts, Judged
from vision.truth import TrueCard, TrueEnd, TruePhoto, coco_of
from webui.cli import cli
from webui.commands.terminal import CommandError
from webui.ledger.changes import RoundAdded
from webui.store import Store, backup, decks, devices, examples, kept, sqlite_url, tables
from webui.store.backup import BackupError
from webui.store.decks import KeptCard, KeptPhoto, NewDeck
from webui.store.examples import Answer

NOW = 1_700_000_000_000


@pytest.fixture(params=KINDS)
def here(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Store, Path]]:
    folder = tmp_path / "here"
    folder.mkdir()
    with fresh_url(str(request.param), folder) as url:
        store = Store(url)
        store.migrate()
        yield store, folder
        store.close()


@pytest.fixture
def there(tmp_path: Path) -> Iterator[tuple[Store, Path]]:
    """Another computer, with SQLite."""
    folder = tmp_path / "there"
    folder.mkdir()
    store = kept.of_folder(folder)
    yield store, folder
    store.close()


def a_print(folder: Path, name: str, said: str) -> Path:
    place = folder / "decks" / name
    place.mkdir(parents=True)
    (place / "print.json").write_text(said, encoding="utf-8")
    return place / "print.json"


def a_deck(store: Store, name: str) -> str:
    cards = (KeptCard(0, "rK", True, b"\xff\xd8\xff picture"), KeptCard(0, "rA", False))
    return decks.save(
        store,
        NewDeck(name, "sise", "112", (KeptPhoto("more", 1, key="k" * 8),), cards),
        "key of a deck",
        NOW,
    )


def everything(store: Store) -> list[object]:
    with store.reading() as session:
        names = ("game_table", "event", "round_crop", "deck", "deck_card", "deck_photo")
        return [sorted(map(repr, session.execute(text(f"SELECT * FROM {name}")).all())) for name in names]


def test_what_was_backed_up_comes_back(
    here: tuple[Store, Path], there: tuple[Store, Path], tmp_path: Path
) -> None:
    ids = fill(here[0], 3)
    a_deck(here[0], "成都")
    a_print(here[1], "成都", "learnt")
    (here[1] / "secret.key").write_text("x", encoding="ascii")
    file = tmp_path / "paiyan.zip"
    written = backup.write(*here, file)
    assert (written.rows["event"], written.rows["deck_card"], written.files) == (15, 2, 1)
    assert "secret.key" not in zipfile.ZipFile(file).namelist()
    for target in (there, here):  # across, and back onto itself after it went on
        fill(target[0], 2, "others")
        backup.restore(*target, file)
        assert [tables.events(target[0], one) for one in ids] == [
            tuple(a_log(f"table {n}")) for n in range(3)
        ]
        assert tables.count(target[0]) == 3
        assert decks.pictures(target[0], decks.named(target[0], "成都").id) == {0: b"\xff\xd8\xff picture"}
        assert (target[1] / "decks" / "成都" / "print.json").read_text(encoding="utf-8") == "learnt"
        assert not list(target[1].glob("restored-*"))


def an_example(store: Store, name: str, jpeg: bytes) -> str:
    quad = np.array([[0, 0], [20, 0], [20, 20], [0, 20]], np.float64)
    photo = TruePhoto("photo.jpg", "sise", "hand", (TrueCard("rK", 0, (TrueEnd(quad, 1.0),)),))
    coco = coco_of([(photo, {"light": "dark", "remarks": ["dark"]})])
    made = examples.add(store, jpeg, coco, name=name, source="", key=secrets.token_hex(8), at_ms=NOW)
    judged = (Judged("rK", "rK", 0.9, True), Judged(None, "gA", 0.4, False))
    examples.put_answer(store, Answer(made, "state 12", "plain", Counts(1, 1, 1, 1), judged, NOW))
    return made


def test_kept_photos_come_back_with_their_household(
    here: tuple[Store, Path], there: tuple[Store, Path], tmp_path: Path
) -> None:
    one = an_example(here[0], "外婆", b"\xff\xd8\xff not decoded \x00\n")
    before, answers = examples.load(here[0], one), examples.answers(here[0])
    names = examples.household(here[0]), examples.print_name(here[0], before)
    file = tmp_path / "paiyan.zip"
    assert backup.write(*here, file).rows["example"] == 1
    an_example(there[0], "others", b"\xff\xd8\xff others")
    assert examples.household(there[0]) != names[0]
    for target in (there, here):
        backup.restore(*target, file)
        assert examples.listed(target[0]) == (before,)
        assert examples.picture(target[0], one) == b"\xff\xd8\xff not decoded \x00\n"
        assert examples.answers(target[0]) == answers
        assert (examples.household(target[0]), examples.print_name(target[0], before)) == names


def test_a_backup_that_names_no_household_leaves_the_one_that_is_there(
    here: tuple[Store, Path], there: tuple[Store, Path], tmp_path: Path
) -> None:
    file = tmp_path / "paiyan.zip"
    backup.write(*here, file)
    name = examples.household(there[0])
    assert backup.is_empty(*there)
    backup.restore(*there, file)
    assert examples.household(there[0]) == name


def test_a_backup_is_one_moment_while_others_write(
    here: tuple[Store, Path], there: tuple[Store, Path], tmp_path: Path
) -> None:
    (table_id,) = fill(here[0], 1)
    change = a_log("x")[2].change
    assert isinstance(change, RoundAdded)
    stop = threading.Event()

    def write() -> None:
        base = 5
        while not stop.is_set():
            order = tables.Order(f"round {base:04}", "", NOW + 10_000 + base)
            base = tables.append(here[0], table_id, change, base, order).seq

    writer = threading.Thread(target=write)
    writer.start()
    try:
        for n in range(3):
            backup.write(*here, tmp_path / f"{n}.zip")
    finally:
        stop.set()
        writer.join()
    for n in range(3):
        backup.restore(*there, tmp_path / f"{n}.zip")
        assert 5 <= tables.version(there[0], table_id) == len(tables.events(there[0], table_id))


@pytest.mark.parametrize("damage", ["short", "flip", "nothing", "other zip", "newer", "foreign table"])
def test_a_file_that_is_no_backup_changes_nothing(
    there: tuple[Store, Path], tmp_path: Path, damage: str
) -> None:
    fill(there[0], 2)
    kept_print = a_print(there[1], "x", "mine")
    file = tmp_path / "paiyan.zip"
    backup.write(*there, file)
    before, data = everything(there[0]), bytearray(file.read_bytes())
    if damage in ("short", "flip", "nothing"):
        with zipfile.ZipFile(file) as packed:
            data[packed.getinfo("tables/event.jsonl").header_offset + 80] ^= 0xFF
        file.write_bytes(bytes({"short": data[:-40], "flip": data, "nothing": bytearray()}[damage]))
    else:
        head = {"format": "paiyan-backup", "version": 1, "revision": "999", "tables": {}}
        if damage == "foreign table":
            head |= {"revision": "001", "tables": {"recipes": 1}}
        with zipfile.ZipFile(file, "w") as packed:
            packed.writestr("x" if damage == "other zip" else "paiyan-backup.json", json.dumps(head))
    with pytest.raises(BackupError, match=r"paiyan\.zip"):
        backup.restore(*there, file)
    assert everything(there[0]) == before
    assert kept_print.read_text(encoding="utf-8") == "mine"


def test_rows_that_do_not_fit_bring_nothing_back(here: tuple[Store, Path], tmp_path: Path) -> None:
    fill(here[0], 2)
    a_print(here[1], "x", "mine")
    file, bad = tmp_path / "good.zip", tmp_path / "bad.zip"
    backup.write(*here, file)
    with zipfile.ZipFile(file) as good, zipfile.ZipFile(bad, "w") as packed:
        for name in good.namelist():
            lines = good.read(name)
            packed.writestr(
                name, lines + lines.splitlines(keepends=True)[-1] if name.endswith("event.jsonl") else lines
            )
    before = everything(here[0])
    with pytest.raises(BackupError, match="can't be brought back"):
        backup.restore(*here, bad)
    assert everything(here[0]) == before
    assert (here[1] / "decks" / "x" / "print.json").exists()
    assert not list(here[1].glob("restored-*"))


def test_a_restore_that_was_cut_off_is_ended_at_the_next_start(
    there: tuple[Store, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    a_print(there[1], "x", "new")
    file = tmp_path / "paiyan.zip"
    backup.write(*there, file)
    (there[1] / "decks" / "x" / "print.json").write_text("old", encoding="utf-8")
    with monkeypatch.context() as cut:
        cut.setattr(backup, "settle", lambda store, folder: None)  # killed after the commit
        backup.restore(*there, file)
    assert (there[1] / "decks" / "x" / "print.json").read_text(encoding="utf-8") == "old"
    (there[1] / "restored-0123456789abcdef" / "decks").mkdir(parents=True)  # killed before it
    kept.of_folder(there[1]).close()
    assert (there[1] / "decks" / "x" / "print.json").read_text(encoding="utf-8") == "new"
    assert not list(there[1].glob("restored-*"))


def test_tables_are_copied_before_they_change(here: tuple[Store, Path], there: tuple[Store, Path]) -> None:
    ids = fill(here[0], 1)
    with here[0].engine.begin() as connection:
        for name in ("example_answer", "example", "mark", "paired"):  # of the versions since
            connection.execute(text(f"DROP TABLE {name}"))
        connection.execute(text("UPDATE alembic_version SET version_num = :before"), {"before": before_004()})
    kept._bring_up(*here)
    (copy,) = (here[1] / "backups").iterdir()
    backup.restore(*there, copy)
    assert tables.events(there[0], ids[0]) == tables.events(here[0], ids[0])


def before_004() -> str:
    from webui.store.migrations.versions import v004_devices_that_were_let_in as made

    return str(made.down_revision)


# --- the commands -----------------------------------------------------------------------------------------


@pytest.fixture
def run(there: tuple[Store, Path], monkeypatch: pytest.MonkeyPatch) -> CliRunner:
    monkeypatch.setenv("PAIYAN_DATA", str(there[1]))
    monkeypatch.delenv("PAIYAN_DATABASE_URL", raising=False)
    return CliRunner()


def test_the_commands_ask_before_they_replace(
    run: CliRunner, there: tuple[Store, Path], tmp_path: Path
) -> None:
    file = str(tmp_path / "b.zip")
    fill(there[0], 1)
    assert "1 table, 0 decks" in run.invoke(cli, ["backup", file], catch_exceptions=False).output
    with pytest.raises(BackupError, match="is there already"):
        run.invoke(cli, ["backup", file], catch_exceptions=False)
    fill(there[0], 2, "more")
    with pytest.raises(CommandError, match="nothing was changed"):
        run.invoke(cli, ["restore", file], input="n\n", catch_exceptions=False)
    assert tables.count(there[0]) == 3
    assert run.invoke(cli, ["restore", file, "--yes"], catch_exceptions=False).exit_code == 0
    assert tables.count(there[0]) == 1


def test_a_damaged_database_is_put_aside(run: CliRunner, there: tuple[Store, Path], tmp_path: Path) -> None:
    file = str(tmp_path / "b.zip")
    (table_id,) = fill(there[0], 1)
    run.invoke(cli, ["backup", file], catch_exceptions=False)
    there[0].close()
    (there[1] / "paiyan.sqlite3").write_bytes(b"nothing of a database" * 400)
    assert run.invoke(cli, ["restore", file, "--yes"], catch_exceptions=False).exit_code == 0
    assert [one.name for one in there[1].glob("*.damaged-*")]
    store = Store(sqlite_url(there[1]))
    assert tables.version(store, table_id) == 5
    store.close()


def test_devices_are_listed_and_forgotten(run: CliRunner, there: tuple[Store, Path]) -> None:
    device_id = devices.pair(there[0], "iPhone, Safari", NOW)
    assert f"{device_id}  iPhone, Safari" in run.invoke(cli, ["devices"], catch_exceptions=False).output
    assert "no device" in run.invoke(cli, ["devices", "--forget", device_id], catch_exceptions=False).output
    with pytest.raises(CommandError, match="no device has the number"):
        run.invoke(cli, ["devices", "--forget", device_id], catch_exceptions=False)


def test_a_device_that_was_not_there_for_two_months_is_not_let_in(there: tuple[Store, Path]) -> None:
    device_id = devices.pair(there[0], "x", NOW)
    later = NOW + devices.UNUSED_MS
    assert devices.is_paired(there[0], device_id, later)
    assert devices.listed(there[0])[0].seen_ms == later
    assert devices.is_paired(there[0], device_id, later + devices.UNUSED_MS)
    assert not devices.is_paired(there[0], device_id, later + 2 * devices.UNUSED_MS + 1)
    assert not devices.is_paired(there[0], "nobody", NOW)


def test_sqlite_is_copied_without_its_locks(there: tuple[Store, Path], tmp_path: Path) -> None:
    (there[1] / "decks").mkdir()
    sqlite3.connect(there[1] / "decks" / "changing.sqlite").close()
    assert backup.write(*there, tmp_path / "b.zip").files == 0
