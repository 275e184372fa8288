# SPDX-License-Identifier: Apache-2.0
"""A lab comes up whole, goes down whole, and touches nothing else; whatever happens in between."""

import contextlib
import json
import os
import socket
import ssl
import subprocess
from pathlib import Path

import pytest
from sextantlab import bmv2, netns, processes, status
from sextantlab.controller import Controller
from sextantlab.errors import UserError
from sextantlab.lab import Lab, State
from sextantlab.paths import ROOT
from sextantlab.ping import ping
from sextantlab.ports import listening
from small import SMALL

# RFC 9113, 3.4: the preface of a client, and an empty SETTINGS frame.
_HTTP2 = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes([0, 0, 0, 4, 0, 0, 0, 0, 0])
needs_bmv2 = pytest.mark.skipif(bool(bmv2.missing()), reason=bmv2.missing() or "-")


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
    """Linux would take them for one device and report a lost carrier 0.4 s late."""
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


def _greets(lab: Lab, name: str, client: str | None) -> bool:
    """True if a node answers a client that shows a certificate, none, or speaks in the clear ("")."""
    node = lab.network.node(name)
    with contextlib.suppress(OSError), socket.create_connection((node.host, node.port), timeout=10) as plain:
        if client == "":
            plain.sendall(_HTTP2)
            return bool(plain.recv(9))
        context = ssl.create_default_context(cafile=lab.certificates.ca)
        context.set_alpn_protocols(["h2"])
        if client is not None:
            own = lab.certificates.client(client)
            context.load_cert_chain(own.certificate, own.key)
        with context.wrap_socket(plain, server_hostname=node.host) as secure:
            secure.sendall(_HTTP2)
            return bool(secure.recv(9))
    return False


@pytest.mark.parametrize("p4", [[], pytest.param(["a"], marks=needs_bmv2)], ids=["agent", "bmv2"])
def test_nodes_speak_to_those_with_a_certificate_alone(small: Lab, tmp_path: Path, p4: list[str]) -> None:
    with Lab(str(tmp_path / "small.json"), small.instance, p4=p4) as lab:
        described = json.loads(lab.network_file.read_text())
        assert described["devices"]["device:a"]["basic"]["managementAddress"].startswith("grpcs://")
        assert [_greets(lab, "a", client) for client in ("controller", None, "")] == [True, False, False]


def test_a_plain_lab_speaks_in_the_clear(small: Lab, tmp_path: Path) -> None:
    with Lab(str(tmp_path / "small.json"), small.instance, plain=True) as lab:
        assert _greets(lab, "a", "")
        assert "level=WARN" in lab.agent_log("a").read_text()
        assert Lab(str(tmp_path / "small.json"), small.instance).tls is None


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
