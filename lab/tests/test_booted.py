# SPDX-License-Identifier: Apache-2.0
"""The units under a systemd that is process 1: they start, serve, and survive systemd's actions."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from sextantlab import booted, build
from sextantlab.booted import Booted
from sextantlab.controller import Controller
from sextantlab.instance import Instance
from sextantlab.lab import Lab
from sextantlab.paths import AGENT, AGENT_DIR, ROOT
from sextantlab.processes import until
from sextantlab.release import THIS
from sextantlab.steps import command

_SECONDS = 120
_AGENT_OPTIONS = "--device-id 3 --port 1=p1 --port 2=far --listen 127.0.0.1:9559 --insecure"
_CREDENTIALS = "/var/lib/sextant/etc/sextant/credentials"


def _install(files: Path) -> None:
    """The installation that a package would do."""
    for source, target in (
        (ROOT / "agent/systemd/sextant-agent.service", "etc/systemd/system"),
        (ROOT / "agent/systemd/sextant-agent-prepare.service", "etc/systemd/system"),
        (ROOT / "platforms/karaf/systemd/sextant-controller.service", "etc/systemd/system"),
        (AGENT, "usr/local/bin"),
    ):
        (files / target).mkdir(parents=True, exist_ok=True)
        shutil.copy(source, files / target)
    users = files / "usr/lib/sysusers.d"
    users.mkdir(parents=True)
    shutil.copy(ROOT / "agent/systemd/sextant-agent.sysusers", users / "sextant-agent.conf")
    shutil.copy(ROOT / "platforms/karaf/systemd/sextant.sysusers", users / "sextant.conf")
    settings = files / "etc/sextant"
    settings.mkdir(parents=True)
    (settings / "agent.env").write_text(f"AGENT_OPTIONS={_AGENT_OPTIONS}\n")


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Booted]:
    lacks = booted.missing()
    if lacks:
        pytest.skip(lacks)
    build.agent()
    build.controller()
    controller = Controller(Lab("fig4", Instance.free()))
    controller.unpack()
    folder = tmp_path_factory.mktemp("booted")
    folder.chmod(0o755)
    files = folder / "files"
    files.mkdir()
    _install(files)
    tests = folder / "tests"
    tests.mkdir()
    command(
        "build the agent's tests", ["go", "test", "-c", "-o", tests / "agent", "./cmd/sextant-agent"], cwd=AGENT_DIR
    )
    with Booted(folder, files, {THIS.installation: "opt/sextant", tests: "opt/tests"}) as machine:
        machine.must("ip", "link", "add", "p1", "address", "02:00:00:00:00:01", "type", "veth", "peer", "name", "far",
                     "address", "02:00:00:00:00:02")  # fmt: skip
        for name in ("p1", "far"):
            machine.must("ip", "link", "set", name, "up")
        yield machine


def test_the_agent_s_unit_serves_rows_of_every_kind_through_restarts(machine: Booted) -> None:
    machine.must("systemctl", "start", "sextant-agent")
    assert re.search(r"(?m)^User=sextant-agent$", machine.must("systemctl", "show", "sextant-agent"))
    served = machine.run(
        "/opt/tests/agent", "-test.v", "-test.run=^TestTheUnitServes$", SEXTANT_TEST_UNIT="127.0.0.1:9559"
    )
    assert served.returncode == 0, served.stdout + served.stderr + machine.log("sextant-agent")
    assert "--- PASS: TestTheUnitServes" in served.stdout
    machine.must("systemctl", "stop", "sextant-agent")
    assert machine.run("systemctl", "is-failed", "sextant-agent").returncode != 0, machine.log("sextant-agent")


def test_the_controller_s_unit_answers_and_stops(machine: Booted) -> None:
    machine.must("systemctl", "start", "sextant-controller")

    def password() -> str:
        found = re.search(r"(?m)^admin=(\S+)$", machine.run("cat", _CREDENTIALS).stdout)
        return found[1] if found else ""

    def answers() -> bool:
        asked = machine.run("curl", "-s", "-u", f"admin:{password()}", "http://127.0.0.1:8181/srv6/nodes")
        return asked.stdout.strip() == "[]"

    assert until(answers, _SECONDS), machine.log("sextant-controller")
    owner = machine.must("stat", "--format=%U %a", _CREDENTIALS).split()
    assert owner == ["sextant", "600"]
    machine.must("systemctl", "stop", "sextant-controller")
    shown = machine.must("systemctl", "show", "--property=ActiveState,Result", "sextant-controller")
    assert sorted(shown.split()) == ["ActiveState=inactive", "Result=success"], machine.log("sextant-controller")
