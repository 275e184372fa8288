# SPDX-License-Identifier: Apache-2.0
"""Verifies files of the controller's audit trail (docs/reference/audit-trail.md), without the controller."""

import hashlib
import hmac
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from enum import IntEnum
from pathlib import Path
from typing import Any

from .errors import UserError

_NOTHING = "0" * 64
_LINE = re.compile(rb'\{"seq":([0-9]{1,18}),"prev":"([0-9a-f]{64})",.*,"hash":"([0-9a-f]{64})"\}', re.DOTALL)
_ANCHOR = re.compile(r'\{"event":"anchor".*\}')
_MOST_ENDS = 100
_HASH_MEMBER = len(',"hash":"') + 64 + len('"}')


class Kind(IntEnum):
    """The kind of a finding; the exit status of `./sextant audit verify` is the highest of all findings."""

    OTHER = 1
    """The head, a key or an anchor is not as it should be, or a chain began anew."""
    TORN = 3
    """Behind the line that the head names, lines are not finished or do not follow, as after a crash."""
    CUT = 4
    """Lines that were written are missing."""
    EDITED = 5
    """A line is there that is not as it was written."""


_WORDS = {
    Kind.OTHER: "WRONG",
    Kind.TORN: "TORN",
    Kind.CUT: "CUT",
    Kind.EDITED: "EDITED",
}
_SENTENCES = {
    Kind.OTHER: "the lines follow each other, but something beside them is wrong",
    Kind.TORN: "the end is torn, as a crash leaves it; no line that was acknowledged is missing",
    Kind.CUT: "lines that were written are missing",
    Kind.EDITED: "a line was changed after it was written",
}


@dataclass(frozen=True)
class Finding:
    """Something that is wrong, with file and line."""

    kind: Kind
    text: str


@dataclass
class Report:
    """The result of a verification. `findings` are in the order of the lines; a torn end is a note, too."""

    lines: int = 0
    first: int | None = None
    last: int | None = None
    hash: str = _NOTHING
    findings: list[Finding] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    ends: list[tuple[int, str]] = field(default_factory=list)
    """The ends of the stretches before the one that is read now."""

    @property
    def problems(self) -> list[str]:
        """Faults that no crash leaves."""
        return [finding.text for finding in self.findings if finding.kind is not Kind.TORN]

    @property
    def status(self) -> int:
        return max((finding.kind for finding in self.findings), default=0)

    def add(self, kind: Kind, text: str) -> None:
        self.findings.append(Finding(kind, text))


@dataclass(frozen=True)
class Head:
    """Where the trail begins and ends, by the file beside it."""

    first: int
    last: int
    hash: str
    mac: str


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


def verify(trail: list[Path], head: Path | None, key: bytes | None, anchors: Path | None = None) -> Report:
    """Follows the chain over all files, and compares its end with the head, and its lines with the anchors."""
    report = Report()
    hashes: dict[int, str] = {}
    named = _head(report, head) if head is not None else None
    for file in trail:
        for number, line in enumerate(_lines(file), 1):
            behind = file == trail[-1] and named is not None and hashes.get(named.last) == named.hash
            if not _take(report, hashes, f"{file.name}, line {number}", line, file == trail[-1], behind):
                break
    if head is not None and named is not None:
        _compare(report, hashes, head.name, named, key)
    if anchors is not None:
        _compare_anchors(report, hashes, anchors, key)
    return report


def _lines(file: Path) -> Iterator[bytes]:
    with file.open("rb") as lines:
        yield from lines


def _take(report: Report, hashes: dict[int, str], place: str, line: bytes, newest: bool, behind: bool) -> bool:
    """False if this line and those behind it are the torn end."""
    report.lines += 1
    if not line.endswith(b"\n"):
        if newest:
            return _torn(report, f"{place}: the line is not finished")
        _ended(report)
        report.add(Kind.EDITED, f"{place}: the line is not finished")
        report.hash = ""
        return True
    line = line[:-1]
    match = _LINE.fullmatch(line)
    if match is None or hashlib.sha256(line[:-_HASH_MEMBER]).hexdigest().encode() != match[3]:
        if behind:
            return _torn(report, f"{place}: the line is not whole, behind the one that the head names")
        _ended(report)
        report.add(Kind.EDITED, f"{place}: the line is not as it was written")
        report.hash = ""
        return True
    seq, before, own = int(match[1]), match[2].decode(), match[3].decode()
    if report.first is None:
        report.first = seq
        if before != _NOTHING:
            report.notes.append(f"the files begin with line {seq}: what was before is not among them")
    elif before == _NOTHING:
        _ended(report)
        report.add(Kind.OTHER, f"{place}: a new chain begins with line {seq}, because {_because(line)}")
        _compare_ends(report, place, line)
    elif report.hash and (before != report.hash or seq != (report.last or 0) + 1):
        if behind:
            return _torn(
                report, f"{place}: line {seq} does not follow line {report.last}, behind the one that the head names"
            )
        _ended(report)
        missing = seq > (report.last or 0) + 1
        report.add(Kind.CUT if missing else Kind.EDITED, f"{place}: line {seq} does not follow line {report.last}")
    report.last, report.hash = seq, own
    hashes[seq] = own
    return True


def _torn(report: Report, told: str) -> bool:
    report.add(Kind.TORN, told)
    report.notes.append(told)
    return False


def _ended(report: Report) -> None:
    """A stretch of lines that follow each other ends with the line before."""
    if report.hash not in ("", _NOTHING) and report.last is not None:
        report.ends.append((report.last, report.hash))


def _because(line: bytes) -> str:
    return "; ".join(str(reason) for reason in json.loads(line).get("because", ["of a reason that it does not tell"]))


def _compare_ends(report: Report, place: str, line: bytes) -> None:
    """A chain that began anew fixes the lines that it found by the ends of their stretches."""
    bound = json.loads(line).get("bound")
    if not isinstance(bound, list):
        return
    oldest = report.first or 0
    then = [(int(end["seq"]), str(end["hash"])) for end in bound if int(end["seq"]) >= oldest]
    now = [end for end in report.ends if end[0] >= oldest]
    if len(bound) == _MOST_ENDS:
        now = now[len(now) - len(then) :]
    if then != now:
        other = [end[0] for end in then if end not in now] or [end[0] for end in now if end not in then]
        where = f": look at line {other[0]} and those before it" if other else ""
        report.add(Kind.EDITED, f"{place}: the lines before this chain are not those that it found{where}")


def _head(report: Report, file: Path) -> Head | None:
    try:
        head = json.loads(file.read_bytes())
        return Head(int(head["first"]), int(head["last"]), str(head["hash"]), str(head["mac"]))
    except (OSError, ValueError, KeyError, TypeError):
        report.add(Kind.OTHER, f"{file.name}: it does not say where the trail ends")
        return None


def _compare(report: Report, hashes: dict[int, str], name: str, head: Head, key: bytes | None) -> None:
    if key is None:
        report.notes.append(f"{name} is believed: without --key its author is not verified")
    elif not _made_with(key, f"{head.first} {head.last} {head.hash}", head.mac):
        report.add(Kind.OTHER, f"{name}: it was not made with this key")
    if head.last and hashes.get(head.last) != head.hash:
        report.add(
            Kind.CUT if head.last not in hashes else Kind.EDITED,
            f"line {head.last}, which was the last one, is missing; the files end with line {report.last}",
        )
    elif report.last is not None and report.last > head.last:
        report.notes.append(
            f"{report.last - head.last} lines stand behind the one that {name} names: it was killed between"
        )
    if report.first is not None and report.first > head.first:
        report.add(Kind.CUT, f"lines {head.first} to {report.first - 1} are missing at the beginning")


def _made_with(key: bytes, said: str, mac: str) -> bool:
    return hmac.compare_digest(hmac.new(key, said.encode(), "sha256").hexdigest(), mac)


def _compare_anchors(report: Report, hashes: dict[int, str], file: Path, key: bytes | None) -> None:
    """Each anchor names a line that was durable; of those that rotation has taken nothing is known."""
    compared = 0
    for number, anchor in _anchors(file):
        try:
            seq, own, mac, time = int(anchor["seq"]), str(anchor["hash"]), str(anchor["mac"]), str(anchor["time"])
        except (ValueError, KeyError, TypeError):
            report.add(Kind.OTHER, f"{file.name}, line {number}: it is no anchor")
            continue
        if key is not None and not _made_with(key, f"anchor {seq} {own}", mac):
            report.add(Kind.OTHER, f"{file.name}, line {number}: the anchor was not made with this key")
            continue
        compared += 1
        if report.last is None or seq > report.last:
            report.add(
                Kind.CUT, f"line {seq}, which was there at {time}, is missing; the files end with line {report.last}"
            )
        elif seq >= (report.first or 0) and hashes.get(seq) != own:
            report.add(
                Kind.EDITED if seq in hashes else Kind.CUT,
                f"line {seq} is not the one that was there at {time}: the lines up to it were exchanged",
            )
    if not compared:
        report.add(Kind.OTHER, f"{file.name}: there is no anchor in it")


def _anchors(file: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """The anchors of a file, which may be the log of a collector with other lines among them."""
    try:
        with file.open(errors="replace") as lines:
            for number, line in enumerate(lines, 1):
                found = _ANCHOR.search(line)
                if found:
                    yield number, _object(found[0])
    except OSError as error:
        raise UserError(f"{file} cannot be read: {error.strerror}") from None


def _object(text: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def key_of(file: Path) -> bytes:
    try:
        return bytes.fromhex(file.read_text().strip())
    except (OSError, ValueError) as error:
        raise UserError(f"{file} holds no key in hexadecimal: {error}") from None


def show(report: Report) -> int:
    """Prints the report, and returns the exit status: 0 if nothing is wrong, else that of the gravest `Kind`."""
    torn = {finding.text for finding in report.findings if finding.kind is Kind.TORN}
    for note in report.notes:
        if note not in torn:
            print(f"note: {note}")
    for finding in report.findings:
        print(f"{_WORDS[finding.kind]}: {finding.text}")
    lines = f"{report.lines} lines, {report.first} to {report.last}" if report.first is not None else "no lines"
    if report.status == 0:
        print(f"{lines}: whole, in their order, as written")
        return 0
    print(f"{lines}: {len(report.problems)} wrong")
    for kind in sorted({finding.kind for finding in report.findings}, reverse=True):
        print(f"{_WORDS[kind].lower()}: {_SENTENCES[kind]}")
    return report.status
