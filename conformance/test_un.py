# SPDX-License-Identifier: Apache-2.0
"""uN: End with NEXT-CSID (RFC 9800, 4.1.1) in F3216, for node uSID 0x0100 of block fcbb:bbbb::/32."""

import pytest
from nodes.bench import LAST_ENTRY, NO_ADDRESS, NO_ICMP, Bench
from nodes.packets import H1, outer, routed, v4, v6
from scapy.layers.inet6 import ICMPv6EchoRequest, ICMPv6TimeExceeded, IPv6


@pytest.fixture
def un(node: Bench) -> Bench:
    node.my_sid("fcbb:bbbb:100::/48", "un", block_length=32, csid_length=16)
    return node


def test_shifts_the_container_by_one_usid_without_an_srh(un: Bench) -> None:
    un.check(
        1,
        outer("fcbb:bbbb:100:200:300:f00d::", v6()),
        2,
        outer("fcbb:bbbb:200:300:f00d::", v6(), hop_limit=63),
    )


def test_shifts_a_full_container_and_fills_with_zero(un: Bench) -> None:
    un.check(1, outer("fcbb:bbbb:100:200:300:400:500:600", v6()), 2,
             outer("fcbb:bbbb:200:300:400:500:600:0", v6(), hop_limit=63))  # fmt: skip


def test_shifts_for_ipv4_inside(un: Bench) -> None:
    un.check(
        1,
        outer("fcbb:bbbb:100:200:f004::", v4()),
        2,
        outer("fcbb:bbbb:200:f004::", v4(), hop_limit=63),
    )


def test_shift_leaves_the_srh_alone(un: Bench) -> None:
    """The paper's l1 to l3, seen by l2 as node 0x0100 would see it (uSID paper, V-A)."""
    srh = ["fcbb:bbbb:300:f00d::"]
    un.check(1, routed("fcbb:bbbb:100:700:600:500:400:0", 1, srh, v6()), 2,
             routed("fcbb:bbbb:700:600:500:400::", 1, srh, v6(), hop_limit=63))  # fmt: skip


def test_empty_container_continues_with_the_next_segment(un: Bench) -> None:
    """Reduced SRH: Segments Left is Last Entry + 1 (RFC 8754, 4.1.1)."""
    srh = ["fcbb:bbbb:300:f00d::"]
    un.check(1, routed("fcbb:bbbb:100::", 1, srh, v6()), 2,
             routed("fcbb:bbbb:300:f00d::", 0, srh, v6(), hop_limit=63))  # fmt: skip


def test_empty_container_takes_segments_from_the_end_of_the_list(un: Bench) -> None:
    srh = ["fcbb:bbbb:300:f00d::", "fcbb:bbbb:200:700::", "fcbb:bbbb:100::"]
    un.check(1, routed("fcbb:bbbb:100::", 2, srh, v6()), 2,
             routed("fcbb:bbbb:200:700::", 1, srh, v6(), hop_limit=63))  # fmt: skip


def test_segments_left_beyond_last_entry_plus_one_is_not_followed(un: Bench) -> None:
    """RFC 8986, 4.1, S10: discarded; an ICMP Parameter Problem may be sent."""
    srh = ["fcbb:bbbb:300:f00d::", "fcbb:bbbb:200::"]
    un.check_not_forwarded(1, routed("fcbb:bbbb:100::", 3, srh, v6()))


def test_srh_longer_than_the_packet_is_dropped(un: Bench) -> None:
    un.check_not_forwarded(1, routed("fcbb:bbbb:100::", 1, ["fcbb:bbbb:300:f00d::"], v6(), length=200))


@pytest.mark.differs("vpp", LAST_ENTRY)
def test_last_entry_beyond_the_header_length_is_dropped(un: Bench) -> None:
    """RFC 8754, 2: Last Entry indexes into the list that Hdr Ext Len holds."""
    un.check_not_forwarded(1, routed("fcbb:bbbb:100::", 1, ["fcbb:bbbb:300:f00d::"], v6(), last_entry=5))


def test_last_usid_without_a_segment_left_is_not_forwarded(un: Bench) -> None:
    """RFC 8986, 4.1.1: the upper layer is processed at the node, which does not decapsulate with uN."""
    un.check_not_forwarded(1, outer("fcbb:bbbb:100::", v6()))


@pytest.mark.differs("vpp", NO_ADDRESS)
@pytest.mark.differs("bmv2", NO_ICMP)
def test_hop_limit_one_expires_with_time_exceeded(un: Bench) -> None:
    got = un.send(1, outer("fcbb:bbbb:100:200::", v6(), source=H1, hop_limit=1))
    assert [frame.port for frame in got] == [1]
    answer = IPv6(got[0].data[14:])
    assert ICMPv6TimeExceeded in answer
    assert (answer.dst, answer[ICMPv6TimeExceeded].code) == (H1, 0)


def test_longer_prefixes_win_over_un(un: Bench) -> None:
    """The decapsulation marker is a /64 under the node's /48 (uSID paper, V-A)."""
    un.my_sid("fcbb:bbbb:100:f00d::/64", "udt6", vrf=0)
    un.check(1, outer("fcbb:bbbb:100:f00d::", v6()), 2, v6(hop_limit=63))


def test_other_nodes_containers_are_only_routed(un: Bench) -> None:
    un.check(
        1,
        outer("fcbb:bbbb:200:100::", v6()),
        2,
        outer("fcbb:bbbb:200:100::", v6(), hop_limit=63),
    )


@pytest.mark.parametrize(
    ("sid", "block", "csid", "arriving", "leaving"),
    [
        (
            "fcbb:bbbb:1:100::/64",
            48,
            16,
            "fcbb:bbbb:1:100:200:300::",
            "fcbb:bbbb:1:200:300::",
        ),
        (
            "fcbb:bbbb:100:1::/64",
            32,
            32,
            "fcbb:bbbb:100:1:200:2:300:3",
            "fcbb:bbbb:200:2:300:3::",
        ),
        (
            "fcbb:bbbb:1:100:1::/80",
            48,
            32,
            "fcbb:bbbb:1:100:1:200:2:0",
            "fcbb:bbbb:1:200:2::",
        ),
    ],
    ids=["F4816", "32 of 32", "48 and 32"],
)
def test_shifts_in_other_formats(node: Bench, sid: str, block: int, csid: int, arriving: str, leaving: str) -> None:
    node.my_sid(sid, "un", block_length=block, csid_length=csid)
    node.check(1, outer(arriving, v6()), 2, outer(leaving, v6(), hop_limit=63))


@pytest.mark.parametrize(
    ("arriving", "leaving"),
    [
        ("fcbb:bbbb:100:0:300::", "fcbb:bbbb:0:300::"),
        ("fcbb:bbbb:100:0:0:0:0:1", "fcbb:bbbb:0:0:0:0:1:0"),
        ("fcbb:bbbb:100:ffff:ffff:ffff:ffff:ffff", "fcbb:bbbb:ffff:ffff:ffff:ffff:ffff:0"),
    ],
    ids=["a gap", "the last bit", "all ones"],
)
def test_the_whole_argument_is_tested(un: Bench, arriving: str, leaving: str) -> None:
    """RFC 9800, 4.1.1, N01: "if DA.Argument != 0", all 80 bits of it and not the next uSID; even with an SRH."""
    un.check(1, outer(arriving, v6()), 2, outer(leaving, v6(), hop_limit=63))
    srh = ["fcbb:bbbb:300:f00d::"]
    un.check(1, routed(arriving, 1, srh, v6()), 2, routed(leaving, 1, srh, v6(), hop_limit=63))


def test_a_shift_keeps_length_and_next_header(un: Bench) -> None:
    """A prototype's fault: it removed an SRH that was not there (p4-srv6-usid)."""
    for inner in (v6(), v4()):
        un.check(1, outer("fcbb:bbbb:100:200::", inner), 2, outer("fcbb:bbbb:200::", inner, hop_limit=63))


def test_an_srh_that_is_used_up_is_not_followed(un: Bench) -> None:
    """RFC 8986, 4.1, S02: Segments Left 0; a prototype counted on to 255."""
    un.check_not_forwarded(1, routed("fcbb:bbbb:100::", 0, ["fcbb:bbbb:100::"], v6()))


@pytest.mark.parametrize("hop_limit", [0, 1])
def test_the_last_hop_does_not_shift(un: Bench, hop_limit: int) -> None:
    """RFC 9800, 4.1.1, N02."""
    un.check_not_forwarded(1, outer("fcbb:bbbb:100:200::", v6(), hop_limit=hop_limit))
    un.check_not_forwarded(1, routed("fcbb:bbbb:100::", 1, ["fcbb:bbbb:300::"], v6(), hop_limit=hop_limit))


@pytest.mark.differs("vpp", "VPP shifts whatever the hop limit is; only forwarding looks at it")
@pytest.mark.differs("linux", "seg6local shifts whatever the hop limit is; only forwarding looks at it")
def test_the_last_hop_does_not_shift_to_a_sid_of_the_same_node(un: Bench) -> None:
    """RFC 9800, 4.1.1, N02, before the new destination is looked up."""
    un.my_sid("fcbb:bbbb:f00d::/48", "udt6", vrf=0)
    un.check_not_forwarded(1, outer("fcbb:bbbb:100:f00d::", v6(), hop_limit=1))


def test_two_usids_of_the_same_node_cost_one_hop(un: Bench) -> None:
    """RFC 9800, 4.1.1, N07: the new destination is looked up, and it is this node's again; the node is passed once."""
    un.check(1, outer("fcbb:bbbb:100:100:100:200::", v6()), 2, outer("fcbb:bbbb:200::", v6(), hop_limit=63))


def test_an_empty_container_may_lead_to_this_node_again(un: Bench) -> None:
    srh = ["fcbb:bbbb:300:f00d::", "fcbb:bbbb:100:200::"]
    un.check(1, routed("fcbb:bbbb:100::", 2, srh, v6()), 2,
             routed("fcbb:bbbb:200::", 1, srh, v6(), hop_limit=63))  # fmt: skip


def test_a_local_usid_in_an_entry_of_its_own_follows(un: Bench) -> None:
    """RFC 9800, 4.1.2: uA from the LIB, behind the node's uN."""
    un.my_sid("fcbb:bbbb:e003::/48", "ua", block_length=32, csid_length=16, next_hop=3)
    un.check(1, outer("fcbb:bbbb:100:e003:200::", v6()), 3, outer("fcbb:bbbb:200::", v6(), hop_limit=63))


def test_a_decapsulation_marker_in_an_entry_of_its_own_follows(un: Bench) -> None:
    """uDT6 from the LIB (RFC 8986, 4.6), behind the node's uN."""
    un.my_sid("fcbb:bbbb:f00d::/48", "udt6", vrf=0)
    un.check(1, outer("fcbb:bbbb:100:f00d::", v6()), 2, v6(hop_limit=63))


def test_shift_of_an_icmp_packet_without_encapsulation(un: Bench) -> None:
    """A ping to a container: the payload is not looked at (RFC 9800, 9)."""
    ping = IPv6(src=H1, dst="fcbb:bbbb:100:200::", hlim=64) / ICMPv6EchoRequest(id=1, seq=1, cksum=0x1234)
    after = IPv6(src=H1, dst="fcbb:bbbb:200::", hlim=63) / ICMPv6EchoRequest(id=1, seq=1, cksum=0x1234)
    un.check(1, ping, 2, after)
