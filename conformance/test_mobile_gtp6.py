# SPDX-License-Identifier: Apache-2.0
"""Mobile sessions: GTP-U into SRv6 and back (RFC 9433; docs/reference/mobile-node.md).

GTP over IPv6, and errors where GTP begins again.
"""

import struct

import pytest
from nodes.bench import Bench
from nodes.mobile_kit import (
    CARRY,
    GNB6,
    T_PDU,
    UPF6,
    UPLINK,
    WHOLE,
    D,
    address,
    carried,
    gtp,
    hop_less,
    in_srv6,
    ipv4,
    ipv6,
    rule,
    srh,
    to_gtp4,
    to_gtp6,
    translate,
    udp,
    with_checksum,
)
from nodes.packets import SOURCE, is_icmp_error
from scapy.layers.inet import IP, TCP
from scapy.layers.inet6 import IPv6
from scapy.packet import Packet, Raw

PLANES = ("sessions",)
pytestmark = pytest.mark.usefixtures("has_mobile_sessions")


# --- GTP over IPv6


@pytest.fixture
def uplink6(gateway: Bench) -> Bench:
    """End.M.GTP6.D into a container that ends in a decapsulation with arguments behind it."""
    gateway.my_sid("fcbb:bbbb:100:f601::/64", "gtp6_d")
    gateway.sid_list(1, (1, ["fcbb:bbbb:200:300:f004::"]))
    gateway.sid_list(2, (1, ["fcbb:bbbb:200:300:f00d::"]))
    translate(gateway)
    rule(gateway, CARRY, "carry", sid_list=2)
    return gateway


ENDED = "fcbb:bbbb:200:300:f004:2412:3456:7800"


@pytest.mark.parametrize("summed", [True, False], ids=["checksum", "no checksum"])
def test_gtp_over_ipv6_becomes_one_container(uplink6: Bench, summed: bool) -> None:
    """RFC 9433, 6.3. A tunnel may do without a checksum (RFC 6935)."""
    packet = ipv6(gtp(), GNB6, D)
    out = ipv6(T_PDU, SOURCE, ENDED, next_header=4, hops=63)
    uplink6.check(1, with_checksum(packet) if summed else packet, 2, out, any_label=True)


def test_gtp_behind_an_srh_that_is_done(uplink6: Bench) -> None:
    """RFC 9433, 6.3: with no segments left, the next header is processed."""
    out = ipv6(T_PDU, SOURCE, ENDED, next_header=4, hops=63)
    uplink6.check(1, ipv6(srh(17, 0, D) + gtp(), GNB6, D, next_header=43), 2, out, any_label=True)
    uplink6.check_not_forwarded(1, ipv6(srh(17, 1, "fcbb:bbbb:300::", D) + gtp(), GNB6, D, next_header=43))
    assert uplink6.client.cell("gtp_dropped", 2) >= 1


@pytest.mark.parametrize("packet", WHOLE.values(), ids=WHOLE)
def test_what_srv6_cannot_say_is_carried_whole_over_ipv6(uplink6: Bench, packet: bytes) -> None:
    whole = ipv6(packet, GNB6, D)
    uplink6.check(1, whole, 2, carried(whole, "fcbb:bbbb:200:300:f00d::"), any_label=True)


def test_fragments_and_options_are_carried_whole(uplink6: Bench) -> None:
    fragment = ipv6(bytes([17, 0, 0, 1, 0, 0, 0, 9]) + gtp(), GNB6, D, next_header=44)
    later = ipv6(bytes([17, 0, 0, 0x10, 0, 0, 0, 9]) + T_PDU, GNB6, D, next_header=44)
    options = ipv6(bytes([17, 0, 1, 4, 0, 0, 0, 0]) + gtp(), GNB6, D, next_header=60)
    for packet in (fragment, later, options):
        uplink6.check(1, packet, 2, carried(packet, "fcbb:bbbb:200:300:f00d::"), any_label=True)


def test_gtp_at_a_sid_that_no_rule_takes_is_dropped(gateway: Bench) -> None:
    gateway.my_sid("fcbb:bbbb:100:f601::/64", "gtp6_d")
    before = gateway.client.cell("gtp_dropped", 1)
    gateway.check_not_forwarded(1, ipv6(gtp(), GNB6, D))
    assert gateway.client.cell("gtp_dropped", 1) == before + 1


def test_a_container_of_the_other_direction_is_dropped_at_a_sid(gateway: Bench) -> None:
    """Where no other rule takes it: RQI would be lost (RFC 9433, 6.1 and 6.5)."""
    gateway.my_sid("fcbb:bbbb:100:f601::/64", "gtp6_d")
    gateway.sid_list(1, (1, ["fcbb:bbbb:200:300:f004::"]))
    translate(gateway, pdu_type=UPLINK)
    before = gateway.client.cell("gtp_dropped", 1)
    gateway.check_not_forwarded(1, ipv6(gtp(container=bytes.fromhex("01004900")), GNB6, D))
    assert gateway.client.cell("gtp_dropped", 1) == before + 1
    out = ipv6(T_PDU, SOURCE, ENDED, next_header=4, hops=63)
    gateway.check(1, ipv6(gtp(), GNB6, D), 2, out, any_label=True)


def test_a_drop_in_keeps_the_destination(gateway: Bench) -> None:
    """RFC 9433, 6.4 with arguments: packets from the gNB to the UPF's own address reach it behind an End.M.GTP6.E."""
    gateway.my_sid(f"{UPF6}/128", "gtp6_d")
    gateway.sid_list(1, (1, ["fcbb:bbbb:200:300:f611::"]))
    translate(gateway, keep=1, match={"dst": address(UPF6)})
    ended = "fcbb:bbbb:200:300:f611:2412:3456:7800"
    out = ipv6(srh(4, 1, UPF6) + T_PDU, SOURCE, ended, next_header=43, hops=63)
    gateway.check(1, ipv6(gtp(), GNB6, UPF6), 2, out, any_label=True)
    signalling = ipv6(udp(b"session establishment", port=8805), GNB6, UPF6)
    gateway.check(1, signalling, 2, hop_less(signalling))


def test_a_list_of_two_has_the_session_in_its_last_sid(gateway: Bench) -> None:
    """l1 l2 p7 p6 v5 v4 l3, and an End.M.GTP4.E that stands alone."""
    gateway.sid_list(1, (1, ["fcbb:bbbb:200:700:600:500:400:0", "fcbb:bbbb:305::"]))
    translate(gateway, address_at=48, source="fcbb:bbbb:104::", source_at=48)
    last = "fcbb:bbbb:305:c633:6401:2412:3456:7800"
    out = ipv6(
        srh(4, 1, last) + T_PDU, "fcbb:bbbb:104:c000:201::", "fcbb:bbbb:200:700:600:500:400:0", next_header=43, hops=63
    )
    gateway.check(1, ipv4(gtp()), 2, out, any_label=True)


def test_gtp_over_ipv6_comes_out_with_its_checksum(gateway: Bench) -> None:
    """RFC 9433, 6.5; RFC 8200, 8.1: 0xba18 is the checksum of the golden packet."""
    to_gtp6(gateway)
    packet = ipv6(srh(4, 1, GNB6) + T_PDU, "fcff:3::1", "fcbb:bbbb:100:f610:2600:3:ea00:0", next_header=43, tos=0)
    out = with_checksum(ipv6(gtp(container=bytes.fromhex("01004900"), teid=0x3EA), D, GNB6, hops=63, tos=0))
    gateway.check(2, packet, 1, out, any_label=True)
    golden = with_checksum(ipv6(gtp(container=bytes.fromhex("01004900"), teid=0x3EA), D, "2001:db8:b::1", tos=0))
    assert bytes(golden)[46:48].hex() == "ba18"


@pytest.mark.parametrize("size", [0, 1, 2, 3, 511, 512, 513, 1023, 1024, 1300])
def test_a_checksum_of_any_length(gateway: Bench, size: int) -> None:
    to_gtp6(gateway)
    inner = bytes(IPv6(src="2001:db8:60::1", dst="2001:db8:2::9", nh=59) / Raw(bytes(range(256)) * 6))[: 40 + size]
    inner = inner[:4] + struct.pack("!H", size) + inner[6:]
    packet = ipv6(srh(41, 1, GNB6) + inner, "fcff:3::1", "fcbb:bbbb:100:f610::3:ea00:0", next_header=43, tos=0)
    out = with_checksum(ipv6(gtp(inner, container=None, teid=0x3EA), D, GNB6, hops=63, tos=0))
    gateway.check(2, packet, 1, out, any_label=True)


INSIDE = {
    "IPv4 with options": IP(src="10.60.0.1", dst="198.18.0.7", options=b"\x94\x04\0\0") / Raw(b"sextant"),
    "TCP in IPv4": IP(src="10.60.0.1", dst="198.18.0.7") / TCP(sport=4660, dport=7, seq=1) / Raw(b"sextant"),
    "TCP in IPv6": IPv6(src="2001:db8:60::1", dst="2001:db8:2::9") / TCP(sport=4660, dport=7) / Raw(b"sextant"),
    "fragment": IP(src="10.60.0.1", dst="198.18.0.7", proto=17, frag=9) / Raw(b"sextant"),
}


@pytest.mark.parametrize("inside", INSIDE.values(), ids=INSIDE)
@pytest.mark.parametrize("padding", [0, 7])
def test_a_checksum_is_over_all_that_is_sent(gateway: Bench, inside: Packet, padding: int) -> None:
    """Whatever a node has read of it, and without the bytes behind it."""
    to_gtp6(gateway)
    inner = bytes(inside)
    packet = ipv6(
        srh(4 if inner[0] >> 4 == 4 else 41, 1, GNB6) + inner, "fcff:3::1", "fcbb:bbbb:100:f610::3:ea00:0",
        next_header=43, tos=0,
    )  # fmt: skip
    out = with_checksum(ipv6(gtp(inner, container=None, teid=0x3EA), D, GNB6, hops=63, tos=0))
    frame = gateway.into(2, packet).data + bytes(range(1, padding + 1))
    gateway.check(2, frame, 1, out, any_label=True)


def test_a_checksum_of_zero_is_the_other_zero(gateway: Bench) -> None:
    """RFC 8200, 8.1: over IPv6 a checksum of 0 is none."""
    to_gtp6(gateway)

    def ended(word: bytes) -> tuple[Packet, Packet]:
        inner = bytes(IP(src="10.60.0.1", dst="198.18.0.7", proto=253) / Raw(word))
        sid = "fcbb:bbbb:100:f610::3:ea00:0"
        packet = ipv6(srh(4, 1, GNB6) + inner, "fcff:3::1", sid, next_header=43, tos=0)
        return packet, with_checksum(ipv6(gtp(inner, container=None, teid=0x3EA), D, GNB6, hops=63, tos=0))

    _, other = ended(b"\0\0")
    packet, out = ended(bytes(other)[46:48])
    assert bytes(out)[46:48] == b"\xff\xff"
    gateway.check(2, packet, 1, out, any_label=True)


# --- errors at the end


def test_malformed_ends_are_dropped(gateway: Bench) -> None:
    """Each under its reason, and nothing becomes GTP."""
    to_gtp4(gateway)
    to_gtp6(gateway)
    six, four = "fcbb:bbbb:100:f610:2600:3:ea00:0", in_srv6()
    src, dst = four.src, four.dst
    icmp = bytes.fromhex("0200000000000500") + bytes(40)
    reasons = {
        2: [
            ipv6(srh(4, 1, UPF6, dst) + T_PDU, src, dst, next_header=43),
            ipv6(T_PDU, src, six, next_header=4),
            ipv6(srh(4, 0, GNB6) + T_PDU, src, six, next_header=43),
            ipv6(srh(4, 2, GNB6, "fcbb:bbbb:300::") + T_PDU, src, six, next_header=43),
        ],
        0: [
            ipv6(srh(4, 3, GNB6) + T_PDU, src, six, next_header=43),
            ipv6(bytes([4, 2, 2, 0]) + bytes(20) + T_PDU, src, dst, next_header=43),
            ipv6(bytes([4, 200, 4, 0, 0, 0, 0, 0]) + bytes(16) + T_PDU, src, dst, next_header=43),
        ],
        4: [
            ipv6(icmp, src, dst, next_header=58),
            ipv6(T_PDU[:10], src, dst, next_header=4),
            ipv6(T_PDU, src, dst, next_header=41),
            ipv6(T_PDU[:2] + b"\0\x25" + T_PDU[4:], src, dst, next_header=4),
        ],
        6: [ipv6(T_PDU, src, dst, next_header=4, hops=1)],
        7: [
            ipv6(T_PDU, "fcbb:bbbb:104::", dst, next_header=4),
            ipv6(T_PDU, src, "fcbb:bbbb:305:e000:1:2412:3456:7800", next_header=4),
            ipv6(srh(4, 1, "::") + T_PDU, src, six, next_header=43),
        ],
    }
    for reason, packets in reasons.items():
        for packet in packets:
            before = gateway.client.cell("gtp_dropped", reason)
            gateway.check_not_forwarded(1, packet)
            assert gateway.client.cell("gtp_dropped", reason) == before + 1, f"{reason}: {bytes(packet).hex()}"


def test_a_packet_that_becomes_gtp_and_has_no_route_is_counted(gateway: Bench) -> None:
    """The node discards it and reports that to the sender; an address of its own is none of these."""
    to_gtp4(gateway)
    to_gtp6(gateway)
    args = "2412:3456:7800"
    nowhere = [
        ipv6(T_PDU, "fcbb:bbbb:104:c000:201::", "fcbb:bbbb:305:cb00:7107:2412:3456:7800", next_header=4),
        ipv6(srh(4, 1, "2001:db8:dead::1") + T_PDU, SOURCE, f"fcbb:bbbb:100:f610:{args}:0", next_header=43),
    ]
    for packet in nowhere:
        before = gateway.client.cell("gtp_dropped", 11)
        assert all(is_icmp_error(frame.data) for frame in gateway.send(1, packet))
        assert gateway.client.cell("gtp_dropped", 11) == before + 1, bytes(packet).hex()
    before = gateway.client.cell("gtp_dropped", 11)
    gateway.check(1, in_srv6(hops=62), 2, ipv4(gtp(), ttl=61))
    assert gateway.client.cell("gtp_dropped", 11) == before
