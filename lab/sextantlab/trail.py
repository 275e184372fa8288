# SPDX-License-Identifier: Apache-2.0
"""Verifies files of the controller's audit trail (docs/reference/audit-trail.md), without the controller."""

import hashlib
import hmac
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from .errors import UserError

_NOTHING = "0" * 64
_LINE = re.compile(rb'\{"seq":([0-9]{1,18}),"prev":"([0-9a-f]{64})",.*,"hash":"([0-9a-f]{64})"\}', re.DOTALL)
_HASH_MEMBER = len(',"hash":"') + 64 + len('"}')


@dataclass
class Report:
    """What files say of themselves. `problems` are in the order of the lines."""

    lines: int = 0
    first: int | None = None
    last: int | None = None
    hash: str = _NOTHING
    problems: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def files(paths: Iterable[Path]) -> list[Path]:
    """The trail's files, oldest first; a folder stands for those in it."""
    found: list[Path] = []
    for path in paths:
        if path.is_dir():
            found += path.glob("trail-*.jsonl")
        elif path.is_file():
            found.append(path)
        else:
            raise UserError(f"there is no file {path}")
    if not found:
        raise UserError("there is no file trail-*.jsonl in it")
    return sorted(found, key=lambda file: file.name)


def verify(trail: list[Path], head: Path | None, key: bytes | None) -> Report:
    """Follows the chain over all files, and holds its end against the head."""
    report = Report()
    hashes: dict[int, str] = {}
    for file in trail:
        for number, line in enumerate(_lines(file), 1):
            _take(report, hashes, f"{file.name}, line {number}", line, newest=file == trail[-1])
    if head is not None:
        _compare(report, hashes, head, key)
    return report


def _lines(file: Path) -> Iterator[bytes]:
    with file.open("rb") as lines:
        yield from lines


def _take(report: Report, hashes: dict[int, str], place: str, line: bytes, newest: bool) -> None:
    report.lines += 1
    if not line.endswith(b"\n"):
        told = f"{place}: the line is not finished"
        (report.notes if newest else report.problems).append(told)
        return
    line = line[:-1]
    match = _LINE.fullmatch(line)
    if match is None or hashlib.sha256(line[:-_HASH_MEMBER]).hexdigest().encode() != match[3]:
        report.problems.append(f"{place}: the line is not as it was written")
        report.hash = ""
        return
    seq, before, own = int(match[1]), match[2].decode(), match[3].decode()
    if report.first is None:
        report.first = seq
        if before != _NOTHING:
            report.notes.append(f"the files begin with line {seq}: what was before is not among them")
    elif before == _NOTHING:
        report.problems.append(f"{place}: a new chain begins with line {seq}, because {_because(line)}")
    elif report.hash and (before != report.hash or seq != (report.last or 0) + 1):
        report.problems.append(f"{place}: line {seq} does not follow line {report.last}")
    report.last, report.hash = seq, own
    hashes[seq] = own


def _because(line: bytes) -> str:
    return "; ".join(str(reason) for reason in json.loads(line).get("because", ["of a reason that it does not tell"]))


def _compare(report: Report, hashes: dict[int, str], file: Path, key: bytes | None) -> None:
    try:
        head = json.loads(file.read_bytes())
        first, last, own, mac = int(head["first"]), int(head["last"]), str(head["hash"]), str(head["mac"])
    except (OSError, ValueError, KeyError, TypeError):
        report.problems.append(f"{file.name}: it does not say where the trail ends")
        return
    if key is None:
        report.notes.append(f"{file.name} is believed: without --key nobody knows who wrote it")
    elif not hmac.compare_digest(hmac.new(key, f"{first} {last} {own}".encode(), "sha256").hexdigest(), mac):
        report.problems.append(f"{file.name}: it was not made with this key")
    if hashes.get(last) != own:
        report.problems.append(
            f"line {last}, which was the last one, is missing; the files end with line {report.last}"
        )
    elif report.last is not None and report.last > last:
        report.notes.append(
            f"{report.last - last} lines stand behind the one that {file.name} names: it was killed between"
        )
    if report.first is not None and report.first > first:
        report.problems.append(f"lines {first} to {report.first - 1} are missing at the beginning")


def key_of(file: Path) -> bytes:
    try:
        return bytes.fromhex(file.read_text().strip())
    except (OSError, ValueError) as error:
        raise UserError(f"{file} holds no key in hexadecimal: {error}") from None


def show(report: Report) -> int:
    """Prints the report; 0 if nothing is wrong."""
    for note in report.notes:
        print(f"note: {note}")
    for problem in report.problems:
        print(f"WRONG: {problem}")
    lines = f"{report.lines} lines, {report.first} to {report.last}" if report.first is not None else "no lines"
    print(f"{lines}: " + (f"{len(report.problems)} wrong" if report.problems else "whole, in their order, as written"))
    return 1 if report.problems else 0
