# SPDX-License-Identifier: Apache-2.0
"""End.T: the next segment is looked up in a table of its own (RFC 8986, 4.3)."""

from nodes.bench import Bench
from nodes.packets import outer, routed, v6

SID = "fcbb:bbbb:1:e::"
NEXT = "fcbb:bbbb:9::"


def test_end_t_asks_its_table_and_not_the_main_one(node: Bench) -> None:
    node.route("route_v6", "fcbb:bbbb::/32", 3, vrf=7)
    node.my_sid(SID + "/128", "end_t", vrf=7)
    node.check(1, routed(SID, 1, [NEXT, SID], v6()), 3, routed(NEXT, 0, [NEXT, SID], v6(), hop_limit=63))


def test_end_t_has_no_way_that_its_table_has_not(node: Bench) -> None:
    node.route("route_v6", "2001:db8:7::/48", 3, vrf=7)
    node.my_sid(SID + "/128", "end_t", vrf=7)
    node.check_not_forwarded(1, routed(SID, 1, [NEXT, SID], v6()))


def test_end_t_does_not_end_a_program(node: Bench) -> None:
    node.route("route_v6", "::/0", 3, vrf=7)
    node.my_sid(SID + "/128", "end_t", vrf=7)
    node.check_not_forwarded(1, routed(SID, 0, [SID], v6()))
    node.check_not_forwarded(1, outer(SID, v6()))
