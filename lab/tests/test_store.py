# SPDX-License-Identifier: Apache-2.0
"""Backups are written whole or not at all, and a restore takes whole backups only; without a controller."""

import contextlib
import datetime
import fcntl
import hashlib
import http.server
import json
import os
import sqlite3
import stat
import subprocess
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from sextantlab import __main__ as commands
from sextantlab import backup, restore, store_file
from sextantlab.errors import UserError
from sextantlab.paths import ROOT
from sextantlab.steps import say
from sextantlab.store_file import Maps

_NOW = datetime.datetime(2026, 11, 26, 12, 0, 0, tzinfo=datetime.UTC)
_NETWORK = json.dumps({"devices": {f"device:{name}": {"basic": {"name": name}} for name in ("a", "b")}})


def intent(number: int, hops: str = "l2", **more: Any) -> str:
    return json.dumps({"kind": "policy", "id": f"p{number}", "number": number, "intent": {"hops": hops}, **more})


def store(file: Path, maps: Maps, *, layout: int = 1, application: int = store_file.APPLICATION_ID) -> Path:
    """A store as the controller makes it."""
    file.parent.mkdir(exist_ok=True)
    with contextlib.closing(sqlite3.connect(file)) as connection:
        connection.execute(f"PRAGMA application_id = {application}")
        connection.execute(f"PRAGMA user_version = {layout}")
        connection.execute(
            "CREATE TABLE entry (map TEXT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (map, key))"
            " WITHOUT ROWID"
        )
        rows = [(of, key, value) for of, entries in maps.items() for key, value in entries.items()]
        connection.executemany("INSERT INTO entry VALUES (?, ?, ?)", rows)
        connection.commit()
    return file


def intents(*numbers: int, hops: str = "l2") -> Maps:
    return {
        "intents": {f"policy/p{number}": intent(number, hops) for number in numbers},
        "network": {"description": _NETWORK, "file-digest": "0" * 64},
    }


def digest(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


@dataclass
class Done:
    returncode: int
    stdout: str
    stderr: str


Sextant = Callable[..., Done]


@pytest.fixture
def sextant(capsys: pytest.CaptureFixture[str]) -> Sextant:
    """./sextant in this process."""

    def run(*words: str | Path) -> Done:
        capsys.readouterr()
        try:
            code = commands.main([str(word) for word in words])
        except UserError as error:
            say(f"sextant: {error}")
            code = 1
        out, err = capsys.readouterr()
        return Done(code, out, err)

    return run


# --- check


def test_a_whole_store_is_counted_by_map_and_not_changed(sextant: Sextant, tmp_path: Path) -> None:
    file = store(tmp_path / "store" / "sextant-3.db", intents(1, 2))
    before = digest(file)
    done = sextant("store", "check", "--data", tmp_path, "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == {
        "file": str(file),
        "backupMade": None,
        "entries": 4,
        "maps": {"intents": 2, "network": 2},
        "problems": [],
    }
    assert digest(file) == before
    assert [one.name for one in file.parent.iterdir()] == ["sextant-3.db"]


def test_a_log_beside_the_store_counts(tmp_path: Path) -> None:
    """As kill -9 leaves it: the last acknowledged changes stand in the log alone."""
    file = store(tmp_path / "live" / "sextant-1.db", intents(1))
    with contextlib.closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("INSERT INTO entry VALUES ('intents', 'policy/p2', ?)", (intent(2),))
        connection.commit()
        killed = tmp_path / "killed"
        killed.mkdir()
        for suffix in ("", "-wal"):
            (killed / f"sextant-1.db{suffix}").write_bytes(file.with_name(file.name + suffix).read_bytes())
    assert store_file.checked(killed / "sextant-1.db").maps["intents"] == 2
    assert (killed / "sextant-1.db-wal").stat().st_size > 0


@pytest.mark.parametrize(
    ("of", "key", "value", "reason"),
    [
        ("intents", "policy/x", "{", "Expecting"),
        ("intents", "policy/x", "[]", "no JSON object"),
        ("intents", "policy/x", intent(7), "says that it is policy/p7"),
        ("intents", "policy/p0", intent(0), "number or its intent"),
        ("intents", "policy/p1", intent(1, grants=[{"pool": "x"}]), "incomplete"),
        ("leftovers", "policy/p1#1@a", '{"kind":"policy","id":"p1","number":1,"node":"b"}', "says that it is"),
        ("lives", "a", "0", "no number"),
        ("southbound", "election-epoch", "soon", "no number"),
        ("network", "file-digest", "x", "SHA-256"),
        ("access-token-uses", "t", "yesterday", "yesterday"),
    ],
)  # fmt: skip
def test_an_entry_that_is_not_of_its_form_is_named(
    sextant: Sextant, tmp_path: Path, of: str, key: str, value: str, reason: str
) -> None:
    file = store(tmp_path / "sextant-1.db", {of: {key: value}})
    (problem,) = store_file.checked(file).unreadable
    assert problem.startswith(f"{of} {key}: ")
    assert reason in problem
    assert sextant("store", "check", file).returncode == 1


def _truncated(file: Path) -> None:
    os.truncate(file, file.stat().st_size // 2)


def _overwritten(file: Path) -> None:
    with file.open("r+b") as opened:
        opened.seek(file.stat().st_size - 2048)
        opened.write(b"damage" * 100)


def _of_a_later_layout(file: Path) -> None:
    with contextlib.closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA user_version = 99")


def _of_another_program(file: Path) -> None:
    with contextlib.closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA application_id = 7")


def _no_database(file: Path) -> None:
    file.write_text("policies:\n" * 50)


def _empty(file: Path) -> None:
    file.write_bytes(b"")


def _without_its_table(file: Path) -> None:
    with contextlib.closing(sqlite3.connect(file)) as connection:
        connection.execute("DROP TABLE entry")


def _a_folder(file: Path) -> None:
    file.unlink()
    file.mkdir()


def _absent(file: Path) -> None:
    file.unlink()


_SPOILED: dict[Callable[[Path], None], str] = {
    _truncated: "damaged",
    _overwritten: "damaged",
    _of_a_later_layout: "later version",
    _of_another_program: "another program",
    _no_database: "no SQLite database",
    _empty: "no SQLite database",
    _without_its_table: "no such table",
    _a_folder: "is no file",
    _absent: "there is no file",
}


@pytest.mark.parametrize("spoil", _SPOILED, ids=lambda spoil: spoil.__name__)
def test_what_is_no_whole_backup_is_not_restored_and_nothing_changes(
    sextant: Sextant, tmp_path: Path, spoil: Callable[[Path], None]
) -> None:
    current = store(tmp_path / "store" / "sextant-1.db", intents(1))
    (tmp_path / "store" / "sextant.lock").touch()
    before = digest(current)
    given = store(tmp_path / "backup.db", intents(*range(1, 200)))
    spoil(given)
    done = sextant("restore", given, "--data", tmp_path)
    assert done.returncode == 1
    assert done.stdout == ""
    assert _SPOILED[spoil] in done.stderr
    assert "Traceback" not in done.stderr
    assert sorted(one.name for one in (tmp_path / "store").iterdir()) == ["sextant-1.db", "sextant.lock"]
    assert digest(current) == before
    assert sextant("store", "check", given).returncode == 1


# --- restore


def test_a_restore_lists_the_differences_and_keeps_the_former_store(sextant: Sextant, tmp_path: Path) -> None:
    former = intents(1, 2, 3)
    current = store(tmp_path / "store" / "sextant-4.db", former)
    before = digest(current)
    given = intents(1, 4)
    given["intents"]["policy/p2"] = intent(2, "l9")
    given["backup"] = {"made": "2026-11-25T10:00:00Z"}
    file = store(tmp_path / "backup.db", given)
    wanted = {
        "added": ["policy/p4"],
        "removed": ["policy/p3"],
        "changed": ["policy/p2"],
        "unchanged": 1,
        "networkChanged": False,
        "backupMade": "2026-11-25T10:00:00Z",
        "notes": [],
    }
    dry = json.loads(sextant("restore", file, "--data", tmp_path, "--dry-run", "--json").stdout)
    assert {name: dry[name] for name in wanted} == wanted
    assert digest(current) == before
    assert [one.name for one in current.parent.iterdir()] == ["sextant-4.db"]

    done = json.loads(sextant("restore", file, "--data", tmp_path, "--json").stdout)
    assert {name: done[name] for name in wanted} == wanted
    assert done["store"] == str(tmp_path / "store" / "sextant-5.db")
    kept = Path(done["kept"])
    assert kept.name.startswith("sextant-4.db.before-")
    assert digest(kept) == before
    assert not current.exists()
    restored = Path(done["store"])
    assert stat.S_IMODE(restored.stat().st_mode) == 0o600
    assert store_file.entries(restored)["intents"] == given["intents"]
    assert store_file.checked(restored).problems == []
    # And back: the former store is a backup, too.
    assert sextant("restore", kept, "--data", tmp_path).returncode == 0
    assert store_file.entries(tmp_path / "store" / "sextant-6.db")["intents"] == former["intents"]


def test_facts_about_nodes_and_access_go_on_from_the_former_store() -> None:
    given: Maps = {
        **intents(1),
        "lives": {"a": "1", "b": "4"},
        "pools": {"x": "5"},
        "southbound": {"election-epoch": "100"},
        "access-tokens": {"revoked": "{}"},
    }
    former: Maps = {
        **intents(1),
        "lives": {"a": "3"},
        "pools": {"x": "9"},
        "southbound": {"election-epoch": "200"},
        "access-tokens": {"made-since": "{}"},
    }
    found = restore.differences(given, former)
    carried = restore.carried(given, former, found, _NOW)
    assert carried["lives"] == {"a": "3"}
    assert carried["pools"] == {"x": "9"}
    assert carried["southbound"] == {"election-epoch": "200"}
    assert carried["access-tokens"] == {"made-since": "{}"}
    assert restore.carried(former, given, found, _NOW)["southbound"] == {}


def test_a_token_that_was_revoked_since_stays_revoked(tmp_path: Path) -> None:
    store(tmp_path / "store" / "sextant-1.db", {**intents(1), "access-tokens": {"t2": "{}"}})
    given = store(tmp_path / "backup.db", {**intents(1), "access-tokens": {"t1": "{}", "t2": "{}"}})
    restore.restore(given, tmp_path / "store", _NOW, dry_run=False)
    assert store_file.entries(tmp_path / "store" / "sextant-2.db")["access-tokens"] == {"t2": "{}"}


def test_numbers_of_intents_that_go_stay_taken_until_every_node_was_seen_without_them() -> None:
    former = intents(1, 2)
    former["intents"]["policy/p2"] = intent(2, grants=[{"pool": "flows", "use": 0, "number": 17, "many": 2}])
    given = intents(1)
    leftovers = restore.carried(given, former, restore.differences(given, former), _NOW)["leftovers"]
    assert sorted(leftovers) == ["policy/p2#2@a", "policy/p2#2@b"]
    leftover = json.loads(leftovers["policy/p2#2@a"])
    assert leftover["numbers"] == [{"pool": "flows", "first": 17, "many": 2, "everywhere": True}]
    assert leftover["intent"] == {"hops": "l2"}
    assert store_file._wrong("leftovers", "policy/p2#2@a", leftovers["policy/p2#2@a"]) is None


def test_an_orphan_of_an_intent_that_comes_back_is_one_of_a_changed_intent() -> None:
    orphan = {"kind": "policy", "id": "p1", "number": 1, "node": "a", "since": "2026-11-26T10:00:00Z", "intent": {}}
    former: Maps = {**intents(2), "leftovers": {"policy/p1#1@a": json.dumps(orphan)}}
    given = intents(1, 2)
    leftovers = restore.carried(given, former, restore.differences(given, former), _NOW)["leftovers"]
    assert {key: "intent" in json.loads(value) for key, value in leftovers.items()} == {"policy/p1#1@a": False}


def test_a_damaged_store_is_replaced_and_kept_with_its_log(tmp_path: Path) -> None:
    current = store(tmp_path / "store" / "sextant-1.db", intents(*range(1, 200)))
    _overwritten(current)
    current.with_name("sextant-1.db-wal").write_bytes(b"torn")
    before = digest(current)
    outcome = restore.restore(store(tmp_path / "backup.db", intents(1)), current.parent, _NOW, dry_run=False)
    assert any("cannot be read" in note for note in outcome.notes)
    assert outcome.kept is not None
    assert digest(outcome.kept) == before
    assert outcome.kept.with_name(outcome.kept.name + "-wal").read_bytes() == b"torn"
    assert not current.with_name("sextant-1.db-wal").exists()
    assert store_file.checked(outcome.store).maps["intents"] == 1


def test_a_backup_restores_where_there_was_no_store(tmp_path: Path) -> None:
    outcome = restore.restore(store(tmp_path / "backup.db", intents(1)), tmp_path / "store", _NOW, dry_run=False)
    assert outcome.kept is None
    assert outcome.store == tmp_path / "store" / "sextant-1.db"
    assert outcome.differences.added == ["policy/p1"]


def test_nothing_is_restored_while_a_controller_has_the_store(tmp_path: Path) -> None:
    current = store(tmp_path / "store" / "sextant-1.db", intents(1))
    given = store(tmp_path / "backup.db", intents(2))
    words: list[str | Path] = [ROOT / "sextant", "restore", given, "--data", tmp_path]
    with (tmp_path / "store" / "sextant.lock").open("w") as lock:
        fcntl.lockf(lock, fcntl.LOCK_EX)  # of this process: the command is another one
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stdout) == (1, "")
        assert "stop it first" in done.stderr
        assert subprocess.run([*words, "--dry-run"], capture_output=True, check=False).returncode == 0
    assert store_file.entries(current)["intents"] == intents(1)["intents"]


@pytest.mark.skipif(os.geteuid() != 0, reason="a file system of its own needs root")
def test_a_full_disk_leaves_store_and_target_as_they_were(sextant: Sextant, tmp_path: Path) -> None:
    given = store(tmp_path / "backup.db", intents(*range(1, 5000)))
    assert given.stat().st_size > 400_000
    disk = tmp_path / "disk"
    disk.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=256k", "none", disk], check=True)
    try:
        current = store(disk / "store" / "sextant-1.db", intents(1))
        before = digest(current)
        done = sextant("restore", given, "--data", disk)
        assert done.returncode == 1
        assert "it is as it was" in done.stderr, done.stderr
        assert digest(current) == before
        with _served(given.read_bytes()) as source, pytest.raises(UserError, match="No space left"):
            backup.take(source, disk / "copy.db", force=False)
        assert sorted(one.name for one in disk.iterdir()) == ["store"]
        assert sorted(one.name for one in (disk / "store").iterdir()) == ["sextant-1.db", "sextant.lock"]
    finally:
        subprocess.run(["umount", disk], check=True)


# --- backup


class _Answer(http.server.BaseHTTPRequestHandler):
    body = b""
    status = 200
    promised: int | None = None

    def do_POST(self) -> None:
        assert self.path == "/srv6/store/backups"
        self.send_response(self.status)
        self.send_header("Content-Length", str(len(self.body) if self.promised is None else self.promised))
        self.end_headers()
        self.wfile.write(self.body)

    def log_message(self, *_: object) -> None:
        """Nothing: pytest shows the output of a test."""


@contextlib.contextmanager
def _served(body: bytes, *, status: int = 200, promised: int | None = None) -> Iterator[backup.Source]:
    """A controller that answers so."""
    handler = type("Handler", (_Answer,), {"body": body, "status": status, "promised": promised})
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield backup.Source(f"http://127.0.0.1:{server.server_port}", "admin", "secret")
        finally:
            server.shutdown()
            thread.join()


@pytest.fixture
def copy(tmp_path: Path) -> bytes:
    return store(tmp_path / "served" / "sextant-1.db", intents(1, 2, 3)).read_bytes()


def test_a_backup_is_its_owners_and_is_replaced_only_by_force(tmp_path: Path, copy: bytes) -> None:
    target = tmp_path / "b.db"
    with _served(copy) as source:
        assert backup.take(source, target, force=False).maps["intents"] == 3
        assert target.read_bytes() == copy
        assert stat.S_IMODE(target.stat().st_mode) == 0o600
        target.write_text("mine")
        with pytest.raises(UserError, match="--force"):
            backup.take(source, target, force=False)
        assert target.read_text() == "mine"
        backup.take(source, target, force=True)
    assert target.read_bytes() == copy
    assert sorted(one.name for one in tmp_path.iterdir()) == ["b.db", "served"]


@pytest.mark.parametrize("force", [False, True])
@pytest.mark.parametrize(
    ("target", "reason"),
    [("served", "is a folder"), ("absent/b.db", "no folder"), ("/dev/full", "no regular file"), ("pipe", "no regular")],
)
def test_a_target_that_is_no_file_is_refused_before_anything_is_asked(
    tmp_path: Path, copy: bytes, target: str, reason: str, *, force: bool
) -> None:
    os.mkfifo(tmp_path / "pipe")
    absent = backup.Source("http://127.0.0.1:1", "admin", "")
    with pytest.raises(UserError, match=reason):
        backup.take(absent, tmp_path / target, force=force)


@pytest.mark.parametrize("promised", [1 << 20, None])
def test_a_backup_that_ends_early_leaves_the_target_as_it_was(
    tmp_path: Path, copy: bytes, promised: int | None
) -> None:
    """The connection breaks, or the data ends in the middle of a page."""
    target = tmp_path / "b.db"
    target.write_text("the last one")
    with (
        _served(copy[: len(copy) // 2 + 7], promised=promised) as source,
        pytest.raises(UserError, match="ended after|damaged"),
    ):
        backup.take(source, target, force=True)
    assert target.read_text() == "the last one"
    assert sorted(one.name for one in tmp_path.iterdir()) == ["b.db", "served"]


@pytest.mark.parametrize(
    ("status", "body", "reason"),
    [
        (501, {"detail": "the store is kept in ONOS"}, "answers 501: the store is kept in ONOS"),
        (503, {"detail": "a copy needs 9 KiB"}, "answers 503: a copy needs 9 KiB"),
        (404, {}, "of an earlier release"),
        (500, [], "gives no reason"),
    ],
)  # fmt: skip
def test_a_refusal_is_one_sentence(sextant: Sextant, tmp_path: Path, status: int, body: object, reason: str) -> None:
    credentials = tmp_path / "credentials"
    credentials.write_text("viewer=x\nadmin=secret\n")
    with _served(json.dumps(body).encode(), status=status) as source:
        done = sextant("backup", tmp_path / "b.db", "--controller", source.url, "--credentials", credentials)
    assert (done.returncode, done.stdout) == (1, "")
    assert reason in done.stderr.splitlines()[-1]
    assert not (tmp_path / "b.db").exists()
