# SPDX-License-Identifier: Apache-2.0
"""Live-Live between two kinds of node: packets that one copies the other delivers once, one by one."""

import contextlib
import time
from collections.abc import Iterator

import pytest
from nodes.bench import Bench
from nodes.oracle import Case, Oracle
from nodes.p4runtime import Action, Client
from nodes.packets import v4, v6
from nodes.target import TARGETS, missing
from nodes.wire import Frame, Wires
from scapy.layers.inet6 import IPv6

FLOW, PATHS = 0x01020304, (2, 3, 4)  # path p goes by way of port p


@contextlib.contextmanager
def bench(kind: str) -> Iterator[Bench]:
    """A node of its own, programmed as the other packet tests do."""
    with (
        TARGETS[kind](f"{kind}-peer") as target,
        Client(target.address, target.device_id, target.p4info, election_id=10, tls=target.tls) as client,
        Wires(target.wire_namespace, {number: port.far_interface for number, port in target.ports.items()}) as wires,
    ):
        client.set_pipeline(target.program)
        client.prepare_copying(epoch=1)
        node = Bench(target, client, wires, Case(Oracle(recording=False), kind, "", {}))
        node.underlay()
        yield node


@pytest.fixture(scope="module")
def nodes(request: pytest.FixtureRequest) -> Iterator[tuple[Bench, Bench]]:
    if request.config.getoption("--node"):
        pytest.skip("needs two nodes, --node names one")
    if missing("bmv2"):
        pytest.skip(missing("bmv2"))
    with bench("linux") as linux, bench("bmv2") as bmv2:
        yield linux, bmv2


@pytest.fixture(params=["Linux to bmv2", "bmv2 to Linux"])
def pair(request: pytest.FixtureRequest, nodes: tuple[Bench, Bench]) -> Iterator[tuple[Bench, Bench]]:
    """Ingress and egress."""
    ingress, egress = nodes if request.param.startswith("Linux") else nodes[::-1]
    program_ingress(ingress)
    program_egress(egress)
    yield ingress, egress
    for node in nodes:
        node.forget()
        node.underlay()


def program_ingress(node: Bench) -> None:
    for path in PATHS:
        node.route("route_v6", f"fcbb:bbbb:{path}00::/48", path)
        node.sid_list(100 + path, (1, [f"fcbb:bbbb:{path}00:900:f10{path}::"]))
        node.insert("copy", {"group": 1, "path": path}, Action("send_copy", {"sid_list": 100 + path}))
    replicate = Action("replicate", {"flow_id": FLOW, "group": 1, "copies": max(PATHS)})
    node.insert("flow_v6", {"vrf": 0, "dst": "2001:db8:2::/48"}, replicate, priority=1)
    node.insert("flow_v4", {"vrf": 0, "dst": "10.2.0.0/16"}, replicate, priority=1)


def program_egress(node: Bench) -> None:
    # The nodes on the way and the egress are one: it shifts, and finds its own SID.
    for path in PATHS:
        node.my_sid(f"fcbb:bbbb:900:f10{path}::/64", "dedup", vrf=0, path=path)
    node.insert("dedup_flow", {"flow_id": FLOW}, Action("deduplicate", {"window": 1}))


def carried(egress: Bench, copy: Frame, path: int) -> bytes:
    """A copy as the last node on the way hands it over: shifted by one uSID, one hop later, with this wire's MACs."""
    at = 14 + 24
    shifted = copy.data[at : at + 4] + copy.data[at + 6 : at + 16] + b"\0\0"
    packet = copy.data[14:21] + bytes([copy.data[21] - 1]) + copy.data[22:at] + shifted + copy.data[at + 16 :]
    here = egress.target.ports[path]
    macs = bytes.fromhex(here.mac.replace(":", "") + here.neighbor_mac.replace(":", ""))
    return macs + copy.data[12:14] + packet


@pytest.mark.parametrize("inner", [v6(), v4()], ids=["IPv6", "IPv4"])
def test_what_one_kind_copies_the_other_delivers_once(pair: tuple[Bench, Bench], inner: IPv6) -> None:
    ingress, egress = pair
    for number in range(20):
        copies = ingress.send(1, inner, at_least=3)
        assert sorted(copy.port for copy in copies) == list(PATHS), f"packet {number}"
        arrival = copies[number % 3 :] + copies[: number % 3]  # another path wins every time
        out = []
        for copy in arrival:
            out.append(egress.send(copy.port, carried(egress, copy, copy.port)))
        assert [len(frames) for frames in out] == [1, 0, 0], f"packet {number}"
        (delivered,) = out[0]
        assert delivered.port == 2
        twice = inner.copy()
        if IPv6 in twice:
            twice[IPv6].hlim -= 2
        else:
            twice.ttl -= 2
        assert delivered == egress.out_of(2, twice)
    first = sum(egress.client.cell("dedup_first", 16 + path) for path in PATHS)
    duplicate = sum(egress.client.cell("dedup_duplicate", 16 + path) for path in PATHS)
    assert duplicate == 2 * first


def test_a_restarted_ingress_is_heard_once_its_former_life_is_silent(
    nodes: tuple[Bench, Bench], pair: tuple[Bench, Bench]
) -> None:
    """A switch that has lost its numbers has the next epoch, whatever number it is at; its former packets stay old."""
    ingress, egress = pair
    if ingress.target.name != "bmv2":
        pytest.skip("a Linux node that is made anew numbers on from the clock; the agent's tests restart it")
    old = ingress.send(1, v6(), at_least=3)[0]
    far_ahead = old.data[: 14 + 40 + 8 + 16 + 8] + bytes(6) + b"\xff" + old.data[14 + 40 + 8 + 16 + 15 :]
    for frame in (old, Frame(old.port, far_ahead)):
        assert len(egress.send(old.port, carried(egress, frame, old.port), at_least=1)) == 1
    ingress.client.set_epoch(2)
    new = ingress.send(1, v6(), at_least=3)[0]
    deadline = time.monotonic() + 10
    while len(egress.send(new.port, carried(egress, new, new.port))) != 1:
        assert time.monotonic() < deadline, "never heard"
    for frame in (old, Frame(old.port, far_ahead), new):
        assert egress.send(frame.port, carried(egress, frame, frame.port)) == []
