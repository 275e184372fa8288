# SPDX-License-Identifier: Apache-2.0
"""The upgrade of the applications, against an ONOS that uninstalls dependents together with their requirements."""

import importlib.util
import json
import sys
import threading
import zipfile
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlparse
from xml.etree import ElementTree

import pytest
from sextantlab.paths import ROOT

_SCRIPT = ROOT / "platforms" / "onos" / "applications.py"
_spec = importlib.util.spec_from_file_location("onos_applications", _SCRIPT)
assert _spec
assert _spec.loader
applications: Any = importlib.util.module_from_spec(_spec)
sys.modules[_spec.name] = applications
_spec.loader.exec_module(applications)

_REQUIRES = {
    "org.sextant.srv6": "org.onosproject.drivers.p4runtime",
    "org.sextant.usid": "org.sextant.srv6",
    "org.sextant.livelive": "org.sextant.srv6",
    "org.sextant.ui": "org.sextant.srv6,org.sextant.usid",
}


class _Onos:
    """Applications by name, and every change that was asked for."""

    def __init__(self) -> None:
        self.states: dict[str, str] = {}
        self.requires: dict[str, list[str]] = {}
        self.changes: list[str] = []
        self.archives: set[str] = set()

    def post(self, body: bytes, activate: bool) -> int:
        app = ElementTree.fromstring(zipfile.ZipFile(BytesIO(body)).read("app.xml"))
        name, requires = app.attrib["name"], app.attrib["apps"].split(",")
        if name in self.archives:
            self.archives.discard(name)  # as ONOS: it is gone from the list before its archive is
            return 409
        if name in self.states or any(one.startswith("org.sextant.") and one not in self.states for one in requires):
            return 400
        self.requires[name] = requires
        self.states[name] = "ACTIVE" if activate else "INSTALLED"
        self.changes.append(f"POST {name} {self.states[name]}")
        return 200

    def delete(self, name: str) -> None:
        self.changes.append(f"DELETE {name}")
        self.archives.add(name)
        self.states.pop(name, None)
        for other in [one for one in self.states if name in self.requires[one]]:
            self.delete(other)


@pytest.fixture
def onos() -> Iterator[tuple[_Onos, Any]]:
    """The state of a faked ONOS, and a client of it."""
    state = _Onos()

    class Handler(BaseHTTPRequestHandler):
        def _answer(self, status: int, body: object = None) -> None:
            self.send_response(status)
            self.end_headers()
            self.wfile.write(json.dumps(body).encode())

        def do_GET(self) -> None:
            listed = [{"name": name, "state": now} for name, now in state.states.items()]
            self._answer(200, {"applications": [*listed, {"name": "org.onosproject.drivers", "state": "ACTIVE"}]})

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            self._answer(state.post(body, parse_qs(urlparse(self.path).query)["activate"] == ["true"]))

        def do_DELETE(self) -> None:
            state.delete(self.path.rsplit("/", 1)[1])
            self._answer(204)

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield state, applications.Onos(f"http://127.0.0.1:{server.server_port}", "onos", "rocks")
    server.shutdown()
    server.server_close()


def _archives(folder: Path, *names: str) -> list[Any]:
    made = []
    for name in names or _REQUIRES:
        file = folder / f"{name}.oar"
        with zipfile.ZipFile(file, "w") as zipped:
            zipped.writestr("app.xml", f'<app name="{name}" apps="{_REQUIRES[name]}"/>')
        made.append(applications.archive(file))
    return made


def test_archives_come_behind_what_they_require(tmp_path: Path) -> None:
    assert [one.name for one in applications.ordered(_archives(tmp_path))] == [
        "org.sextant.srv6",
        "org.sextant.livelive",
        "org.sextant.usid",
        "org.sextant.ui",
    ]
    with pytest.raises(applications.OnosError, match="ui requires org.sextant.srv6, org.sextant.usid"):
        applications.ordered(_archives(tmp_path, "org.sextant.ui"))


def test_an_upgrade_brings_back_every_application_in_the_state_that_it_had(
    onos: tuple[_Onos, Any], tmp_path: Path
) -> None:
    state, client = onos
    archives = _archives(tmp_path)
    applications.install(client, archives, {"org.sextant.srv6", "org.sextant.usid", "org.sextant.ui"})
    before = dict(state.states)
    state.changes.clear()
    assert applications.upgrade(client, archives) == before
    assert before["org.sextant.livelive"] == "INSTALLED"
    assert state.changes == [
        "DELETE org.sextant.ui",
        "DELETE org.sextant.usid",
        "DELETE org.sextant.livelive",
        "DELETE org.sextant.srv6",
        "POST org.sextant.srv6 ACTIVE",
        "POST org.sextant.livelive INSTALLED",
        "POST org.sextant.usid ACTIVE",
        "POST org.sextant.ui ACTIVE",
    ]


def test_an_upgrade_that_would_lose_an_application_changes_nothing(onos: tuple[_Onos, Any], tmp_path: Path) -> None:
    state, client = onos
    applications.install(client, _archives(tmp_path), set())
    state.changes.clear()
    some = _archives(tmp_path, "org.sextant.srv6", "org.sextant.usid")
    with pytest.raises(applications.OnosError, match=r"org\.sextant\.livelive, org\.sextant\.ui would be uninstalled"):
        applications.upgrade(client, some)
    assert state.changes == []


def test_what_is_not_installed_is_not_installed_by_an_upgrade(onos: tuple[_Onos, Any], tmp_path: Path) -> None:
    state, client = onos
    applications.install(client, _archives(tmp_path, "org.sextant.srv6"), {"org.sextant.srv6"})
    assert applications.upgrade(client, _archives(tmp_path)) == {"org.sextant.srv6": "ACTIVE"}
    assert list(state.states) == ["org.sextant.srv6"]


def test_an_installation_requires_what_is_there_already(onos: tuple[_Onos, Any], tmp_path: Path) -> None:
    state, client = onos
    applications.install(client, _archives(tmp_path, "org.sextant.srv6"), {"org.sextant.srv6"})
    state.changes.clear()
    applications.install(client, _archives(tmp_path), {"org.sextant.usid"}, set(state.states))
    assert [change for change in state.changes if "srv6" in change] == []
    assert state.states["org.sextant.usid"] == "ACTIVE"
