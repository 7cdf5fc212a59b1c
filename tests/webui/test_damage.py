"""Damage stays where it is: tables, databases, keys and certificates; a few of what `tests.hostile.databases` does."""

import random
import sqlite3
import stat
from pathlib import Path

import pytest

from tests.hostile.databases import CHANGES, IN_FILES_ONLY, a_log, ask, check_file, check_table, fill, opened
from tests.webui.databases import KINDS, fresh_store, fresh_url
from webui.access import certificates
from webui.access.certificates import DamagedCertificate
from webui.access.secrets import DamagedKey, secret_key
from webui.ledger.changes import Event, RoundAdded
from webui.store import DamagedDatabase, Store, kept, sqlite_url, tables


@pytest.mark.parametrize("kind", KINDS)
def test_a_damaged_table_stops_no_other(kind: str, tmp_path: Path) -> None:
    with fresh_url(kind, tmp_path) as url:
        for seed in range(4):
            check_table(url, tmp_path, random.Random(seed))


def test_every_kind_of_damage_has_a_name_of_its_own() -> None:
    names = [one.name for one in CHANGES + IN_FILES_ONLY]
    assert len(set(names)) == len(names)


def test_a_damaged_file_stops_neither_scanning_nor_counting(tmp_path: Path) -> None:
    for seed in range(3):
        folder = tmp_path / str(seed)
        folder.mkdir()
        check_file(folder, random.Random(seed))


def test_a_file_of_another_program_is_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "paiyan.sqlite3"
    with sqlite3.connect(file) as other:
        other.execute("CREATE TABLE recipes (name TEXT)")
    other.close()
    before = file.read_bytes()
    with pytest.raises(DamagedDatabase, match=r"paiyan\.sqlite3 .*recipes.*restore"):
        Store(sqlite_url(tmp_path)).migrate()
    with opened(tmp_path) as app:
        client = app.test_client()
        client.set_cookie("language", "en")
        assert ask(client, "/").status_code == 200
        answer = ask(client, "/games")
    assert (answer.status_code, "paiyan.sqlite3" in answer.text) == (503, True)
    with sqlite3.connect(file) as other:
        assert other.execute("SELECT name FROM sqlite_master").fetchall() == [("recipes",)]
    other.close()
    assert len(file.read_bytes()) == len(before)


@pytest.mark.parametrize("kind", KINDS)
def test_a_log_that_was_read_grows_by_what_is_new(kind: str, tmp_path: Path) -> None:
    with fresh_store(kind, tmp_path) as store:
        (table_id,) = fill(store, 1)
        first = tables.log(store, table_id)
        assert tables.log(store, table_id) is first
        change = a_log("x")[2].change
        assert isinstance(change, RoundAdded)
        tables.append(store, table_id, change, 5, tables.Order("another key", "", 1_700_000_100_000))
        again = tables.log(store, table_id)
        assert again.events[:5] == first.events
        assert again.events[5] == Event(6, 1_700_000_100_000, change)
        assert again.before == first.ledger
        other = Store(str(store.engine.url.render_as_string(hide_password=False)))
        assert tables.log(other, table_id) == again.__class__(again.events, again.ledger, again.changed_ms)
        other.close()


@pytest.mark.parametrize("key", [b"", b"abc", b"\xff" * 64, b" " * 64])
def test_a_damaged_key_is_said(tmp_path: Path, key: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PAIYAN_SECRET_KEY", raising=False)
    (tmp_path / "secret.key").write_bytes(key)
    with pytest.raises(DamagedKey, match=r"secret\.key is empty or damaged.*delete it"):
        secret_key(tmp_path)
    (tmp_path / "secret.key").unlink()
    assert secret_key(tmp_path) == secret_key(tmp_path)
    assert stat.S_IMODE((tmp_path / "secret.key").stat().st_mode) == 0o600
    assert [one.name for one in tmp_path.iterdir()] == ["secret.key"], "no draft is left"


@pytest.mark.parametrize("name", ["authority.crt", "authority.key"])
@pytest.mark.parametrize("data", [b"", b"half", None])
def test_a_damaged_authority_is_said(tmp_path: Path, name: str, data: bytes | None) -> None:
    certificates.ensure(tmp_path / "https", ["localhost"])
    if data is None:  # another one's
        certificates.ensure(tmp_path / "other", ["localhost"])
        data = (tmp_path / "other" / name).read_bytes()
    (tmp_path / "https" / name).write_bytes(data)
    with pytest.raises(DamagedCertificate, match=r"authority\.crt and .*authority\.key are damaged"):
        certificates.ensure(tmp_path / "https", ["localhost"])


@pytest.mark.parametrize("name", ["server.crt", "server.key"])
def test_a_damaged_certificate_of_the_server_is_made_anew(tmp_path: Path, name: str) -> None:
    made = certificates.ensure(tmp_path, ["localhost"])
    (tmp_path / name).write_bytes((tmp_path / name).read_bytes()[:100])
    assert certificates.ensure(tmp_path, ["localhost"]).fingerprint == made.fingerprint
    assert b"END" in (tmp_path / name).read_bytes()


def test_the_data_folder_is_its_owners(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from webui import data_folder

    monkeypatch.setenv("PAIYAN_DATA", str(tmp_path / "new" / "data"))
    assert stat.S_IMODE(data_folder().stat().st_mode) == 0o700


def test_a_whole_database_has_no_fault(tmp_path: Path) -> None:
    with opened(tmp_path) as app:
        assert kept.opened(app).fault is None
