# SPDX-License-Identifier: Apache-2.0
"""The underlay: routes, several equally good next hops, neighbors, packets in and out."""

import queue

import pytest
from nodes.bench import NO_ICMP, Bench
from nodes.p4runtime import Action
from nodes.packets import PAYLOAD, v4, v6
from nodes.wire import Frame
from scapy.layers.inet6 import IPv6
from scapy.layers.l2 import Ether
from scapy.packet import Raw

LLDP = 0x88CC


def test_ipv6_is_routed_with_the_neighbors_mac(node: Bench) -> None:
    node.check(1, v6(), 2, v6(hop_limit=63))


def test_ipv4_is_routed_with_the_neighbors_mac(node: Bench) -> None:
    node.check(1, v4(), 2, v4(ttl=63))


def test_the_longest_prefix_wins(node: Bench) -> None:
    node.route("route_v6", "2001:db8:2::2/128", 3)
    node.check(1, v6(), 3, v6(hop_limit=63))
    node.check(
        1,
        v6(destination="2001:db8:2::3"),
        2,
        v6(destination="2001:db8:2::3", hop_limit=63),
    )


def test_a_deleted_route_is_gone(node: Bench) -> None:
    node.route("route_v6", "2001:db8:2::2/128", 3)
    node.delete("route_v6", {"vrf": 0, "dst": "2001:db8:2::2/128"})
    node.check(1, v6(), 2, v6(hop_limit=63))


def test_equal_next_hops_share_the_flows(node: Bench) -> None:
    """400 flows over two: the bounds are five standard deviations around 200."""
    node.route("route_v6", "2001:db8:5::/48", 2, 3)
    flows = [v6(source=f"2001:db8:1::{n:x}", destination=f"2001:db8:5::{n:x}", port=2000 + n) for n in range(400)]
    got = node.send(1, *flows, at_least=len(flows))
    assert len(got) == 400
    assert 150 <= sum(frame.port == 2 for frame in got) <= 250
    assert {frame.port for frame in got} == {2, 3}


def test_lldp_goes_to_the_controller_with_its_port(node: Bench) -> None:
    node.insert("punt", {"ether_type": LLDP}, Action("to_controller", {}), priority=10)
    frame = bytes(Ether(src="02:00:00:00:02:03", dst="01:80:c2:00:00:0e", type=LLDP) / Raw(PAYLOAD.ljust(46, b"\0")))
    node.wires.send(Frame(3, frame))
    assert node.client.packet_in(5) == (3, frame)


def test_other_frames_do_not_go_to_the_controller(node: Bench) -> None:
    node.insert("punt", {"ether_type": LLDP}, Action("to_controller", {}), priority=10)
    node.check(1, v6(), 2, v6(hop_limit=63))
    with pytest.raises(queue.Empty):
        node.client.packet_in(0.2)


@pytest.mark.parametrize("port", [1, 3])
def test_the_controller_sends_frames_out_of_a_port(node: Bench, port: int) -> None:
    frame = bytes(Ether(src="02:00:00:00:01:01", dst="01:80:c2:00:00:0e", type=LLDP) / Raw(PAYLOAD.ljust(46, b"\0")))
    node.wires.drain()
    node.client.packet_out(port, frame)
    assert node.wires.receive(1) == [Frame(port, frame)]


@pytest.mark.differs("bmv2", NO_ICMP)
def test_hop_limit_one_answers_time_exceeded(node: Bench) -> None:
    got = node.send(1, v6(hop_limit=1))
    assert [frame.port for frame in got] == [1]
    assert IPv6(got[0].data[14:]).dst == "2001:db8:1::2"


def test_the_last_hop_is_not_forwarded(node: Bench) -> None:
    """RFC 8200, 3; RFC 1812, 5.3.1."""
    for last in (0, 1):
        node.check_not_forwarded(1, v6(hop_limit=last))
        node.check_not_forwarded(1, v4(ttl=last))
