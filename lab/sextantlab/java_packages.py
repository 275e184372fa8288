# SPDX-License-Identifier: Apache-2.0
"""The dependencies that the Java packages of all modules may have, checked in their sources; bytecode forgets constants
and names that are only in Javadoc, and no build has all modules on one class path.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

_PACKAGE = re.compile(r"^package ([\w.]+);", re.MULTILINE)
# Imports, and names that are written out.
_NAMED = re.compile(r"(?<![\w.])((?:com|io|java|javax|org|picocli)(?:\.[a-z_]\w*)*)\.[A-Z]")
_SHARED = ("srv6-core", "srv6-kit", "srv6-northbound")

_CORE = ("org.sextant.contract", "org.sextant.core", "org.sextant.core.*")
_VALUES = tuple(f"org.sextant.core.{package}" for package in ("filter", "ip", "json", "net", "sid", "table"))
_INTENT = "org.sextant.core.intent"
# The parts of the engine, from the lowest: each knows those before it, and the types of intents (ADR 34).
ROOMS = ("install", "allocate", "orphan", "status", "desired", "engine")
_ROOMS = (_INTENT, *(f"{_INTENT}.{room}" for room in ROOMS))
_BASE = ("java", "java.*", "com.fasterxml.jackson.*", "org.jspecify.*")


@dataclass(frozen=True)
class _Layer:
    """Packages, and the packages that each of them may know beside itself; of layers that fit a package, the first
    counts.
    """

    packages: tuple[str, ...]
    may_know: tuple[str, ...]
    why: str


_LAYERS = (
    _Layer(_VALUES, (*_VALUES, "org.sextant.contract", "org.sextant.core", *_BASE), "values know no one who uses them"),
    _Layer(_CORE, (*_CORE, *_BASE), "the core depends on no app"),
    _Layer(
        ("org.sextant.kit", "org.sextant.kit.*"),
        (*_CORE, "org.sextant.kit", "org.sextant.kit.*", *_BASE),
        "what apps are made of knows no host, no HTTP and no shell",
    ),
    _Layer(
        ("org.sextant.*.plan", "org.sextant.*.path", "org.sextant.*.text"),
        ("org.sextant.*", *_BASE),
        "compilers and the words of intents know no host, no HTTP and no shell",
    ),
)
# Hosts know only the core of the project; these libraries are theirs alone.
_HOSTS = {
    "org.sextant.karaf": ("io.grpc", "org.h2"),
    "org.sextant.onos": ("org.onosproject", "org.onlab"),
}


def problems(root: Path, sources: Iterable[Path]) -> Iterator[str]:
    """Circles of packages, apps that know another app, and layers that know a higher one."""
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
        uses.setdefault(package[1], set()).update(set(_NAMED.findall(text)) - {package[1]})
        if parts[0] == "apps":
            owner[package[1]] = parts[1]
    yield from _circle(uses)
    yield from _strangers(uses, owner)
    for name, known in sorted(uses.items()):
        for used in sorted(known):
            yield from (f"{name} knows {used}: {why}" for why in _against(name, used))


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


def _against(package: str, used: str) -> Iterator[str]:
    """The reasons why a package may not know another one."""
    layer = next((layer for layer in _LAYERS if _is_one(package, layer.packages)), None)
    if layer is not None and not _is_one(used, layer.may_know):
        yield layer.why
    if used in _ROOMS[1:]:
        if package in _ROOMS and _ROOMS.index(used) > _ROOMS.index(package):
            yield "a room of the engine knows one above it"
        elif package not in _ROOMS and used != _ROOMS[-1]:
            yield "rooms of the engine are known to the engine alone"
    for host, libraries in _HOSTS.items():
        if _below(package, host):
            if used.startswith("org.sextant.") and not _below(used, host) and not _is_one(used, _CORE):
                yield "of the project, hosts know the core alone"
        elif any(_below(used, one) for one in (host, *libraries)):
            yield f"that is {host}'s alone"


def _is_one(package: str, patterns: Iterable[str]) -> bool:
    return any(fnmatchcase(package, pattern) for pattern in patterns)


def _below(package: str, above: str) -> bool:
    return package == above or package.startswith(f"{above}.")
