# SPDX-License-Identifier: Apache-2.0
"""The file of the stand-alone controller's store (docs/adr/0028-store.md), read without the controller that wrote it.

Nothing here changes a file: a store with a log beside it is opened read-only, one without as an immutable file.
"""

import contextlib
import datetime
import json
import re
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .errors import UserError

# "Sxt1" in SQLite's header field for the application, and the layout of the one table.
APPLICATION_ID = 0x53787431
LAYOUT = 1
# The map of a backup that states when it was made.
ABOUT = "backup"
INTENTS, LEFTOVERS, NETWORK = "intents", "leftovers", "network"
_MAGIC = b"SQLite format 3\0"
_HEADER_BYTES = 100
_MAX_NUMBER = 1 << 27
_FAULTS = 100
_GENERATION = re.compile(r"sextant-([0-9]{1,9})\.db")
_MAP_PATTERNS = {
    "pools": re.compile(r"\d{1,18}"),
    "lives": re.compile(r"[1-9]\d{0,8}"),
    "southbound": re.compile(r"\d{1,19}"),
}


Maps = dict[str, dict[str, str]]


def generation(file: Path) -> int:
    """The number of a generation of the store; 0 if the file is none."""
    match = _GENERATION.fullmatch(file.name)
    return int(match[1]) if match else 0


def current(folder: Path) -> Path | None:
    """The store of a folder: the highest generation; None if there is no store yet."""
    try:
        found = [file for file in folder.iterdir() if generation(file)]
    except FileNotFoundError:
        return None
    return max(found, key=generation, default=None)


def require(file: Path) -> None:
    """Raises UserError unless the header says that this is a store of a layout that is known here."""
    try:
        if not file.is_file():
            raise UserError(f"{file} is no file" if file.exists() else f"there is no file {file}")
        with file.open("rb") as opened:
            header = opened.read(_HEADER_BYTES)
    except OSError as error:
        raise UserError(f"{file} cannot be read: {error.strerror}") from None
    if len(header) < _HEADER_BYTES or not header.startswith(_MAGIC):
        raise UserError(f"{file} is no store of Sextant: it is no SQLite database")
    if int.from_bytes(header[68:72], "big") != APPLICATION_ID:
        raise UserError(f"{file} is no store of Sextant: it is the database of another program")
    layout = int.from_bytes(header[60:64], "big")
    if layout > LAYOUT:
        raise UserError(
            f"{file} was written by a later version of Sextant (layout {layout}; this one knows {LAYOUT}):"
            " use that version"
        )


def uri(file: Path) -> str:
    """SQLite's address of a file that is only read."""
    log = file.with_name(file.name + "-wal")
    return f"{file.absolute().as_uri()}?mode=ro" + ("" if log.exists() else "&immutable=1")


@contextlib.contextmanager
def connected(file: Path) -> Iterator[sqlite3.Connection]:
    """A connection to a store that only reads it. Raises UserError for a file that is no store, sqlite3.Error for
    damage.
    """
    require(file)
    with contextlib.closing(sqlite3.connect(uri(file), uri=True, isolation_level=None)) as connection:
        yield connection


@contextlib.contextmanager
def opened(file: Path) -> Iterator[sqlite3.Connection]:
    """A connection that reads the store at one moment. Raises UserError for a file that is no store, and for damage."""
    try:
        with connected(file) as connection:
            connection.execute("BEGIN")
            yield connection
    except sqlite3.Error as error:
        raise UserError(f"{file} is damaged, or cannot be read: {error}") from None


def entries(file: Path) -> Maps:
    """The value of each key, by map, of entries that can be read."""
    maps: Maps = {}
    with opened(file) as connection:
        for of, key, value in _rows(connection):
            if value is not None and _wrong(of, key, value) is None:
                maps.setdefault(of, {})[key] = value
    return maps


def _rows(connection: sqlite3.Connection) -> Iterator[tuple[str, str, str | None]]:
    """Map, key and value; no value if it is no text."""
    # As bytes, so that text that is no UTF-8 is a problem of its entry.
    connection.text_factory = bytes
    for row in connection.execute("SELECT map, key, value FROM entry"):
        try:
            of, key, value = (column.decode() for column in row)
        except (UnicodeDecodeError, AttributeError):
            yield str(row[0]), str(row[1]), None
        else:
            yield of, key, value


@dataclass
class Report:
    """The contents of a file: `faults` are of its pages, `unreadable` entries do not have the form of their map."""

    file: Path
    made: str | None = None
    maps: dict[str, int] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)
    unreadable: list[str] = field(default_factory=list)

    @property
    def entries(self) -> int:
        return sum(self.maps.values())

    @property
    def problems(self) -> list[str]:
        return [*self.faults, *self.unreadable]

    def as_json(self) -> dict[str, Any]:
        return {
            "file": str(self.file),
            "backupMade": self.made,
            "entries": self.entries,
            "maps": self.maps,
            "problems": self.problems,
        }


def checked(file: Path) -> Report:
    """Looks at every page and every entry. Raises UserError for a file that is no store, or has no such table."""
    report = Report(file)
    with opened(file) as connection:
        try:
            faults = [str(row[0]) for row in connection.execute(f"PRAGMA integrity_check({_FAULTS})")]
            report.faults += [fault for fault in faults if fault != "ok"]
            _read_entries(connection, report)
        except sqlite3.DatabaseError as error:
            report.faults.append(str(error))
    return report


def _read_entries(connection: sqlite3.Connection, report: Report) -> None:
    counts: Counter[str] = Counter()
    for of, key, value in _rows(connection):
        if value is None:
            counts[of] += 1
            report.unreadable.append(f"{of} {key}: it is no text")
            continue
        if of == ABOUT:
            report.made = value if key == "made" else report.made
            continue
        counts[of] += 1
        if wrong := _wrong(of, key, value):
            report.unreadable.append(f"{of} {key}: {wrong}")
    report.maps = dict(sorted(counts.items()))


def _wrong(of: str, key: str, value: str) -> str | None:
    """Why the value has not the form that the map has; None if it has. The forms of maps of later versions are not
    known.
    """
    if of in _MAP_PATTERNS:
        return None if _MAP_PATTERNS[of].fullmatch(value) else f"{value[:40]!r} is no number that it may be"
    try:
        if of == "access-token-uses":
            datetime.datetime.fromisoformat(value)
            return None
        if of == NETWORK and key == "file-digest":
            return None if re.fullmatch(r"[0-9a-f]{64}", value) else "it is no SHA-256 digest"
        if of in (INTENTS, LEFTOVERS, NETWORK, "reports", "routes", "access-tokens"):
            document = _document(value)
            return _FORMS[of](key, document) if of in _FORMS else None
    except (ValueError, RecursionError) as error:
        return str(error)
    return None


def _document(value: str) -> dict[str, Any]:
    document = json.loads(value)
    if not isinstance(document, dict):
        raise ValueError("it is no JSON object")
    return document


def _wrong_intent(key: str, stored: Mapping[str, Any]) -> str | None:
    if f"{stored.get('kind')}/{stored.get('id')}" != key:
        return f"it says that it is {stored.get('kind')}/{stored.get('id')}"
    if not _is_number(stored.get("number")) or not isinstance(stored.get("intent"), dict):
        return "its number or its intent is missing"
    for grant in stored.get("grants", []):
        if not {"pool", "use", "number", "many"} <= set(grant):
            return f"a number of a pool is incomplete: {grant}"
    return None


def _wrong_leftover(key: str, stored: Mapping[str, Any]) -> str | None:
    named = f"{stored.get('kind')}/{stored.get('id')}#{stored.get('number')}@{stored.get('node')}"
    if named != key:
        return f"it says that it is {named}"
    datetime.datetime.fromisoformat(str(stored.get("since")))
    return None if _is_number(stored.get("number")) else "its number is missing"


def _is_number(value: object) -> bool:
    return isinstance(value, int) and 1 <= value <= _MAX_NUMBER


_FORMS: dict[str, Callable[[str, Mapping[str, Any]], str | None]] = {
    INTENTS: _wrong_intent,
    LEFTOVERS: _wrong_leftover,
}
