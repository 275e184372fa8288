# SPDX-License-Identifier: Apache-2.0
"""The systemd units: systemd understands them, and they give no more than docs/reference/privileges.md says."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from sextantlab.paths import ROOT

AGENT = ROOT / "agent/systemd/sextant-agent.service"
PREPARE = ROOT / "agent/systemd/sextant-agent-prepare.service"
CONTROLLER = ROOT / "platforms/karaf/systemd/sextant-controller.service"
# The exposure by `systemd-analyze security` of a unit that is exposed as it must be; 10 is a service without any
# restriction.
MOST_EXPOSED = {AGENT: 2.6, PREPARE: 4.7, CONTROLLER: 1.5}


def analyze(*words: str | Path) -> str:
    if shutil.which("systemd-analyze") is None:
        pytest.skip("needs systemd-analyze; run: sudo apt-get install systemd")
    done = subprocess.run(["systemd-analyze", *words], capture_output=True, text=True, check=False)
    return done.stdout + done.stderr


@pytest.fixture(params=[AGENT, PREPARE, CONTROLLER], ids=lambda unit: unit.stem)
def unit(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Path, Path]:
    """A unit, and a copy of it, beside the others, whose program is there."""
    for one in (AGENT, PREPARE, CONTROLLER):
        (tmp_path / one.name).write_text(re.sub(r"(?m)^(ExecStart\w*)=\S+", r"\1=/bin/true", one.read_text()))
    return request.param, tmp_path / request.param.name


def test_systemd_has_nothing_against_a_unit(unit: tuple[Path, Path]) -> None:
    said = analyze("verify", "--man=no", unit[1])
    assert [line for line in said.splitlines() if unit[1].name in line] == []


def test_a_unit_is_hardly_exposed(unit: tuple[Path, Path]) -> None:
    said = analyze("security", "--offline=yes", "--no-pager", unit[1])
    level = re.search(r"Overall exposure level for \S+: ([0-9.]+)", said)
    if level is None:
        pytest.skip(f"needs systemd-analyze security --offline (systemd 250); it says: {said.strip()[:200]}")
    assert float(level[1]) <= MOST_EXPOSED[unit[0]], said


def settings(unit: Path) -> dict[str, str]:
    pairs = (line.partition("=") for line in unit.read_text().splitlines() if "=" in line and not line.startswith("#"))
    return {name: value for name, _, value in pairs}


def test_the_agent_has_the_privileges_that_its_own_test_runs_with() -> None:
    tested = (ROOT / "agent/cmd/sextant-agent/privileges_test.go").read_text()
    wanted = set(re.findall(r"(?m)^\tfor\w+ += unix\.(CAP_\w+)", tested))
    for name in ("CapabilityBoundingSet", "AmbientCapabilities"):
        assert set(settings(AGENT)[name].split()) == wanted


def test_the_controller_has_no_privilege_and_a_user_of_its_own() -> None:
    of = settings(CONTROLLER)
    assert (of["CapabilityBoundingSet"], of["AmbientCapabilities"], of["User"]) == ("", "", "sextant")
