# SPDX-License-Identifier: Apache-2.0
"""The engine's rooms in numbers, as docs/ARCHITECTURE.md has them. Written by `./sextant fmt`, compared by lint."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from .java_packages import ROOMS

_SOURCES = Path("apps/srv6-core/src/main/java/org/sextant/core/intent")
_PAGE = Path("docs/ARCHITECTURE.md")
# The first are the types that all may know.
_ROOMS = ("", *ROOMS)
_BEGIN, _END = "<!-- rooms -->\n", "<!-- /rooms -->\n"

_COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
_IMPORT = re.compile(r"^import (?:static )?org\.sextant\.core\.intent(?:\.([a-z]\w*))?\.[A-Z]", re.MULTILINE)
_PUBLIC = re.compile(r"^public (?!@)", re.MULTILINE)
_CONSTRUCTOR = re.compile(r"^    (?:public |protected |private )?([A-Z]\w*)\(([^)]*)\)", re.MULTILINE)
_NESTED = re.compile(r"<[^<>]*>")


@dataclass(frozen=True)
class _Room:
    name: str
    types: int
    public: int
    lines: int
    constructor: int
    knows: tuple[str, ...]


def table(root: Path) -> str:
    """A row for each room: types, public ones, lines of code, the largest constructor's parameters, imports."""
    rows = [_row(room) for room in (_room(root, name) for name in _ROOMS)]
    return (
        "| room | types | public | lines of code | largest constructor | knows (imports) |\n"
        "|---|---|---|---|---|---|\n" + "".join(rows)
    )


def _row(room: _Room) -> str:
    name = f"`core.intent{'.' if room.name else ''}{room.name}`"
    knows = ", ".join(room.knows) or "–"
    return f"| {name} | {room.types} | {room.public} | {room.lines} | {room.constructor} | {knows} |\n"


def _room(root: Path, name: str) -> _Room:
    """Reads the sources of one room; records are left out of the constructors, as their components are values."""
    files = [path for path in sorted((root / _SOURCES / name).glob("*.java")) if path.stem != "package-info"]
    texts = {path.stem: _COMMENT.sub("", path.read_text()) for path in files}
    known = [other for text in texts.values() for other in _IMPORT.findall(text) if other != name]
    return _Room(
        name,
        len(files),
        sum(1 for text in texts.values() if _PUBLIC.search(text)),
        sum(1 for text in texts.values() for line in text.splitlines() if line.strip()),
        max((_parameters(stem, text) for stem, text in texts.items()), default=0),
        tuple(f"{other or 'types'} {known.count(other)}" for other in _ROOMS if other in known),
    )


def _parameters(stem: str, text: str) -> int:
    if re.search(rf"\brecord {stem}\b", text):
        return 0
    own = [parameters for name, parameters in _CONSTRUCTOR.findall(text) if name == stem]
    return max((_count(parameters) for parameters in own), default=0)


def _count(parameters: str) -> int:
    while _NESTED.search(parameters):
        parameters = _NESTED.sub("", parameters)
    return parameters.count(",") + 1 if parameters.strip() else 0


def problems(root: Path) -> Iterator[str]:
    """The fault of the page of this checkout, if any."""
    if _written(root) != (root / _PAGE).read_text():
        yield f"{_PAGE}: the table of rooms is not as it is written by ./sextant fmt"


def write(root: Path) -> None:
    """Writes the table into the page if it is not as it should be."""
    if any(problems(root)):
        (root / _PAGE).write_text(_written(root))


def _written(root: Path) -> str:
    head, _, rest = (root / _PAGE).read_text().partition(_BEGIN)
    return head + _BEGIN + table(root) + _END + rest.partition(_END)[2]
