# SPDX-License-Identifier: Apache-2.0
"""A lab comes up whole, goes down whole, and touches nothing else; whatever happens in between."""

import json
import os
import socket
import subprocess
from pathlib import Path

import pytest
from sextantlab import netns, processes, status
from sextantlab.controller import Controller
from sextantlab.errors import UserError
from sextantlab.lab import Lab, State, listening
from sextantlab.paths import ROOT
from sextantlab.ping import ping
from small import SMALL


def namespaces() -> set[str]:
    return {line.split()[0] for line in subprocess.check_output(["ip", "netns"], text=True).splitlines()}


def own(lab: Lab) -> set[str]:
    """The namespaces of the nodes and the host of a lab."""
    return {lab.namespace(name) for name in ("a", "b", "h")}


def show(namespace: str, *words: str) -> str:
    return subprocess.check_output(["ip", "-n", namespace, *words], text=True)


def test_up_makes_what_the_description_says(small: Lab) -> None:
    with small:
        assert own(small) <= namespaces()
        assert "mtu 4000" in show(small.namespace("a"), "link", "show", "a-b")
        assert "fd00:0:1::1/64" in show(small.namespace("a"), "addr", "show", "a-h")
        assert "02:00:00:00:00:aa" in show(small.namespace("h"), "link", "show", "eth0")
        assert "default via fd00:0:1::1" in show(small.namespace("h"), "-6", "route")
        assert "default via 10.0.1.1" in show(small.namespace("h"), "route")
        assert ping(small.namespace("h"), "fd00:0:1::1", count=1)
        assert ping(small.namespace("h"), "10.0.1.1", count=1)


def test_no_two_ends_of_a_link_have_the_same_index(small: Lab) -> None:
    """Linux would take them for one device and tell of a lost carrier 0.4 s late."""
    with small:
        for namespace in sorted(own(small)):
            links = json.loads(show(namespace, "-j", "link", "show", "type", "veth"))
            assert links
            for link in links:
                if "link_netnsid" in link:
                    assert link["ifindex"] != link["link_index"], link


def test_up_starts_an_agent_per_node_and_down_stops_them(small: Lab) -> None:
    small.up()
    agents = [small.agent("a"), small.agent("b")]
    assert all(agent.alive for agent in agents)
    assert all(listening(node.host, node.port) for node in small.network.nodes)
    small.down()
    assert not any(agent.alive for agent in agents)
    assert small.state() is None


def test_down_leaves_namespaces_that_others_made(small: Lab) -> None:
    netns.ip("netns", "add", small.namespace("other"))
    try:
        small.up()
        small.down()
        assert small.namespace("other") in namespaces()
        assert not own(small) & namespaces()
    finally:
        netns.ip("netns", "del", small.namespace("other"))


def test_up_says_when_the_lab_is_up_already(small: Lab) -> None:
    with small, pytest.raises(UserError, match="is up already"):
        small.up()


def test_up_is_possible_after_a_reboot(small: Lab) -> None:
    """A file says that the lab is up, but its namespaces and processes are gone."""
    small.directory.mkdir(parents=True, exist_ok=True)
    small._save(State(sorted(own(small)), agents={"a": processes.Started(1, 1)}, complete=True))
    with small:
        assert small.agent("a").alive


def test_up_refuses_a_namespace_that_it_did_not_make(small: Lab) -> None:
    netns.ip("netns", "add", small.namespace("b"))
    try:
        with pytest.raises(UserError, match=f"{small.namespace('b')} exists"):
            small.up()
        assert small.state() is None
        assert small.namespace("a") not in namespaces()
    finally:
        netns.ip("netns", "del", small.namespace("b"))


def test_up_names_who_holds_a_port(small: Lab) -> None:
    node = small.network.nodes[0]
    with socket.create_server((node.host, node.port)), pytest.raises(UserError, match=f"{node.port}.*python"):
        small.up()
    assert small.state() is None


@pytest.mark.parametrize("problem", [UserError("no agent today"), KeyboardInterrupt()], ids=["error", "interrupt"])
def test_what_stops_half_way_leaves_nothing(
    small: Lab, monkeypatch: pytest.MonkeyPatch, problem: BaseException
) -> None:
    started: list[processes.Started] = []

    def fail(node: object, agent: processes.Started) -> None:
        started.append(agent)
        raise problem

    monkeypatch.setattr(small, "_await_agent", fail)
    with pytest.raises(type(problem)):
        small.up()
    assert not started[0].alive
    assert small.state() is None
    assert not own(small) & namespaces()


def test_down_clears_what_a_crash_left(small: Lab) -> None:
    """A crash between starting an agent and writing that down, with a namespace missing."""
    small.up()
    agent = small.agent("b")
    state = small.state()
    assert state is not None
    del state.agents["b"]
    state.complete = False
    small._save(state)
    netns.ip("netns", "del", small.namespace("h"))
    small.down()
    assert not agent.alive
    assert not own(small) & namespaces()


def test_an_agent_that_does_not_start_shows_its_log(small: Lab) -> None:
    small.description["ports"] = SMALL["ports"]
    small.directory.mkdir(parents=True, exist_ok=True)
    agent_state = small.directory / "agent"
    with small:
        processes.stop(small.agent("a"))
        for file in agent_state.glob("a/*"):
            file.unlink()
        (agent_state / "a").rmdir()
        (agent_state / "a").write_text("a file where the state folder should be")
        with pytest.raises(UserError, match=r"agent-a\.log"):
            small.start_agent("a")
        (agent_state / "a").unlink()


def test_status_tells_what_is_up(small: Lab, capsys: pytest.CaptureFixture[str]) -> None:
    with small:
        assert status.show(small, Controller(small)) == 0
        small.set_link("a", "b", up=False)
        assert status.show(small, Controller(small)) == 3
        assert "a/1-b/1" in [line.split()[0] for line in capsys.readouterr().out.splitlines() if line.endswith("DOWN")]
    assert status.show(small, Controller(small)) == 3
    assert "down" in capsys.readouterr().out


def test_a_lab_is_ended_by_its_name_or_none_when_its_description_is_gone(small: Lab, tmp_path: Path) -> None:
    small.up()
    (tmp_path / "small.json").unlink()
    assert [lab.topology for lab in Lab.up_now(small.instance)] == ["small"]
    assert Lab("small", small.instance).network == small.network
    done = subprocess.run(
        [ROOT / "sextant", "lab", "down"],
        env=os.environ | {"SEXTANT_INSTANCE": str(small.instance.number)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "lab small: down\n")
    assert not own(small) & namespaces()
    assert Lab.up_now(small.instance) == []


def test_a_network_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"absent\.json"):
        Lab("absent")
