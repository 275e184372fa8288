# SPDX-License-Identifier: Apache-2.0
"""The Java packages as their sources know each other; bytecode forgets constants and what only Javadoc names."""

import re
from collections.abc import Iterable, Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

_PACKAGE = re.compile(r"^package ([\w.]+);", re.MULTILINE)
_IMPORT = re.compile(r"^import (?:static )?([a-z]\w*(?:\.[a-z]\w*)*)\.[A-Z]", re.MULTILINE)
_SHARED = ("srv6-core", "srv6-kit", "srv6-northbound")


def problems(root: Path, sources: Iterable[Path]) -> Iterator[str]:
    """Circles of packages, and apps that know another app."""
    uses: dict[str, set[str]] = {}
    owner: dict[str, str] = {}
    for path in sources:
        parts = path.relative_to(root).parts
        if path.suffix != ".java" or "main" not in parts:
            continue
        text = path.read_text()
        package = _PACKAGE.search(text)
        if package is None:
            continue
        uses.setdefault(package[1], set()).update(set(_IMPORT.findall(text)) - {package[1]})
        if parts[0] == "apps":
            owner[package[1]] = parts[1]
    yield from _circle(uses)
    yield from _strangers(uses, owner)


def _circle(uses: Mapping[str, set[str]]) -> Iterator[str]:
    ours = {package: {used for used in known if used in uses} for package, known in uses.items()}
    try:
        TopologicalSorter(ours).prepare()
    except CycleError as e:
        yield "packages that know each other: " + " -> ".join(reversed(e.args[1]))


def _strangers(uses: Mapping[str, set[str]], owner: Mapping[str, str]) -> Iterator[str]:
    for package, known in sorted(uses.items()):
        app = owner.get(package)
        for used in sorted(known):
            other = owner.get(used)
            if app is not None and other not in (None, app, *_SHARED):
                yield f"{package}: an app knows another one ({used}); what both need belongs to srv6-kit"
