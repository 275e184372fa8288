# SPDX-License-Identifier: Apache-2.0
"""A backup becomes the store of a stopped controller; the former store is kept aside.

The intents and the network description are those of the backup. Facts about nodes, and access, are not undone:
election ids, boot counts and numbers of pools go on from the former store, and so do tokens. Entries that intents of
the former store may have on nodes are recorded as orphaned: their numbers stay taken until the nodes were seen without
them.
"""

import contextlib
import datetime
import fcntl
import json
import os
import shutil
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from . import store_file
from .durable import sync_folder
from .errors import UserError
from .store_file import INTENTS, LEFTOVERS, NETWORK, Maps

# Maps that go on from the former store: as a whole, key by key, and by the greater value.
_ACCESS = ("access-tokens", "access-token-uses")
_FACTS = ("lives", "pools")
_ELECTION = "southbound"
_REPORT = "restore"


@dataclass
class Differences:
    """Intents that the backup has more, fewer, or otherwise than the store."""

    added: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)
    unchanged: int = 0
    network: bool = False


@dataclass
class Outcome:
    """The changes that a restore made, or with a dry run would make."""

    backup: store_file.Report
    store: Path
    differences: Differences
    notes: list[str]
    kept: Path | None = None


def restore(backup: Path, folder: Path, now: datetime.datetime, *, dry_run: bool) -> Outcome:
    """Raises UserError, and has changed nothing then, if the file is no whole store or a controller has the folder."""
    report = store_file.checked(backup)
    if report.faults:
        raise UserError(f"{backup} is damaged ({report.faults[0]}): restore another one; nothing has changed")
    notes = [f"the backup has an entry that cannot be read: {one}" for one in report.unreadable]
    with contextlib.ExitStack() as held:
        if not dry_run:
            held.enter_context(_locked(folder))
        current = store_file.current(folder)
        former = _former(current, notes)
        restored = store_file.entries(backup)
        next_store = folder / f"sextant-{(store_file.generation(current) if current else 0) + 1}.db"
        outcome = Outcome(report, next_store, differences(restored, former), notes)
        if not dry_run:
            taken_over = {**carried(restored, former, outcome.differences, now), _REPORT: _reported(outcome, now)}
            outcome.kept = _install(backup, taken_over, current, next_store, now)
        return outcome


@contextlib.contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Has the store's folder as a controller would. Raises UserError if one has it."""
    try:
        if not folder.exists():
            folder.mkdir(mode=0o700)
            _give(folder, folder.parent)
        lock = os.open(folder / "sextant.lock", os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise UserError(f"{error.filename}: {error.strerror}") from None
    try:
        _give(folder / "sextant.lock", folder)
        try:
            fcntl.lockf(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except (BlockingIOError, PermissionError):
            raise UserError(f"a controller has the store {folder}: stop it first; nothing has changed") from None
        except OSError as error:
            raise UserError(f"the file system of {folder} has no locks ({error.strerror}): nothing changed") from None
        yield
    finally:
        os.close(lock)


def _give(file: Path, like: Path) -> None:
    """A restore by root leaves files that the controller's user can write."""
    if os.geteuid() == 0:
        owner = like.stat()
        os.chown(file, owner.st_uid, owner.st_gid)


def _former(current: Path | None, notes: list[str]) -> Maps:
    """The store as it is; empty if there is none, or none that can be read."""
    if current is None:
        notes.append("there is no store yet from which tokens and election ids could be taken over")
        return {}
    try:
        faults = store_file.checked(current).faults
        if not faults:
            return store_file.entries(current)
    except UserError as error:
        faults = [str(error)]
    notes.append(f"the store cannot be read ({faults[0]}): its tokens are not taken over; make new ones")
    return {}


# --- which entries the new store has beside those of the backup


def differences(restored: Maps, former: Maps) -> Differences:
    """The differences between a backup and the store that it replaces."""
    new, old = restored.get(INTENTS, {}), former.get(INTENTS, {})
    both = sorted(new.keys() & old.keys())
    return Differences(
        added=sorted(new.keys() - old.keys()),
        removed=sorted(old.keys() - new.keys()),
        changed=[ref for ref in both if new[ref] != old[ref]],
        unchanged=sum(new[ref] == old[ref] for ref in both),
        network=bool(former) and _description(restored) != _description(former),
    )


def carried(restored: Maps, former: Maps, found: Differences, now: datetime.datetime) -> Maps:
    """The entries that replace those of the backup, by map; a map of access is replaced as a whole."""
    facts = {of: former.get(of, {}) for of in _FACTS}
    epochs = {
        key: value
        for key, value in former.get(_ELECTION, {}).items()
        if int(value) > int(restored.get(_ELECTION, {}).get(key, "0"))
    }
    return {
        **{of: former.get(of, {}) for of in _ACCESS},
        **facts,
        _ELECTION: epochs,
        LEFTOVERS: {key: _text(leftover) for key, leftover in _leftovers(restored, former, found, now)},
    }


def _leftovers(
    restored: Maps, former: Maps, found: Differences, now: datetime.datetime
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Orphaned entries: those that the former store knew of, and those of intents that it had and the backup has not.

    The rows of the latter are not known here; the number is. The controller takes the rows out when it reads a node.
    """
    intents = restored.get(INTENTS, {})
    known = former.get(LEFTOVERS, {})
    for key, value in known.items():
        leftover = json.loads(value)
        if f"{leftover['kind']}/{leftover['id']}" in intents:
            leftover.pop("intent", None)  # the intent is back: it only changed
        yield key, leftover
    nodes = _nodes(former)
    for ref in [*found.removed, *found.changed]:
        stored = json.loads(former[INTENTS][ref])
        after = json.loads(intents[ref]) if ref in intents else None
        if after is not None and all(after.get(name) == stored.get(name) for name in ("number", "grants")):
            continue  # its entries have the same numbers, and are rewritten in place
        for node in nodes:
            key = f"{ref}#{stored['number']}@{node}"
            if key not in known:
                yield key, _leftover(stored, node, withdrawn=after is None, now=now)


def _leftover(stored: dict[str, Any], node: str, *, withdrawn: bool, now: datetime.datetime) -> dict[str, Any]:
    numbers = [
        {"pool": one["pool"], "first": one["number"], "many": one["many"], "everywhere": True}
        for one in stored.get("grants", [])
    ]
    return {
        "kind": stored["kind"],
        "id": stored["id"],
        "number": stored["number"],
        "node": node,
        "since": _stamp(now),
        **({"intent": stored["intent"]} if withdrawn else {}),
        **({"numbers": numbers} if numbers else {}),
        "rows": [],
        "passages": [],
    }


def _description(maps: Maps) -> str:
    return maps.get(NETWORK, {}).get("description", "{}")


def _nodes(maps: Maps) -> list[str]:
    devices = json.loads(_description(maps)).get("devices", {})
    return sorted(device["basic"]["name"] for device in devices.values() if "name" in device.get("basic", {}))


def _reported(outcome: Outcome, now: datetime.datetime) -> dict[str, str]:
    """For the log of the controller that starts with it."""
    found = outcome.differences
    counts = {"added": len(found.added), "removed": len(found.removed), "changed": len(found.changed)}
    report = {"backupMade": outcome.backup.made, "at": _stamp(now), **counts, "unchanged": found.unchanged}
    return {"report": _text(report)}


def _text(document: dict[str, Any]) -> str:
    return json.dumps(document, separators=(",", ":"), ensure_ascii=False)


def _stamp(now: datetime.datetime) -> str:
    return f"{now:%Y-%m-%dT%H:%M:%SZ}"


# --- files


def _install(backup: Path, taken_over: Maps, current: Path | None, store: Path, now: datetime.datetime) -> Path | None:
    """Makes the new generation and keeps the former one aside; returns where that is."""
    fresh = store.with_name(store.name + ".new")
    try:
        _remove(fresh)
        os.close(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        _give(fresh, store.parent)
        with contextlib.closing(
            sqlite3.connect(fresh.absolute().as_uri(), uri=True, isolation_level=None)
        ) as connection:
            _fill(connection, backup, taken_over)
        _sync(fresh)
        kept = _keep(current, now) if current else None
        fresh.rename(store)
        sync_folder(store.parent)
    except (OSError, sqlite3.Error) as error:
        _remove(fresh)
        raise UserError(f"the store {store.parent} cannot be written ({error}); it is as it was") from None
    if current is not None:
        _remove(current)
    return kept


def _fill(connection: sqlite3.Connection, backup: Path, taken_over: Maps) -> None:
    connection.execute("PRAGMA synchronous=FULL")
    with store_file.connected(backup) as source:
        source.backup(connection)
    connection.execute("PRAGMA journal_mode=DELETE")
    connection.execute("BEGIN IMMEDIATE")
    for of in (store_file.ABOUT, *_ACCESS):
        connection.execute("DELETE FROM entry WHERE map = ?", (of,))
    rows = [(of, key, value) for of, entries in taken_over.items() for key, value in entries.items()]
    connection.executemany("INSERT OR REPLACE INTO entry (map, key, value) VALUES (?, ?, ?)", rows)
    connection.execute("COMMIT")


def _keep(current: Path, now: datetime.datetime) -> Path:
    """Gives the former store and its log a second name, before the new one has its place: a crash leaves either."""
    kept = current.with_name(f"{current.name}.before-{now:%Y%m%dT%H%M%S}")
    for suffix in ("", "-wal"):
        file, aside = current.with_name(current.name + suffix), kept.with_name(kept.name + suffix)
        if file.exists():
            _link(file, aside)
    sync_folder(current.parent)
    return kept


def _link(file: Path, aside: Path) -> None:
    try:
        os.link(file, aside)
    except FileExistsError:
        raise
    except OSError:  # a file system without links
        shutil.copy2(file, aside)
        _sync(aside)


def _sync(file: Path) -> None:
    opened = os.open(file, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


def _remove(file: Path) -> None:
    for suffix in ("", "-wal", "-shm", "-journal"):
        file.with_name(file.name + suffix).unlink(missing_ok=True)
