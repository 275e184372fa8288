# SPDX-License-Identifier: Apache-2.0
"""Full SIDs: End, End with PSP, End.X (RFC 8986, 4.1, 4.2, 4.16.1), and uA in its fused form (RFC 9800, 4.1.2)."""

import pytest
from nodes.bench import NO_ADDRESS, NO_ICMP, Bench
from nodes.packets import H1, outer, routed, v6
from scapy.layers.inet6 import ICMPv6TimeExceeded, IPv6

SID = "fcbb:bbbb:1:e::"
NEXT = "fcbb:bbbb:9::"


def test_end_continues_with_the_next_segment(node: Bench) -> None:
    node.my_sid(SID + "/128", "end")
    node.check(
        1,
        routed(SID, 1, [NEXT, SID], v6()),
        2,
        routed(NEXT, 0, [NEXT, SID], v6(), hop_limit=63),
    )


def test_end_accepts_a_reduced_srh(node: Bench) -> None:
    node.my_sid(SID + "/128", "end")
    node.check(1, routed(SID, 1, [NEXT], v6()), 2, routed(NEXT, 0, [NEXT], v6(), hop_limit=63))


def test_end_does_not_pass_on_its_last_segment(node: Bench) -> None:
    node.my_sid(SID + "/128", "end")
    node.check_not_forwarded(1, routed(SID, 0, [SID], v6()))


@pytest.mark.differs("vpp", NO_ADDRESS)
@pytest.mark.differs("bmv2", NO_ICMP)
def test_end_with_hop_limit_one_answers_time_exceeded(node: Bench) -> None:
    node.my_sid(SID + "/128", "end")
    got = node.send(1, routed(SID, 1, [NEXT, SID], v6(), source=H1, hop_limit=1))
    assert [frame.port for frame in got] == [1]
    assert ICMPv6TimeExceeded in IPv6(got[0].data[14:])


def test_psp_removes_the_srh_with_the_penultimate_segment(node: Bench) -> None:
    node.my_sid(SID + "/128", "end_psp")
    node.check(1, routed(SID, 1, [NEXT, SID], v6()), 2, outer(NEXT, v6(), hop_limit=63))


def test_psp_keeps_the_srh_before_that(node: Bench) -> None:
    node.my_sid(SID + "/128", "end_psp")
    srh = ["fcbb:bbbb:8::", NEXT, SID]
    node.check(1, routed(SID, 2, srh, v6()), 2, routed(NEXT, 1, srh, v6(), hop_limit=63))


@pytest.mark.parametrize("next_hop", [2, 3])
def test_end_x_leaves_through_its_adjacency_whatever_the_routes_say(node: Bench, next_hop: int) -> None:
    node.my_sid(SID + "/128", "end_x", next_hop=next_hop)
    node.check(
        1,
        routed(SID, 1, [NEXT, SID], v6()),
        next_hop,
        routed(NEXT, 0, [NEXT, SID], v6(), hop_limit=63),
    )


def test_ua_shifts_two_usids_and_leaves_through_its_adjacency(node: Bench) -> None:
    """uN and uA in one entry: node 0x0100, adjacency 0xe003 from the LIB."""
    node.my_sid("fcbb:bbbb:100:e003::/64", "ua", block_length=32, csid_length=32, next_hop=3)
    node.check(
        1,
        outer("fcbb:bbbb:100:e003:200:f00d::", v6()),
        3,
        outer("fcbb:bbbb:200:f00d::", v6(), hop_limit=63),
    )


def test_ua_of_each_port_is_its_own(node: Bench) -> None:
    for port in (2, 3):
        node.my_sid(
            f"fcbb:bbbb:100:e00{port}::/64",
            "ua",
            block_length=32,
            csid_length=32,
            next_hop=port,
        )
    for port in (2, 3):
        node.check(
            1,
            outer(f"fcbb:bbbb:100:e00{port}:200::", v6()),
            port,
            outer("fcbb:bbbb:200::", v6(), hop_limit=63),
        )


def test_ua_that_ends_a_container_continues_with_the_next_segment(node: Bench) -> None:
    node.my_sid("fcbb:bbbb:100:e003::/64", "ua", block_length=32, csid_length=32, next_hop=3)
    srh = ["fcbb:bbbb:300:f00d::"]
    node.check(1, routed("fcbb:bbbb:100:e003::", 1, srh, v6()), 3,
               routed("fcbb:bbbb:300:f00d::", 0, srh, v6(), hop_limit=63))  # fmt: skip
