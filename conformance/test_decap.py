# SPDX-License-Identifier: Apache-2.0
"""Decapsulation: uDT6, uDT4, uDX6, uDX4 (RFC 8986, 4.4 to 4.7) at the paper's markers and as full SIDs."""

from nodes.bench import Bench
from nodes.packets import outer, routed, v4, v6

F00D = "fcbb:bbbb:100:f00d::"
F004 = "fcbb:bbbb:100:f004::"


def test_f00d_decapsulates_ipv6_and_routes_it(node: Bench) -> None:
    node.my_sid(F00D + "/64", "udt6", vrf=0)
    node.check(1, outer(F00D, v6()), 2, v6(hop_limit=63))


def test_f00d_decapsulates_behind_an_srh_that_is_used_up(node: Bench) -> None:
    """What l3 gets in the paper: one entry, Segments Left 0."""
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
