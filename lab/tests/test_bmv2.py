# SPDX-License-Identifier: Apache-2.0
"""A lab with a bmv2 switch in it comes up and goes down as one without does."""

import os
import signal
from pathlib import Path

import pytest
from sextantlab import bmv2, netns, processes, status
from sextantlab.controller import Controller
from sextantlab.errors import UserError
from sextantlab.lab import Lab
from sextantlab.ports import listening
from sextantlab.processes import until

_PATIENCE_SECONDS = 10
needs_bmv2 = pytest.mark.skipif(bool(bmv2.missing()), reason=bmv2.missing() or "-")


@pytest.fixture
def switched(small: Lab, tmp_path: Path) -> Lab:
    """The small lab with node a as a switch."""
    return Lab(str(tmp_path / "small.json"), small.instance, p4=["a"])


def switches(lab: Lab) -> list[int]:
    """The bmv2 processes of a lab."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and processes.start_ticks(int(entry.name)):
            words = (entry / "cmdline").read_bytes().decode(errors="replace").split("\0")
            if words[0].endswith(bmv2.SWITCH) and f"unix:/run/sextant/{lab.namespace('a')}" in words:
                found.append(int(entry.name))
    return found


def test_without_bmv2_a_lab_says_what_is_missing(switched: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(UserError, match="^a: simple_switch_grpc is not on PATH"):
        switched.up()
    assert switched.state() is None


@needs_bmv2
def test_a_switch_is_up_shown_and_ended_with_its_lab(switched: Lab, capsys: pytest.CaptureFixture[str]) -> None:
    with switched:
        assert all(listening(node.host, node.port) for node in switched.network.nodes)
        assert len(switches(switched)) == 1
        assert status.show(switched, Controller(switched)) == 0
        assert "  bmv2 " in capsys.readouterr().out
    assert switches(switched) == []
    assert not Path("/run/sextant", switched.namespace("a")).exists()


@needs_bmv2
def test_a_lab_knows_its_switches_when_asked_later(switched: Lab, tmp_path: Path) -> None:
    with switched:
        assert Lab(str(tmp_path / "small.json"), switched.instance).switches == ["a"]


@needs_bmv2
def test_a_relay_that_is_killed_leaves_no_switch_and_starts_again(switched: Lab) -> None:
    with switched:
        os.kill(switched.agent("a").pid, signal.SIGKILL)
        assert until(lambda: not switches(switched), _PATIENCE_SECONDS)
        switched.start_agent("a")
        # The relay listens while the switch is still starting.
        assert until(lambda: len(switches(switched)) == 1, _PATIENCE_SECONDS)
        assert listening(switched.network.node("a").host, switched.network.node("a").port)


@needs_bmv2
def test_a_switch_that_ends_takes_its_relay_along(switched: Lab) -> None:
    with switched:
        (switch,) = switches(switched)
        os.kill(switch, signal.SIGTERM)
        assert until(lambda: not switched.agent("a").alive, _PATIENCE_SECONDS)


@needs_bmv2
def test_the_kernel_beneath_a_switch_answers_nobody(switched: Lab) -> None:
    """A switch without entries is silent, and so is its node."""
    with switched:
        for address in ("fd00:0:1::1", "10.0.1.1"):
            assert netns.run(switched.namespace("h"), "ping", "-c", "1", "-W", "1", address).returncode != 0
