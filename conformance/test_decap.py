# SPDX-License-Identifier: Apache-2.0
"""Decapsulation: uDT6, uDT4, uDX6, uDX4 (RFC 8986, 4.4 to 4.7) at the paper's markers and as full SIDs."""

from functools import partial

import pytest
from nodes.bench import Bench
from nodes.packets import outer, routed, v4, v6, with_options
from scapy.layers.inet import IP

F00D = "fcbb:bbbb:100:f00d::"
F004 = "fcbb:bbbb:100:f004::"


def test_f00d_decapsulates_ipv6_and_routes_it(node: Bench) -> None:
    node.my_sid(F00D + "/64", "udt6", vrf=0)
    node.check(1, outer(F00D, v6()), 2, v6(hop_limit=63))


def test_f00d_decapsulates_behind_an_srh_that_is_used_up(node: Bench) -> None:
    """The packet at l3 in the paper: one entry, Segments Left 0."""
    node.my_sid(F00D + "/64", "udt6", vrf=0)
    node.check(1, routed(F00D, 0, [F00D], v6()), 2, v6(hop_limit=63))


def test_decapsulation_with_segments_left_is_refused(node: Bench) -> None:
    """RFC 8986, 4.6, S02."""
    node.my_sid(F00D + "/64", "udt6", vrf=0)
    node.check_not_forwarded(1, routed(F00D, 1, ["fcbb:bbbb:300::", F00D], v6()))


def test_udt6_does_not_take_ipv4(node: Bench) -> None:
    """RFC 8986, 4.6: the upper layer must be 41."""
    node.my_sid(F00D + "/64", "udt6", vrf=0)
    node.check_not_forwarded(1, outer(F00D, v4()))


def test_v4_marker_decapsulates_ipv4_and_routes_it(node: Bench) -> None:
    node.my_sid(F004 + "/64", "udt4", vrf=0)
    node.check(1, outer(F004, v4()), 2, v4(ttl=63))


def test_v4_marker_does_not_take_ipv6(node: Bench) -> None:
    node.my_sid(F004 + "/64", "udt4", vrf=0)
    node.check_not_forwarded(1, outer(F004, v6()))


def test_both_markers_stand_beside_each_other(node: Bench) -> None:
    node.my_sid("fcbb:bbbb:100::/48", "un", block_length=32, csid_length=16)
    node.my_sid(F00D + "/64", "udt6", vrf=0)
    node.my_sid(F004 + "/64", "udt4", vrf=0)
    node.check(1, outer(F00D, v6()), 2, v6(hop_limit=63))
    node.check(1, outer(F004, v4()), 2, v4(ttl=63))


def test_numbering_decapsulates_at_the_nodes_odd_usid(node: Bench) -> None:
    """The paper's /44 numbering: 0x0101 is node 0x0100 with "decapsulate" (uSID paper, V-A)."""
    node.my_sid("fcbb:bbbb:100::/48", "un", block_length=32, csid_length=16)
    node.my_sid("fcbb:bbbb:101::/48", "udt6", vrf=0)
    node.check(1, outer("fcbb:bbbb:101::", v6()), 2, v6(hop_limit=63))


def test_inner_packets_to_nowhere_are_not_forwarded(node: Bench) -> None:
    node.my_sid(F00D + "/64", "udt6", vrf=0)
    node.check_not_forwarded(1, outer(F00D, v6(destination="2001:dead::1")))


def test_udx6_leaves_through_its_adjacency_whatever_the_routes_say(node: Bench) -> None:
    node.my_sid("fcbb:bbbb:100:d006::/64", "udx6", next_hop=3)
    node.check(1, outer("fcbb:bbbb:100:d006::", v6()), 3, v6(hop_limit=63))


def test_udx4_leaves_through_its_adjacency_whatever_the_routes_say(node: Bench) -> None:
    node.my_sid("fcbb:bbbb:100:d004::/64", "udx4", next_hop=3)
    node.check(1, outer("fcbb:bbbb:100:d004::", v4()), 3, v4(ttl=63))


def test_the_outer_hop_limit_does_not_matter_at_the_end(node: Bench) -> None:
    """RFC 8986, 4.6: the outer header is removed, not forwarded; the inner one pays the hop."""
    node.my_sid(F00D + "/64", "udt6", vrf=0)
    node.check(1, outer(F00D, v6(hop_limit=9), hop_limit=1), 2, v6(hop_limit=8))


@pytest.mark.parametrize("last", [0, 1])
def test_an_inner_packet_on_its_last_hop_is_not_forwarded(node: Bench, last: int) -> None:
    """RFC 8200, 3; RFC 1812, 5.3.1."""
    node.my_sid(F00D + "/64", "udt6", vrf=0)
    node.my_sid(F004 + "/64", "udt4", vrf=0)
    node.check_not_forwarded(1, outer(F00D, v6(hop_limit=last)))
    node.check_not_forwarded(1, outer(F004, v4(ttl=last)))


@pytest.mark.differs("linux", "its P4Info has no udt46: End.DT46 needs VRF devices in strict mode")
def test_udt46_takes_both_families(node: Bench) -> None:
    """RFC 8986, 4.8."""
    node.my_sid(F00D + "/64", "udt46", vrf=0)
    node.check(1, outer(F00D, v6()), 2, v6(hop_limit=63))
    node.check(1, outer(F00D, v4()), 2, v4(ttl=63))
    node.check(1, routed(F00D, 0, [F00D], v4()), 2, v4(ttl=63))
    node.check_not_forwarded(1, routed(F00D, 1, ["fcbb:bbbb:300::", F00D], v4()))


@pytest.mark.parametrize("vrf", [1, 700])
def test_udt6_looks_into_its_own_vrf_only(node: Bench, vrf: int) -> None:
    """RFC 8986, 4.6: FIB table T."""
    node.my_sid(F00D + "/64", "udt6", vrf=vrf)
    node.route("route_v6", "2001:db8:2::/64", 3, vrf=vrf)
    node.check(1, outer(F00D, v6()), 3, v6(hop_limit=63))
    node.check_not_forwarded(1, outer(F00D, v6(destination="2001:db8:2:1::1")))


def test_decapsulation_leads_into_a_policy(node: Bench) -> None:
    """The inner packet is looked up as any other: here it enters the next policy."""
    node.my_sid(F00D + "/64", "udt6", vrf=0)
    node.steer("2001:db8:2::/64", node.encaps, (1, ["fcbb:bbbb:200:f00d::"]))
    build = partial(outer, "fcbb:bbbb:200:f00d::", hop_limit=63)
    node.check(1, outer(F00D, v6()), 2, build(v6(hop_limit=63)), build(v6()))


def test_decapsulation_leads_to_another_sid_of_this_node(node: Bench) -> None:
    """A policy within a policy (RFC 8986, 4.14) whose outer and inner programs meet at one node."""
    node.my_sid("fcbb:bbbb:100::/48", "un", block_length=32, csid_length=16)
    node.my_sid(F00D + "/64", "udt6", vrf=0)
    inner = outer("fcbb:bbbb:100:200:f00d::", v6())
    node.check(1, outer(F00D, inner), 2, outer("fcbb:bbbb:200:f00d::", v6(), hop_limit=63))


def test_two_policies_may_end_at_one_node(node: Bench) -> None:
    """Decapsulation of a decapsulated packet."""
    node.my_sid(F00D + "/64", "udt6", vrf=0)
    node.my_sid(F004 + "/64", "udt4", vrf=0)
    node.check(1, outer(F00D, outer(F00D, v6())), 2, v6(hop_limit=63))
    node.check(1, outer(F00D, outer(F004, v4())), 2, v4(ttl=63))


def test_udx_needs_the_right_family_and_no_segment_left(node: Bench) -> None:
    """RFC 8986, 4.4 and 4.5, S02 and upper-layer processing."""
    six, four = "fcbb:bbbb:100:d006::", "fcbb:bbbb:100:d004::"
    node.my_sid(six + "/64", "udx6", next_hop=3)
    node.my_sid(four + "/64", "udx4", next_hop=3)
    node.check_not_forwarded(1, outer(six, v4()))
    node.check_not_forwarded(1, outer(four, v6()))
    node.check_not_forwarded(1, routed(six, 1, ["fcbb:bbbb:300::", six], v6()))
    node.check(1, routed(six, 0, [six], v6()), 3, v6(hop_limit=63))
    node.check(1, routed(four, 0, [four], v4()), 3, v4(ttl=63))


def test_ipv4_options_come_out_of_the_tunnel(node: Bench) -> None:
    node.my_sid(F004 + "/64", "udt4", vrf=0)
    options = b"\x01" * 8
    node.check(1, outer(F004, with_options(v4(), options)), 2, with_options(v4(ttl=63), options))


def test_a_wrong_inner_checksum_is_never_made_right(node: Bench) -> None:
    """RFC 1624: updated by the difference, or the packet is dropped (RFC 1812, 5.2.2)."""
    node.my_sid(F004 + "/64", "udt4", vrf=0)
    wrong = v4()
    wrong.chksum = 0x1234
    for frame in node.send(1, outer(F004, wrong)):
        assert IP(frame.data[14:]).chksum == 0x1234 + 0x100
