# SPDX-License-Identifier: Apache-2.0
"""Headends: H.Encaps.Red and H.Encaps (RFC 8986, 5.1 and 5.2), B6.Encaps.Red (4.14), weights and the outer source."""

import contextlib
import os
from collections import Counter
from collections.abc import Callable, Iterator

import pytest
from nodes.bench import NO_OPTIONS, Bench, segments
from nodes.p4runtime import Action, WriteError
from nodes.packets import H1, H2, H2_V4, outer, routed, v4, v6, with_options
from scapy.layers.inet6 import IPv6
from scapy.packet import Packet

C = [f"fcbb:bbbb:{n}00:{n}01:{n}02:{n}03:{n}04:{n}05" for n in range(2, 8)]
POLICY = "2001:db8:2::/64"
INNER_STAYS = "seg6_iptunnel lowers the hop limit of the outer header only (RFC 8986, 5.1: the inner one is lowered)"


def reverse(containers: list[str]) -> list[str]:
    return list(reversed(containers))


def one_lower(inner: Packet) -> Packet:
    lower = inner.copy()
    if IPv6 in lower:
        lower[IPv6].hlim -= 1
    else:
        lower.ttl -= 1
    return lower


def entering(build: Callable[[Packet], Packet], inner: Packet) -> list[Packet]:
    """A headend's output for a packet: its hop limit is lowered (RFC 8986, 5.1) or, on Linux, only the outer one's."""
    return [build(one_lower(inner)), build(inner)]


def check_entering(node: Bench, build: Callable[[Packet], Packet], inner: Packet | None = None) -> None:
    inner = inner or v6()
    node.check(1, inner, 2, *entering(build, inner))


def test_one_container_needs_no_srh(node: Bench) -> None:
    """40 bytes (uSID paper, IV: E for one SID)."""
    node.steer(POLICY, "h_encaps_red", (1, C[:1]))
    check_entering(node, lambda inner: outer(C[0], inner, hop_limit=63))


def test_two_containers_put_the_second_into_the_srh(node: Bench) -> None:
    """The paper's policy: 64 bytes (uSID paper, V-A)."""
    containers = ["fcbb:bbbb:200:700:600:500:400:0", "fcbb:bbbb:300:f00d::"]
    node.steer(POLICY, "h_encaps_red", (1, containers))
    check_entering(node, lambda inner: routed(containers[0], 1, containers[1:], inner, hop_limit=63))


def test_six_containers_stand_in_reverse_without_the_first(node: Bench) -> None:
    node.steer(POLICY, "h_encaps_red", (1, C))
    check_entering(node, lambda inner: routed(C[0], 5, reverse(C[1:]), inner, hop_limit=63))


@pytest.mark.parametrize("count", range(2, 7))
def test_reduced_lists_of_every_length(node: Bench, count: int) -> None:
    """RFC 8986, 5.2: Segments Left counts the first segment, which is not listed."""
    node.steer(POLICY, "h_encaps_red", (1, C[:count]))
    check_entering(node, lambda inner: routed(C[0], count - 1, reverse(C[1:count]), inner, hop_limit=63))


@pytest.mark.differs("bmv2", "its action profile ends at segments_6, as its P4Info says")
def test_sixteen_containers_are_the_longest_list(node: Bench) -> None:
    containers = [f"fcbb:bbbb:{n:x}00:1::" for n in range(1, 17)]
    node.steer(POLICY, "h_encaps_red", (1, containers))
    check_entering(node, lambda inner: routed(containers[0], 15, reverse(containers[1:]), inner, hop_limit=63))


@pytest.mark.differs("vpp", "VPP writes no SRH for a single segment, as RFC 8754, 4.1 allows", "1")
@pytest.mark.parametrize("count", range(1, 7))
def test_h_encaps_keeps_the_first_container_in_the_srh(node: Bench, count: int) -> None:
    node.steer(POLICY, "h_encaps", (1, C[:count]))
    check_entering(node, lambda inner: routed(C[0], count - 1, reverse(C[:count]), inner, hop_limit=63))


@pytest.mark.parametrize(("action", "listed"), [("h_encaps_red", 5), ("h_encaps", 6)])
def test_ipv4_is_encapsulated_as_protocol_4(node: Bench, action: str, listed: int) -> None:
    """RFC 8986, 5.1: the headend chooses hop limit and flow label."""
    node.steer("10.2.0.0/24", action, (1, C))
    built = entering(lambda inner: routed(C[0], 5, reverse(C)[:listed], inner, hop_limit=63), v4())
    node.check(1, v4(), 2, *built, any_label=True)


def test_ipv4_in_one_container_needs_no_srh(node: Bench) -> None:
    """RFC 8986, 5.2."""
    node.steer("10.2.0.0/24", node.encaps, (1, C[:1]))
    built = entering(lambda inner: outer(C[0], inner, hop_limit=63), v4())
    node.check(1, v4(), 2, *built, any_label=True)


def test_what_is_not_steered_is_routed(node: Bench) -> None:
    node.steer("2001:db8:2:1::/64", node.encaps, (1, C[:1]))
    node.check(1, v6(), 2, v6(hop_limit=63))


def test_the_longest_prefix_decides_which_policy(node: Bench) -> None:
    node.steer(POLICY, node.encaps, (1, C[:1]), sid_list=1)
    node.steer(H2 + "/128", node.encaps, (1, C[1:2]), sid_list=2)
    check_entering(node, lambda inner: outer(C[1], inner, hop_limit=63))
    check_entering(node, lambda inner: outer(C[0], inner, hop_limit=63), v6(destination="2001:db8:2::3"))


def test_changing_the_list_changes_the_packets(node: Bench) -> None:
    node.steer(POLICY, node.encaps, (1, C[:1]))
    node.modify("sid_list", {"id": 1}, [segments(C[4:5])])
    check_entering(node, lambda inner: outer(C[4], inner, hop_limit=63))


def test_changing_the_source_changes_the_packets(node: Bench) -> None:
    node.encap_source("fcff:9::1")
    node.steer(POLICY, node.encaps, (1, C[:1]))
    check_entering(node, lambda inner: outer(C[0], inner, source="fcff:9::1", hop_limit=63))


@pytest.mark.differs("linux", INNER_STAYS)
def test_inner_hop_limit_is_lowered_at_the_headend(node: Bench) -> None:
    """RFC 8986, 5.1: "decremented as described in RFC 2473"."""
    node.steer(POLICY, node.encaps, (1, C[:1]))
    node.check(1, v6(), 2, outer(C[0], v6(hop_limit=63), hop_limit=63))


@pytest.mark.differs("linux", INNER_STAYS)
def test_inner_ttl_is_lowered_at_the_headend(node: Bench) -> None:
    """RFC 8986, 5.1, for IPv4: with its checksum."""
    node.steer("10.2.0.0/24", node.encaps, (1, C[:1]))
    node.check(1, v4(), 2, outer(C[0], v4(ttl=63), hop_limit=63), any_label=True)


@pytest.mark.differs("vpp", "VPP begins outer headers with 64, whatever is inside", "2", "63", "255")
@pytest.mark.parametrize("hop_limit", [2, 63, 64, 255])
def test_the_outer_hop_limit_is_that_of_the_ipv6_packet_inside(node: Bench, hop_limit: int) -> None:
    """RFC 8986, 5.1, S03: the headend's choice. How long a path may be depends on it (docs/reference/policies.md)."""
    node.steer(POLICY, node.encaps, (1, C[:1]))
    inner = v6(hop_limit=hop_limit)
    check_entering(node, lambda inside: outer(C[0], inside, hop_limit=hop_limit - 1), inner)


@pytest.mark.parametrize("ttl", [2, 63, 255])
def test_the_outer_hop_limit_around_ipv4_is_64_whatever_is_inside(node: Bench, ttl: int) -> None:
    """RFC 8986, 5.1, S03: the headend's choice, here less the hop that it takes itself."""
    node.steer("10.2.0.0/24", node.encaps, (1, C[:1]))
    built = entering(lambda inside: outer(C[0], inside, hop_limit=63), v4(ttl=ttl))
    node.check(1, v4(ttl=ttl), 2, *built, any_label=True)


@pytest.fixture
def ending(node: Bench) -> Bench:
    """A node at which a packet ends a policy and enters the next one: a part of a possible forwarding loop."""
    node.my_sid("fcbb:bbbb:9:f00d::/64", "udt6", vrf=0)
    node.steer(POLICY, node.encaps, (1, C[:1]))
    return node


@pytest.mark.differs("linux", INNER_STAYS)
@pytest.mark.parametrize("hop_limit", [64, 2])
def test_entering_another_policy_costs_the_inner_packet_a_hop(ending: Bench, hop_limit: int) -> None:
    """RFC 8986, 5.1, S05: so that a circle of policies ends, although outer headers are new in each."""
    inner = v6(hop_limit=hop_limit - 1)
    accepted = [outer(C[0], inner, hop_limit=outside) for outside in (hop_limit - 1, 63)]
    ending.check(1, outer("fcbb:bbbb:9:f00d::", v6(hop_limit=hop_limit)), 2, *accepted)


@pytest.mark.differs("vpp", "VPP encapsulates what has used up its hop limit: 0 becomes 255", "0", "1")
@pytest.mark.parametrize("hop_limit", [0, 1])
def test_a_circle_of_policies_ends_with_the_inner_hop_limit(ending: Bench, hop_limit: int) -> None:
    """RFC 8200, 3; on Linux, where the inner hop limit stays, by the one that the outer header takes from it."""
    ending.check_not_forwarded(1, outer("fcbb:bbbb:9:f00d::", v6(hop_limit=hop_limit)))


@pytest.mark.differs("vpp", "VPP encapsulates what has used up its hop limit")
def test_the_last_hop_does_not_enter_a_policy(node: Bench) -> None:
    """RFC 8200, 3."""
    node.steer(POLICY, node.encaps, (1, C[:1]))
    node.check_not_forwarded(1, v6(hop_limit=1))


def test_a_headend_without_that_list_drops(node: Bench) -> None:
    """A steering entry may only name a list that is there: refused, or nothing is sent."""
    with contextlib.suppress(WriteError):
        node.insert("steering_v6", {"vrf": 0, "dst": POLICY}, Action(node.encaps, {"sid_list": 99}))
        assert node.send(1, v6()) == []


def test_the_traffic_class_of_ipv6_is_carried_outside(node: Bench) -> None:
    """RFC 2473, 6.4; RFC 6040, 4.1: DSCP and ECN."""
    node.steer(POLICY, node.encaps, (1, C[:1]))
    marked = v6()
    marked[IPv6].tc = 0xBA

    def build(inner: Packet) -> Packet:
        packet = outer(C[0], inner, hop_limit=63)
        packet[IPv6].tc = 0xBA
        return packet

    check_entering(node, build, marked)


@pytest.mark.differs("linux", "seg6_iptunnel sets the traffic class around IPv4 to 0")
def test_the_traffic_class_of_ipv4_is_carried_outside(node: Bench) -> None:
    """RFC 6040, 4.1."""
    node.steer("10.2.0.0/24", node.encaps, (1, C[:1]))
    marked = v4()
    marked.tos = 0xBA
    got = node.send(1, marked, at_least=1)
    assert [IPv6(frame.data[14:]).tc for frame in got] == [0xBA]


@pytest.mark.differs(
    "linux", "the flow label of IPv6 without one, and of IPv4, is 0 while net.ipv6.seg6_flowlabel is 0"
)
@pytest.mark.parametrize("family", [4, 6])
def test_flows_without_a_label_get_one_each(node: Bench, family: int) -> None:
    """RFC 6438, 3: a hash of the five-tuple, the same for each packet of a flow."""
    node.steer("10.2.0.0/24", node.encaps, (1, C[:1]), sid_list=4)
    node.steer(POLICY, node.encaps, (1, C[:1]), sid_list=6)
    labels = []
    for port in (2001, 2002, 2003, 2001, 2002, 2003):
        flow = v6(port=port) if family == 6 else v4(port=port)
        if family == 6:
            flow[IPv6].fl = 0
        (frame,) = node.send(1, flow, at_least=1)
        labels.append(IPv6(frame.data[14:]).fl)
    assert labels[:3] == labels[3:]
    assert len(set(labels)) == 3
    assert 0 not in labels


@pytest.mark.differs("vpp", NO_OPTIONS)
@pytest.mark.parametrize("options", [b"\x01" * 4, b"\x94\x04\x00\x00" + b"\x01" * 36], ids=["4 bytes", "40 bytes"])
def test_ipv4_options_are_carried_inside(node: Bench, options: bytes) -> None:
    """RFC 8986, 5.1: the packet is encapsulated as it is."""
    node.steer("10.2.0.0/24", node.encaps, (1, C[:1]))
    sent = with_options(v4(), options)
    built = entering(lambda inner: outer(C[0], inner, hop_limit=63), sent)
    node.check(1, sent, 2, *built, any_label=True)


def test_the_first_segment_may_be_the_headends_own(node: Bench) -> None:
    """RFC 8986, 5.1: the packet is looked up anew; here the policy starts with a link of the headend."""
    node.my_sid("fcbb:bbbb:100:e003::/64", "ua", block_length=32, csid_length=32, next_hop=3)
    node.steer(POLICY, node.encaps, (1, ["fcbb:bbbb:100:e003:200:f00d::"]))
    node.check(1, v6(), 3, *entering(lambda inner: outer("fcbb:bbbb:200:f00d::", inner, hop_limit=63), v6()))


def test_what_travels_is_not_steered_again(node: Bench) -> None:
    """A policy's own packets would otherwise enter it for ever."""
    node.steer("fcbb:bbbb:200::/48", node.encaps, (1, ["fcbb:bbbb:300:f00d::"]), sid_list=2)
    node.steer(POLICY, node.encaps, (1, ["fcbb:bbbb:400:f00d::"]))
    check_entering(node, lambda inner: outer("fcbb:bbbb:400:f00d::", inner, hop_limit=63))


@pytest.mark.differs("bmv2", "steering stands before routing: two tables of a switch do not compare prefix lengths")
def test_a_longer_route_wins_over_steering(node: Bench) -> None:
    """The contract: the longest prefix of steering and routes."""
    node.steer(POLICY, node.encaps, (1, C[:1]))
    node.route("route_v6", H2 + "/128", 3)
    node.check(1, v6(), 3, v6(hop_limit=63))


def test_weights_share_the_flows(node: Bench) -> None:
    """400 flows at 3 to 1: the bounds are five standard deviations around 300."""
    node.steer(POLICY, node.encaps, (3, C[:1]), (1, C[1:2]))
    flows = [v6(source=f"2001:db8:1::{n:x}", port=2000 + n) for n in range(400)]
    got = node.send(1, *flows, at_least=len(flows))
    assert len(got) == 400
    first = sum(IPv6(frame.data[14:]).dst == C[0] for frame in got)
    assert 256 <= first <= 344


@contextlib.contextmanager
def one_processor() -> Iterator[None]:
    """Packets sent from one processor: Linux caches the outer route per processor, and so always shows it."""
    allowed = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(allowed)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, allowed)


@pytest.mark.differs("linux", "seg6_iptunnel caches the route of the outer packet per segment list and processor")
def test_lists_and_next_hops_are_chosen_apart(node: Bench) -> None:
    """400 flows over two lists over two next hops: four ways with 100 each, five standard deviations around it."""
    node.steer(POLICY, node.encaps, (1, C[:1]), (1, C[1:2]))
    for container in C[:2]:
        node.route("route_v6", container + "/128", 2, 3)
    flows = [v6(source=f"2001:db8:1::{n:x}", port=2000 + n) for n in range(400)]
    with one_processor():
        got = node.send(1, *flows, at_least=len(flows))
    ways = Counter((frame.port, IPv6(frame.data[14:]).dst) for frame in got)
    assert len(ways) == 4
    assert all(57 <= count <= 143 for count in ways.values()), ways


def test_a_flow_stays_in_one_list(node: Bench) -> None:
    node.steer(POLICY, node.encaps, (1, C[:1]), (1, C[1:2]))
    got = node.send(1, *[v6() for _ in range(20)], at_least=20)
    assert len({IPv6(frame.data[14:]).dst for frame in got}) == 1


def test_b6_encaps_red_pushes_another_header(node: Bench) -> None:
    """RFC 8986, 4.14: the next segment becomes active, then the policy's header goes on top."""
    node.sid_list(7, (1, C[:2]))
    node.my_sid("fcbb:bbbb:1:b::/64", "b6_encaps_red", sid_list=7)
    srh = ["fcbb:bbbb:9::", "fcbb:bbbb:1:b::"]
    inner = routed("fcbb:bbbb:9::", 0, srh, v6(), source=H1)
    sent = routed("fcbb:bbbb:1:b::", 1, srh, v6(), source=H1)
    node.check(1, sent, 2, *entering(lambda packet: routed(C[0], 1, [C[1]], packet, hop_limit=63), inner))


def test_b6_encaps_red_without_a_segment_left_drops(node: Bench) -> None:
    """RFC 8986, 4.14, S02."""
    node.sid_list(7, (1, C[:2]))
    node.my_sid("fcbb:bbbb:1:b::/64", "b6_encaps_red", sid_list=7)
    node.check_not_forwarded(1, routed("fcbb:bbbb:1:b::", 0, ["fcbb:bbbb:1:b::"], v6()))
    node.check_not_forwarded(1, outer("fcbb:bbbb:1:b::", v6()))


def test_ipv4_steering_leaves_other_prefixes_alone(node: Bench) -> None:
    node.steer("10.2.1.0/24", node.encaps, (1, C[:1]))
    node.check(1, v4(destination=H2_V4), 2, v4(ttl=63))


@pytest.mark.parametrize(("prefix", "steered"), [(POLICY, v6()), ("10.2.0.0/24", v4())])
def test_steering_that_drops_drops_what_it_matches_and_nothing_else(node: Bench, prefix: str, steered: Packet) -> None:
    """RFC 9256, 8.2: a policy without a valid path drops, whatever routes there are to the prefix."""
    table = "steering_v6" if ":" in prefix else "steering_v4"
    node.insert(table, {"vrf": 0, "dst": prefix}, Action("drop_steered", {}))
    node.check_not_forwarded(1, steered)
    other = v4() if ":" in prefix else v6()
    node.check(1, other, 2, v4(ttl=63) if ":" in prefix else v6(hop_limit=63))


def test_a_policy_that_drops_takes_its_row_of_steering_and_gives_it_back(node: Bench) -> None:
    match: dict[str, str | int] = {"vrf": 0, "dst": POLICY}
    node.steer(POLICY, node.encaps, (1, C[:1]))
    node.modify("steering_v6", match, Action("drop_steered", {}))
    node.check_not_forwarded(1, v6())
    assert [entry.action for entry in node.client.read("steering_v6")] == [
        node.client.entry("steering_v6", match, Action("drop_steered", {})).action
    ]
    node.modify("steering_v6", match, Action(node.encaps, {"sid_list": 1}))
    check_entering(node, lambda inner: outer(C[0], inner, hop_limit=63))
