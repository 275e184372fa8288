# SPDX-License-Identifier: Apache-2.0
"""The words of comments and Markdown, measured: sentences with vague openers or pronouns, and dialect words."""

import json
import re
import subprocess
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from . import comments

OPENERS_AIM, WHAT_AIM = 1.5, 1.0  # percent of all sentences
# Go comments of functions named Of begin with the name.
_OPENER = re.compile(r"(?:Of(?! (?:lists|reads) )|What|Who|Those|Whether)\b")
_WHAT = re.compile(r"\bwhat\b(?!-if)", re.IGNORECASE)
DIALECT = {
    "way": "path",
    "ways": "paths",
    "road": "path",
    "circle": "forwarding loop",
    "wish": "desired",
    "wishes": "desired",
    "mended": "repaired",
    "leftovers": "orphaned entries",
    "tell": "report",
    "tells": "reports",
    "told": "reported",
    "hear": "receive",
    "hears": "receives",
    "heard": "received",
    "who": "an operator, a user, a client, a peer",
    "whoever": "an operator, a user, a client, a peer",
    "whom": "an operator, a user, a client, a peer",
    "somebody": "an operator, a user, a client, a peer",
    "someone": "an operator, a user, a client, a peer",
    "nobody": "no operator, no user, no client, no peer",
    "anybody": "any operator, user, client or peer",
    "stranger": "foreign",
    "strangers": "foreign",
    "foresight": "what-if analysis",
    "deed": "audit record",
    "witness": "change listener",
    "turnover": "next-hop reuse",
}
_DIALECT = re.compile(rf"\b(?:{'|'.join(DIALECT)})\b", re.IGNORECASE)
# The bounds of areas, in percent (openers, pronouns); an area that is not listed is held to the aims.
BOUNDS = Path("lab/words.json")
# The folders that Vale reads: they have neither of the two.
CLEAN = (
    "agent",
    "apps/livelive",
    "apps/mobile-srv6",
    "apps/sera-policy",
    "apps/srv6-edge",
    "apps/srv6-kit",
    "apps/srv6-northbound",
    "apps/srv6-usid",
    "bench",
    "conformance",
    "docs/adr",
    "lab",
    "pipeconfs",
    "platforms/karaf",
    "platforms/onos/host",
    "platforms/onos/itest",
    "scenarios",
    "web",
)
WRITTEN_BY_HAND = "!{**/{bin,build,dist,node_modules,target}/**,**/*.gen.*}"
_SUBJECT_WIDTH = 70
# Subjects of older commits are as they are.
_FIRST_CHECKED = "a5ffa4996e1d"
_NOT_IMPERATIVE = re.compile(r"[a-z]+(?:ed|ing|[^s]s)")
_IMPERATIVE = {"bring", "embed", "exceed", "feed", "need", "ping", "proceed", "seed", "shed", "speed", "bias", "focus"}


@dataclass
class Count:
    """The sentences of some files, and those among them that the aims are about."""

    sentences: int = 0
    openers: int = 0
    what: int = 0
    dialect: Counter[str] = field(default_factory=Counter)

    def add(self, other: "Count") -> None:
        self.sentences += other.sentences
        self.openers += other.openers
        self.what += other.what
        self.dialect += other.dialect

    @property
    def found(self) -> bool:
        return bool(self.openers or self.what or self.dialect)

    @property
    def openers_percent(self) -> float:
        return round(100 * self.openers / max(self.sentences, 1), 2)

    @property
    def what_percent(self) -> float:
        return round(100 * self.what / max(self.sentences, 1), 2)

    def row(self) -> dict[str, object]:
        return {
            "sentences": self.sentences,
            "openers": self.openers,
            "openersPercent": self.openers_percent,
            "what": self.what,
            "whatPercent": self.what_percent,
            "dialect": {word: {"count": n, "instead": DIALECT[word]} for word, n in sorted(self.dialect.items())},
        }


def count(path: Path, text: str) -> Count:
    """The count of one file."""
    result = Count()
    for sentence in comments.sentences(path, text):
        result.sentences += 1
        result.openers += bool(_OPENER.match(sentence.text))
        result.what += bool(_WHAT.search(sentence.text))
        result.dialect.update(word.lower() for word in _DIALECT.findall(sentence.text))
    return result


def measure(root: Path, files: Iterable[Path]) -> dict[str, Count]:
    """The counts of all files with comments, by their names below the root."""
    readable = (path for path in files if path.suffix in comments.SUFFIXES)
    return {str(path.relative_to(root)): count(path, path.read_text()) for path in readable}


def area(name: str) -> str:
    """The module of a file: a folder at the root, or one of apps and platforms."""
    parts = name.split("/")
    return "/".join(parts[: 2 if parts[0] in ("apps", "platforms") else 1]) if len(parts) > 1 else "."


def by_area(files: dict[str, Count]) -> dict[str, Count]:
    """The sums of the areas, then that of all."""
    sums: dict[str, Count] = {}
    for name, one in sorted(files.items()):
        sums.setdefault(area(name), Count()).add(one)
    total = Count()
    for one in sums.values():
        total.add(one)
    return {**sums, "all": total}


def table(sums: dict[str, Count]) -> str:
    """A line for each area; dialect is the number of its words."""
    lines = [f"{'':<24} {'sentences':>9} {'openers':>8} {'%':>6} {'what':>6} {'%':>6} {'dialect':>8}"]
    for name, one in sums.items():
        lines.append(
            f"{name:<24} {one.sentences:>9} {one.openers:>8} {one.openers_percent:>6.2f}"
            f" {one.what:>6} {one.what_percent:>6.2f} {one.dialect.total():>8}"
        )
    return "\n".join(lines)


def problems(root: Path, files: Iterable[Path]) -> Iterator[str]:
    """Areas that exceed their bounds."""
    bounds = json.loads((root / BOUNDS).read_text())
    for name, one in by_area(measure(root, files)).items():
        openers, what = bounds.get(name, (OPENERS_AIM, WHAT_AIM))
        if one.openers_percent > openers:
            yield f"{name}: {one.openers_percent} % of its sentences begin with an opener, {openers} % at most"
        if one.what_percent > what:
            yield f'{name}: "what" in {one.what_percent} % of its sentences, {what} % at most'


def subject_problems(root: Path) -> Iterator[str]:
    """Subjects of commits that are too long or not imperative; none where git or its history is absent."""
    words = ["git", "-C", str(root), "log", "--no-merges", "--format=%h %s", f"{_FIRST_CHECKED}..HEAD"]
    try:
        log = subprocess.run(words, capture_output=True, text=True, check=False).stdout
    except FileNotFoundError:
        return
    for line in log.splitlines():
        commit, subject = line.split(" ", 1)
        yield from (f"commit {commit}: {problem}" for problem in about_subject(subject))


def about_subject(subject: str) -> Iterator[str]:
    """The faults of a subject: ``area: verb …`` or ``Verb …``."""
    if len(subject) >= _SUBJECT_WIDTH:
        yield f"a subject of {len(subject)} characters, {_SUBJECT_WIDTH - 1} at most"
    verb = re.split(r"[\s,]", subject.rsplit(": ", 1)[-1].strip(), maxsplit=1)[0].lower()
    if _NOT_IMPERATIVE.fullmatch(verb) and verb not in _IMPERATIVE:
        yield f'"{verb}" is not imperative'
