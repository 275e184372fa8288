# SPDX-License-Identifier: Apache-2.0
"""The shipped components, as CycloneDX 1.5, from the build: jars of the assembly and those within them, the Go modules
that the agent's programs name, the npm packages of the map. The allowed licences are in lab/licences.json.
"""

import functools
import hashlib
import io
import json
import re
import subprocess
import tarfile
import uuid
import xml.etree.ElementTree as ElementTree
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .errors import UserError
from .paths import AGENT, LAB, N4, ROOT, WEB

_SPEC = "1.5"
_OWN = "org.sextant"
# A name or an address of a licence, as jars and poms have it; the first that fits.
_NAMES = (
    (r"apache[-_ .,]*(software )?(licen[cs]e)?[-_ .,]*(version |v)?2|licenses/license-2|^apache$", "Apache-2.0"),
    (r"epl[- ]?2|eclipse public licen[cs]e.*2|epl-v20", "EPL-2.0"),
    (r"epl[- ]?1|eclipse public licen[cs]e|epl-v10", "EPL-1.0"),
    (r"eclipse distribution|edl[- ]?1|edl-v10|org/documents/edl", "BSD-3-Clause"),
    (r"cddl.*1\.1|cddl\+gpl|cddl/gpl", "CDDL-1.1"),
    (r"cddl|common development and distribution", "CDDL-1.0"),
    (r"bouncy ?castle", "MIT"),
    (r"^mit|mit licen[cs]e|licenses/mit", "MIT"),
    (r"mpl[- ]?2|mozilla public licen[cs]e.*2", "MPL-2.0"),
    (r"mpl[- ]?1\.1|mozilla public licen[cs]e.*1\.1", "MPL-1.1"),
    (r"lgpl|lesser general public", "LGPL-2.1-only"),
    (r"agpl|affero", "AGPL-3.0-only"),
    (r"gpl|general public", "GPL-2.0-only"),
    (r"bsd[- ]?2|simplified bsd", "BSD-2-Clause"),
    (r"bsd|go license", "BSD-3-Clause"),
    (r"^isc", "ISC"),
    (r"cc0|public domain", "CC0-1.0"),
)  # fmt: skip


@dataclass(frozen=True)
class Component:
    """One library. `licences` are those that it may be used under, one of which is enough."""

    purl: str
    name: str
    version: str
    licences: tuple[str, ...]
    sha256: str | None = None


def document(parts: Iterable[Component]) -> dict[str, Any]:
    """The same parts give the same document."""
    components = [_json(part) for part in sorted(set(parts), key=lambda one: one.purl)]
    content = json.dumps(components, sort_keys=True)
    return {
        "bomFormat": "CycloneDX",
        "specVersion": _SPEC,
        "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_OID, content)}",
        "version": 1,
        "metadata": {"component": {"type": "application", "name": "sextant", "version": _version()}},
        "components": components,
    }


def _json(part: Component) -> dict[str, Any]:
    json_: dict[str, Any] = {
        "type": "library", "bom-ref": part.purl, "name": part.name, "version": part.version, "purl": part.purl,
    }  # fmt: skip
    if len(part.licences) == 1:
        json_["licenses"] = [{"license": {"id": part.licences[0]}}]
    elif part.licences:
        json_["licenses"] = [{"expression": " OR ".join(part.licences)}]
    if part.sha256 is not None:
        json_["hashes"] = [{"alg": "SHA-256", "content": part.sha256}]
    return json_


def refused(parts: Iterable[Component]) -> list[str]:
    """Which of them have no licence that is allowed, and why not."""
    allowed = set(_settings()["allowed"])
    return [
        f"{part.purl}: {' or '.join(part.licences) or 'no licence is to be found'}"
        for part in sorted(set(parts), key=lambda one: one.purl)
        if not allowed & set(part.licences)
    ]


def shipped() -> list[Component]:
    """All components; the ones that are not built are reported."""
    return [*java(_assembly()), *go(AGENT), *go(N4), *npm(WEB / "package-lock.json")]


@functools.cache
def _settings() -> dict[str, Any]:
    settings: dict[str, Any] = json.loads((LAB / "licences.json").read_text())
    return settings


def _version() -> str:
    return _property("version")


def _property(name: str) -> str:
    found = re.search(rf"<{re.escape(name)}>([^<]+)</{re.escape(name)}>", (ROOT / "pom.xml").read_text())
    if found is None:
        raise UserError(f"pom.xml has no <{name}>, of which lab/licences.json speaks")
    return found[1]


# ----------------------------------------------------------------------------------------------------------------- Java


def _assembly() -> Path:
    made = sorted(
        (ROOT / "platforms/karaf/distribution/target").glob("*.tar.gz"), key=lambda file: file.stat().st_mtime
    )
    if not made:
        raise UserError("there is no assembly of the controller: ./sextant build")
    return made[-1]


def java(assembly: Path) -> Iterator[Component]:
    """The jars of an assembly, those within ours, and those whose classes ours contain."""
    with tarfile.open(assembly) as archive:
        for member in archive:
            if member.isfile() and member.name.endswith(".jar"):
                file = archive.extractfile(member)
                assert file is not None
                yield from _jar(member.name.partition("/")[2], file.read())


def _jar(path: str, data: bytes) -> Iterator[Component]:
    with zipfile.ZipFile(io.BytesIO(data)) as jar:
        group, name, version = _coordinates(path, jar)
        if group != _OWN:
            yield Component(
                f"pkg:maven/{group}/{name}@{version}", name, version, _licences(group, name, version, jar),
                hashlib.sha256(data).hexdigest(),
            )  # fmt: skip
            return
        for inner in jar.namelist():
            if inner.endswith(".jar"):
                yield from _jar(inner, jar.read(inner))
        yield from _merged(path, jar)


def _merged(path: str, jar: zipfile.ZipFile) -> Iterator[Component]:
    """Components that tools merged into one of our jars; a package that is not known is an error."""
    merged: dict[str, dict[str, str]] = _settings()["merged"]
    classes = (name.removeprefix("WEB-INF/classes/") for name in jar.namelist() if name.endswith(".class"))
    packages = {name.rpartition("/")[0] for name in classes}
    for prefix, of in merged.items():
        if any(package == prefix or package.startswith(f"{prefix}/") for package in packages):
            version = _merged_version(of)
            yield Component(
                f"{of['purl']}@{version}", of["purl"].rpartition("/")[2], version, tuple(of["licence"].split(" OR "))
            )
    known = ("org/sextant", "META-INF", *_contract(), *merged)
    strange = sorted(one for one in packages if not any(one == of or one.startswith(f"{of}/") for of in known))
    if strange:
        raise UserError(f"{path} has classes of {strange[0]}: lab/licences.json does not say whose that is (merged)")


def _merged_version(of: dict[str, str]) -> str:
    """As the module that merges it wants it."""
    name = of["purl"].rpartition("/")[2]
    wanted = re.search(
        rf"<artifactId>{re.escape(name)}</artifactId>\s*<version>([^<]+)<", (ROOT / of["pom"]).read_text()
    )
    if wanted is None:
        raise UserError(f"{of['pom']} does not say which version of {name} it wants")
    return _property(wanted[1][2:-1]) if wanted[1].startswith("${") else wanted[1]


def _contract() -> tuple[str, ...]:
    """Packages that are generated at build time from P4Runtime's, gNMI's and gNOI's files; the Go modules have them."""
    return ("p4", "gnmi", "gnmi_ext", "gnoi", "com/github", "openconfig")


_FILE = re.compile(r"([^/]+?)-(\d[^/]*?)\.jar$")
_SYSTEM = re.compile(r"^system/(?P<group>.+)/(?P<name>[^/]+)/(?P<version>[^/]+)/[^/]+\.jar$")


def _coordinates(path: str, jar: zipfile.ZipFile) -> tuple[str, str, str]:
    system = _SYSTEM.match(path)
    if system is not None:
        return system["group"].replace("/", "."), system["name"], system["version"]
    file = _FILE.search(path)
    if file is None:
        raise UserError(f"{path} does not tell its version")
    name, version = file[1], file[2]
    for inner in jar.namelist():
        own = re.fullmatch(rf"META-INF/maven/([^/]+)/{re.escape(name)}/pom\.(?:xml|properties)", inner)
        if own is not None:
            return own[1], name, version
    return _group(name, version), name, version


@functools.cache
def _poms() -> dict[tuple[str, str], Path]:
    """Maven's local repository, by name and version."""
    root = Path.home() / ".m2/repository"
    return {(pom.parent.parent.name, pom.parent.name): pom for pom in root.rglob("*.pom")}


def _group(name: str, version: str) -> str:
    pom = _poms().get((name, version))
    return "" if pom is None else _text(ElementTree.parse(pom).getroot(), "groupId", "parent/groupId") or ""


def _licences(group: str, name: str, version: str, jar: zipfile.ZipFile) -> tuple[str, ...]:
    known: dict[str, str] = _settings()["known"]
    if f"pkg:maven/{group}/{name}" in known:
        return tuple(known[f"pkg:maven/{group}/{name}"].split(" OR "))
    return _of_manifest(jar) or _of_pom(group, name, version)


def _of_manifest(jar: zipfile.ZipFile) -> tuple[str, ...]:
    if "META-INF/MANIFEST.MF" not in jar.namelist():
        return ()
    text = jar.read("META-INF/MANIFEST.MF").decode(errors="replace").replace("\r\n", "\n").replace("\n ", "")
    said = re.search(r"^Bundle-License: (.+)$", text, re.MULTILINE)
    return () if said is None else _unique(_spdx(one) for one in re.split(r",(?=\s*(?:\"?http|[A-Z]))| OR ", said[1]))


def _of_pom(group: str, name: str, version: str) -> tuple[str, ...]:
    """Licences of the pom, or of the nearest parent that names any."""
    pom = Path.home() / ".m2/repository" / group.replace(".", "/") / name / version / f"{name}-{version}.pom"
    if not pom.is_file():
        return ()
    root = ElementTree.parse(pom).getroot()
    own = [_text(licence, "name", "url") or "" for licence in root.iterfind("{*}licenses/{*}license")]
    if own:
        return _unique(_spdx(text) for text in own)
    parent = [_text(root, f"parent/{part}") for part in ("groupId", "artifactId", "version")]
    if not all(parent):
        return ()
    return _of_pom(str(parent[0]), str(parent[1]), str(parent[2]))


def _text(element: ElementTree.Element, *paths: str) -> str | None:
    for path in paths:
        text = element.findtext("/".join(f"{{*}}{part}" for part in path.split("/")))
        if text:
            return text.strip()
    return None


def _unique(licences: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(one for one in licences if one))


def _spdx(said: str) -> str:
    """The SPDX identifier; an unknown one stays as it is, and is not allowed."""
    text = said.strip().strip('"').lower()
    return next((spdx for pattern, spdx in _NAMES if re.search(pattern, text)), said.strip()[:80])


# ------------------------------------------------------------------------------------------------------------------- Go


def go(program: Path) -> Iterator[Component]:
    """The modules that a program was linked from, as it says itself."""
    if not program.is_file():
        raise UserError(f"there is no {program.relative_to(ROOT)}: ./sextant build")
    listed = subprocess.check_output(["go", "version", "-m", program], text=True)
    cache = Path(subprocess.check_output(["go", "env", "GOMODCACHE"], text=True).strip())
    for line in listed.splitlines():
        words = line.split()
        if len(words) >= 3 and words[0] == "dep":
            module, version = words[1], words[2]
            yield Component(
                f"pkg:golang/{module}@{version}", module, version, _of_texts(cache / _escaped(module, version))
            )


def _escaped(module: str, version: str) -> str:
    """As Go's cache writes capital letters."""
    return re.sub(r"[A-Z]", lambda letter: f"!{letter[0].lower()}", f"{module}@{version}")


def _of_texts(folder: Path) -> tuple[str, ...]:
    texts = [
        file.read_text(errors="replace")
        for file in sorted(folder.glob("*"))
        if re.match(r"(?i)(licen[cs]e|copying)", file.name) and file.is_file()
    ]
    return _unique(_of_text(" ".join(text.split())) for text in texts)


def _of_text(text: str) -> str:
    if "Apache License" in text and "Version 2.0" in text:
        return "Apache-2.0"
    if "Mozilla Public License" in text and "2.0" in text:
        return "MPL-2.0"
    if "Permission is hereby granted, free of charge" in text:
        return "MIT"
    if "Redistribution and use in source and binary forms" in text:
        return "BSD-3-Clause" if re.search(r"(?i)neither the name|names of its contributors", text) else "BSD-2-Clause"
    if "Permission to use, copy, modify, and" in text:
        return "ISC"
    return ""


# ------------------------------------------------------------------------------------------------------------------ npm


def npm(lock: Path) -> Iterator[Component]:
    """The packages that may be in the map's bundle, without the tools that make it."""
    for path, package in json.loads(lock.read_text())["packages"].items():
        if path and not package.get("dev") and not package.get("optional"):
            name, version = path.rpartition("node_modules/")[2], package["version"]
            licences = tuple(str(package.get("license", "")).strip("()").split(" OR "))
            yield Component(
                f"pkg:npm/{name.replace('@', '%40')}@{version}", name, version, tuple(filter(None, licences))
            )
