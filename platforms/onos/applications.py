#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Sextant's applications on an ONOS 2.7: which there are, and their upgrade.

    platforms/onos/applications.py list
    platforms/onos/applications.py install [FOLDER]
    platforms/onos/applications.py upgrade [FOLDER]

FOLDER has the .oar files; platforms/onos/oar/target where it is not named. SEXTANT_URL, SEXTANT_USER and
SEXTANT_PASSWORD name the ONOS (http://127.0.0.1:8181, onos, rocks).
"""

import argparse
import base64
import json
import os
import sys
import time
import urllib.error
import urllib.request
import zipfile
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

OURS = "org.sextant."
TARGET = Path(__file__).resolve().parent / "oar" / "target"

# An installation is taken at once and carried out by the cluster; requests that depend on it are refused until then.
_PATIENCE = 60.0


class OnosError(Exception):
    """A request that ONOS refused, with the remedy."""


@dataclass(frozen=True)
class Archive:
    """An application archive: its name, the applications that it requires, its file."""

    name: str
    requires: tuple[str, ...]
    file: Path


def archive(file: Path) -> Archive:
    """Reads app.xml of an .oar file."""
    with zipfile.ZipFile(file) as zipped:
        app = ElementTree.fromstring(zipped.read("app.xml"))  # noqa: S314
    return Archive(app.attrib["name"], tuple(filter(None, app.attrib.get("apps", "").split(","))), file)


def ordered(archives: list[Archive]) -> list[Archive]:
    """Each one behind those that it requires, else by name.

    Raises OnosError if one requires an application of Sextant that is not among them.
    """
    left = {one.name: one for one in archives}
    done: list[Archive] = []
    while left:
        free = [
            one
            for name, one in sorted(left.items())
            if not any(required in left for required in one.requires if required != name)
        ]
        if not free:
            raise OnosError(f"{', '.join(sorted(left))} require each other")
        done += free
        for one in free:
            del left[one.name]
    names = {one.name for one in done}
    for one in done:
        missing = [required for required in one.requires if required.startswith(OURS) and required not in names]
        if missing:
            raise OnosError(f"{one.name} requires {', '.join(missing)}, of which there is no .oar in {one.file.parent}")
    return done


class Onos:
    """The part of ONOS's REST interface that installs applications."""

    def __init__(self, url: str, user: str, password: str) -> None:
        self._url = url.rstrip("/")
        self._login = "Basic " + base64.b64encode(f"{user}:{password}".encode()).decode()

    def ask(self, method: str, path: str, body: bytes | None = None, kind: str = "application/json") -> tuple[int, Any]:
        """Status and JSON of an answer; raises OnosError where nothing answers."""
        request = urllib.request.Request(self._url + path, body, method=method)  # noqa: S310
        request.add_header("Authorization", self._login)
        if body is not None:
            request.add_header("Content-Type", kind)
        try:
            with urllib.request.urlopen(request, timeout=120) as answer:  # noqa: S310
                status, text = answer.status, answer.read()
        except urllib.error.HTTPError as error:
            status, text = error.code, error.read()
        except OSError as error:
            raise OnosError(f"{self._url} does not answer: {error}") from None
        try:
            return status, json.loads(text or b"null")
        except ValueError:
            return status, text.decode(errors="replace")

    def applications(self) -> dict[str, str]:
        """States of all applications, by name."""
        status, answer = self.ask("GET", "/onos/v1/applications")
        if status != 200:
            raise OnosError(f"{self._url} says {status} to GET /onos/v1/applications: {answer}")
        return {one["name"]: one["state"] for one in answer["applications"]}

    def change(self, method: str, path: str, body: bytes | None = None) -> None:
        """Makes one change; raises OnosError if it is refused.

        ONOS stops listing an application before its archive is gone, and answers 409 to a new one until then.
        """
        end = time.monotonic() + _PATIENCE
        status, answer = self.ask(method, path, body, "application/octet-stream")
        while status == 409 and time.monotonic() < end:
            time.sleep(0.5)
            status, answer = self.ask(method, path, body, "application/octet-stream")
        if status >= 300:
            raise OnosError(f"{self._url} says {status} to {method} {path}: {answer}")

    def wait(self, name: str, state: str | None) -> None:
        """Until the application is in a state; None: until ONOS does not know it any more."""
        end = time.monotonic() + _PATIENCE
        while self.applications().get(name) != state:
            if time.monotonic() > end:
                raise OnosError(f"{name} is not {state or 'gone'} after {_PATIENCE:.0f} s: look into ONOS's log")
            time.sleep(0.2)


def install(onos: Onos, archives: list[Archive], active: set[str], present: Collection[str] = ()) -> None:
    """Installs archives in the order of their needs, and activates those of ``active``; those of ``present`` stay."""
    for one in ordered(archives):
        if one.name in present:
            continue
        activate = one.name in active
        onos.change("POST", f"/onos/v1/applications?activate={str(activate).lower()}", one.file.read_bytes())
        onos.wait(one.name, "ACTIVE" if activate else "INSTALLED")


def upgrade(onos: Onos, archives: list[Archive]) -> dict[str, str]:
    """Replaces the installed applications by these archives; returns the states, which are those from before.

    ONOS uninstalls with an application all that require it, so each goes by itself, those that others require last, and
    comes back in the reverse order. An installed application without an archive is an error before anything is changed.
    """
    before = {name: state for name, state in onos.applications().items() if name.startswith(OURS)}
    by_name = {one.name: one for one in ordered(archives)}
    lost = sorted(set(before) - set(by_name))
    if lost:
        raise OnosError(f"{', '.join(lost)} would be uninstalled: there is no .oar of it; add it, or remove it first")
    installed = [one for one in by_name.values() if one.name in before]
    for one in reversed(installed):
        onos.change("DELETE", f"/onos/v1/applications/{one.name}")
        onos.wait(one.name, None)
    install(onos, installed, {name for name, state in before.items() if state == "ACTIVE"})
    return {name: state for name, state in onos.applications().items() if name.startswith(OURS)}


def from_environment() -> Onos:
    """The ONOS that the environment names."""
    return Onos(
        os.environ.get("SEXTANT_URL", "http://127.0.0.1:8181"),
        os.environ.get("SEXTANT_USER", "onos"),
        os.environ.get("SEXTANT_PASSWORD", "rocks"),
    )


def main(argv: list[str]) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=("list", "install", "upgrade"))
    parser.add_argument("folder", nargs="?", type=Path, default=TARGET)
    options = parser.parse_args(argv)
    onos = from_environment()
    try:
        archives = [archive(file) for file in sorted(options.folder.glob("*.oar"))]
        if options.command != "list" and not archives:
            raise OnosError(f"no .oar files in {options.folder}: ./sextant build")
        if options.command == "install":
            install(onos, archives, {one.name for one in archives})
        elif options.command == "upgrade":
            upgrade(onos, archives)
        for name, state in sorted(onos.applications().items()):
            if name.startswith(OURS):
                print(name, state)
    except OnosError as error:
        print(f"applications.py: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
