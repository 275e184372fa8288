# SPDX-License-Identifier: Apache-2.0
"""Mobile sessions: GTP-U into SRv6 and back (RFC 9433; docs/reference/mobile-node.md).

Which rule a packet takes, and sessions.
"""

from typing import Any

import pytest
from nodes.bench import Bench
from nodes.mobile_kit import (
    DL_PDU,
    DOWNLINK,
    GNB6,
    T_PDU,
    T_PDU_6,
    TEID,
    TRANSLATE,
    UPF,
    UPLINK,
    D,
    address,
    carried,
    gtp,
    hop_less,
    in_srv6,
    ipv4,
    ipv6,
    rule,
    session,
    srh,
    translate,
)
from nodes.p4runtime import Action, Value
from nodes.packets import SOURCE, v4, v6
from scapy.layers.inet import IP
from scapy.layers.inet6 import IPv6
from scapy.packet import Packet, Raw

PLANES = ("sessions",)
pytestmark = pytest.mark.usefixtures("has_mobile_sessions")


# --- which rule


def test_rules_tell_sessions_apart(gateway: Bench) -> None:
    """By class, TEID, QFI, DSCP and addresses; the highest priority wins."""
    lists = {
        name: f"fcbb:bbbb:{300 + number}:f004::"
        for number, name in enumerate(("other", "teid", "qfi", "dscp", "src", "class"))
    }
    matches: list[dict[str, Value]] = [
        {},
        {"teid": "0.0.16.0/20"},
        {"qfi": 5},
        {"dscp": 10},
        {"src": address("192.0.2.128", 25)},
        {"class": 7},
    ]
    for number, (segment, match) in enumerate(zip(lists.values(), matches, strict=True), 1):
        gateway.sid_list(number, (1, [segment]))
        translate(gateway, priority=number, match=match, sid_list=number, args_at=0)
    gateway.insert("gtp_tunnel", {"vrf": 0, "dst": f"::ffff:{UPF}", "teid": 0x1001}, Action("set_class", {"class": 7}))

    def travels(packet: Packet, name: str) -> None:
        gateway.check(
            1, packet, 2, ipv6(T_PDU, SOURCE, lists[name], next_header=4, hops=63, tos=packet.tos), any_label=True
        )

    travels(ipv4(gtp()), "other")
    travels(ipv4(gtp(teid=0x1FFF)), "teid")
    travels(ipv4(gtp(teid=0x2000)), "other")
    travels(ipv4(gtp(teid=0x1FFF, container=bytes.fromhex("01100500"))), "qfi")
    travels(ipv4(gtp(container=bytes.fromhex("01100500")), tos=40), "dscp")
    travels(ipv4(gtp(), source="192.0.2.200", tos=40), "src")
    travels(ipv4(gtp(teid=0x1001), source="192.0.2.200", tos=40), "class")
    travels(ipv4(gtp(teid=0x1002), tos=0), "teid")
    (tunnel,) = gateway.client.read("gtp_tunnel", counters=True)
    assert tunnel.counter_data.packet_count == 1
    counts = {row.priority: row.counter_data.packet_count for row in gateway.client.read("gtp_rule", counters=True)}
    assert counts == {1: 2, 2: 2, 3: 1, 4: 1, 5: 1, 6: 1}


def test_rules_look_inside(gateway: Bench) -> None:
    """IPv4 and IPv6 of one tunnel travel different lists, and so does the prefix of a UE."""
    inside: dict[int, dict[str, Value]] = {
        1: {},
        2: {"inner_src": address("0.0.0.0", 0)},
        3: {"inner_src": address("10.60.0.0", 24), "inner_dst": address("198.18.0.0", 16)},
        4: {"inner_dst": "2001:db8:2::/64"},
    }
    for number, match in inside.items():
        gateway.sid_list(number, (1, [f"fcbb:bbbb:{300 + number}:f004::"]))
        translate(gateway, priority=10 + number, match=match, sid_list=number, args_at=0)
    gateway.sid_list(5, (1, ["fcbb:bbbb:305:f004::"]))
    rule(gateway, 1, "carry", sid_list=5)

    def travels(inner: bytes, number: int, **header: Any) -> None:
        out = ipv6(
            inner, SOURCE, f"fcbb:bbbb:{300 + number}:f004::", next_header=4 if inner[0] >> 4 == 4 else 41, hops=63
        )
        gateway.check(1, ipv4(gtp(inner, **header)), 2, out, any_label=True)

    travels(T_PDU, 3)
    travels(DL_PDU, 2)
    travels(T_PDU_6, 4)
    travels(bytes(IPv6(src="2001:db8:60::1", dst="2001:db8:9::9") / Raw(b"sextant!")), 1)
    # Where none is inside that could be translated, both addresses are ::.
    for packet in (ipv4(gtp(b"\x55" + T_PDU[1:])), ipv4(gtp(kind=254)), ipv4(gtp(), fragment=0x2000)):
        gateway.check(1, packet, 2, carried(packet, "fcbb:bbbb:305:f004::"), any_label=True)
    rule(gateway, 99, "carry", {"inner_src": "::/128"}, sid_list=2)
    echo = ipv4(gtp(b"", kind=1, teid=0, optional=b"\0\1\0\0", flags=0x32))
    gateway.check(1, echo, 2, carried(echo, "fcbb:bbbb:302:f004::"), any_label=True)
    travels(T_PDU, 3)


def test_rules_tell_directions_apart(gateway: Bench) -> None:
    """Two rules that differ in the PDU type alone, and a container of neither is in both."""
    for pdu_type, segment in ((UPLINK, "fcbb:bbbb:306:f004::"), (DOWNLINK, "fcbb:bbbb:307:f004::")):
        gateway.sid_list(1 + pdu_type, (1, [segment]))
        translate(gateway, sid_list=1 + pdu_type, args_at=0, pdu_type=pdu_type, priority=TRANSLATE + pdu_type)
    for container, first in (
        ("01100900", "fcbb:bbbb:306:f004::"),
        ("01000900", "fcbb:bbbb:307:f004::"),
        (None, "fcbb:bbbb:306:f004::"),
    ):
        packet = ipv4(gtp(container=None if container is None else bytes.fromhex(container)))
        gateway.check(1, packet, 2, ipv6(T_PDU, SOURCE, first, next_header=4, hops=63), any_label=True)


def test_a_rule_may_discard(uplink4: Bench) -> None:
    rule(uplink4, 90, "gtp_discard", {"teid": TEID})
    before = uplink4.client.cell("gtp_dropped", 10)
    uplink4.check_not_forwarded(1, ipv4(gtp()))
    assert uplink4.client.cell("gtp_dropped", 10) == before + 1
    uplink4.check(1, ipv4(gtp(teid=1)), 2, in_srv6("2400000001"), any_label=True)


def test_a_slice_takes_another_path_by_one_row(uplink4: Bench) -> None:
    uplink4.check(1, ipv4(gtp()), 2, in_srv6(), any_label=True)
    uplink4.modify(
        "sid_list",
        {"id": 1},
        [Action("segments_2", {"segment_1": "fcbb:bbbb:700::", "segment_2": "fcbb:bbbb:305::"}, 1)],
    )
    plain = in_srv6()
    out = ipv6(srh(4, 1, plain.dst) + T_PDU, plain.src, "fcbb:bbbb:700::", next_header=43, hops=63)
    uplink4.check(1, ipv4(gtp()), 2, out, any_label=True)


# --- sessions


def test_a_session_over_ipv4(gateway: Bench) -> None:
    """The slice's list, the session's own SID of End.M.GTP4.E behind it, and a source with the UPF's address in it."""
    gateway.sid_list(1, (1, ["fcbb:bbbb:200:700::"]))
    last, source = "fcbb:bbbb:104:c000:201:2400:3:ea00", "fcbb:bbbb:305:c633:6401::"
    session(gateway, "10.60.0.1/32", sid_list=1, last=last, source=source)
    inner = bytes(hop_less(IP(DL_PDU)))
    out = ipv6(srh(4, 1, last) + inner, source, "fcbb:bbbb:200:700::", next_header=43, hops=63, tos=0)
    gateway.check(1, IP(DL_PDU), 2, out, any_label=True)
    (row,) = gateway.client.read("ue_v4", counters=True)
    assert row.counter_data.packet_count == 1


def test_a_session_over_ipv6(gateway: Bench) -> None:
    """The arguments in the list's last SID, the endpoint's address behind it (RFC 9433, 6.5)."""
    gateway.sid_list(1, (1, ["fcbb:bbbb:200:100:f610::"]))
    session(gateway, "10.60.0.1/32", sid_list=1, args_at=80, args=0x26000003EA, last="2001:db8:b::1")
    inner = bytes(hop_less(IP(DL_PDU)))
    first = "fcbb:bbbb:200:100:f610:2600:3:ea00"
    out = ipv6(srh(4, 1, "2001:db8:b::1") + inner, SOURCE, first, next_header=43, hops=63, tos=0)
    gateway.check(1, IP(DL_PDU), 2, out, any_label=True)


def test_sessions_have_addresses_and_prefixes(gateway: Bench) -> None:
    """The longest prefix wins; without a list the last SID is the destination; other packets are routed."""
    session(gateway, "2001:db8:60::/48", last="fcbb:bbbb:301:f00d::")
    session(gateway, "2001:db8:60:1::/64", last="fcbb:bbbb:302:f00d::")
    session(gateway, "2001:db8:60:1::7/128", last="fcbb:bbbb:303:f00d::")
    session(gateway, "10.60.0.0/16", last="fcbb:bbbb:304:f004::")
    gateway.route("route_v6", "2001:db8:61::/48", 3)
    for destination, sid in (("60::1", "301"), ("60:1::8", "302"), ("60:1::7", "303")):
        packet = v6(destination=f"2001:db8:{destination}")
        out = ipv6(bytes(hop_less(packet)), SOURCE, f"fcbb:bbbb:{sid}:f00d::", next_header=41, hops=63, tos=0)
        gateway.check(1, packet, 2, out, any_label=True)
    packet = v4(destination="10.60.9.9")
    out = ipv6(bytes(hop_less(packet)), SOURCE, "fcbb:bbbb:304:f004::", next_header=4, hops=63, tos=0)
    gateway.check(1, packet, 2, out, any_label=True)
    packet = v6(destination="2001:db8:61::1")
    gateway.check(1, packet, 3, hop_less(packet))


def test_a_session_takes_gtp_that_no_rule_takes(gateway: Bench) -> None:
    """A UE may listen at any port."""
    gateway.sid_list(1, (1, ["fcbb:bbbb:305::"]))
    translate(gateway, match={"dst": address(UPF)})
    session(gateway, "10.60.0.1/32", last="fcbb:bbbb:304:f004::")
    packet = ipv4(gtp(), destination="10.60.0.1")
    gateway.check(1, packet, 2, carried(packet, "fcbb:bbbb:304:f004::"), any_label=True)


def test_a_row_without_its_way_takes_no_more(gateway: Bench) -> None:
    """Nothing becomes SRv6 that comes back as something else."""
    gateway.sid_list(1, (1, ["fcbb:bbbb:305::"]))
    rule(gateway, 5, "gtp_d", sid_list=1, args_at=80, address_at=48, source="fcbb:bbbb:104::", source_at=48,
         keep_destination=0, drop_sequence=0)  # fmt: skip
    gateway.check(1, ipv4(gtp()), 2, in_srv6(), any_label=True)
    gateway.my_sid("fcbb:bbbb:100:f601::/64", "gtp6_d")
    echo = ipv4(gtp(b"", kind=1, teid=0, optional=b"\0\1\0\0", flags=0x32))
    sequenced = ipv4(gtp(optional=b"\0\1\0\0", flags=0x32))
    for packet in (echo, sequenced):
        got = [frame.data[14:] for frame in gateway.send(1, packet)]
        assert got in ([], [bytes(hop_less(packet))])
    gateway.check_not_forwarded(1, ipv6(gtp(), GNB6, D))


def test_a_sid_is_mapped_to_another_one(gateway: Bench) -> None:
    """RFC 9433, 6.2."""
    gateway.insert("my_sid", {"sid": "fcbb:bbbb:100:f620::/64"}, Action("map", {"sid": "fcbb:bbbb:200:f610::"}))
    packet = ipv6(
        srh(41, 1, "2001:db8:b::1", "fcbb:bbbb:100:f620::") + bytes(v6()),
        "fcff:3::1",
        "fcbb:bbbb:100:f620::",
        next_header=43,
    )
    mapped = packet.copy()
    mapped.dst = "fcbb:bbbb:200:f610::"
    gateway.check(1, packet, 2, hop_less(mapped))
    gateway.check_not_forwarded(1, ipv6(bytes(v6()), "fcff:3::1", "fcbb:bbbb:100:f620::", next_header=41, hops=1))
