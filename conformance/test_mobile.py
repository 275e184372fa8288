# SPDX-License-Identifier: Apache-2.0
"""Mobile sessions: GTP-U into SRv6 and back (RFC 9433; docs/reference/mobile-node.md).

The bytes are F3216 in the block fcbb:bbbb::/32. A gNB at 192.0.2.1 or 2001:db8:1::b is behind port 1, a UPF at
198.51.100.1 or 2001:db8:2::f behind port 2.
"""

import struct
import subprocess
from collections.abc import Iterator
from ipaddress import IPv4Address, IPv6Address
from typing import Any

import pytest
from nodes.bench import NO_ICMP, Bench
from nodes.p4runtime import Action, Value
from nodes.packets import SOURCE, v4, v6
from nodes.target import Target
from scapy.layers.inet import IP, TCP
from scapy.layers.inet6 import IPv6
from scapy.packet import Packet, Raw
from scapy.utils import checksum

GNB, UPF = "192.0.2.1", "198.51.100.1"
GNB6, UPF6, D = "2001:db8:1::b", "2001:db8:2::f", "fcbb:bbbb:100:f601::"
TEID = 0x12345678
UPLINK_9 = bytes.fromhex("01100900")
# 10.60.0.1 to 198.18.0.7, UDP 4660 to 7, "sextant!".
T_PDU = bytes.fromhex("45000024000100004011aa720a3c0001c6120007123400070010000073657874616e7421")
DL_PDU = bytes.fromhex("45000024000100004011aa72c61200070a3c0001000712340010000073657874616e7421")
T_PDU_6 = bytes(IPv6(src="2001:db8:60::1", dst="2001:db8:2::9", hlim=9) / Raw(b"sextant!"))
TRANSLATE, CARRY = 20, 10


@pytest.fixture(autouse=True)
def has_mobile_sessions(target: Target) -> None:
    if "gtp_rule" not in target.p4info.read_text():
        pytest.skip(f"{target.name}: its P4Info has no gtp_tunnel, gtp_rule, ue_v6, ue_v4 (mobile sessions)")


@pytest.fixture
def gateway(node: Bench) -> Bench:
    node.route("route_v4", "192.0.2.0/24", 1)
    node.route("route_v4", "198.51.100.0/24", 2)
    return node


# --- packets, as the RFCs and TS 29.281 write them


def gtp(
    inner: bytes = T_PDU, *, container: bytes | None = UPLINK_9, teid: int = TEID, flags: int | None = None,
    kind: int = 255, optional: bytes | None = None, longer: int = 0,
) -> bytes:  # fmt: skip
    """A GTP-U message with the UDP header in front of it, whose checksum is 0."""
    if optional is None:
        optional = b"" if container is None else b"\0\0\0\x85" + container
    if flags is None:
        flags = 0x34 if optional else 0x30
    message = struct.pack("!BBHI", flags, kind, len(optional + inner) + longer, teid) + optional + inner
    return udp(message)


def udp(message: bytes, *, port: int = 2152, longer: int = 0) -> bytes:
    return struct.pack("!HHHH", 2152, port, len(message) + 8 + longer, 0) + message


def ipv4(
    payload: bytes, source: str = GNB, destination: str = UPF, *, ttl: int = 64, tos: int = 0xB8,
    fragment: int = 0x4000, options: bytes = b"",
) -> Packet:  # fmt: skip
    header = struct.pack(
        "!BBHHHBBH4s4s", 0x45 + len(options) // 4, tos, 20 + len(options) + len(payload), 0, fragment, ttl, 17, 0,
        IPv4Address(source).packed, IPv4Address(destination).packed,
    ) + options  # fmt: skip
    header = header[:10] + struct.pack("!H", checksum(header)) + header[12:]
    return IP(header) / Raw(payload)


def ipv6(
    payload: bytes,
    source: str,
    destination: str,
    *,
    next_header: int = 17,
    hops: int = 64,
    tos: int = 0xB8,
    label: int = 0,
) -> Packet:
    header = struct.pack(
        "!IHBB16s16s", 6 << 28 | tos << 20 | label, len(payload), next_header, hops, IPv6Address(source).packed,
        IPv6Address(destination).packed,
    )  # fmt: skip
    return IPv6(header) / Raw(payload)


def with_checksum(packet: Packet) -> Packet:
    """GTP over IPv6 with the checksum of its UDP header (RFC 8200, 8.1)."""
    data = bytes(packet)
    pseudo = data[8:40] + struct.pack("!II", len(data) - 40, 17)
    total = checksum(pseudo + data[40:46] + b"\0\0" + data[48:])
    return IPv6(data[:40]) / Raw(data[40:46] + struct.pack("!H", total or 0xFFFF) + data[48:])


def srh(next_header: int, left: int, *segments: str) -> bytes:
    """The last segment first."""
    head = bytes([next_header, 2 * len(segments), 4, left, len(segments) - 1, 0, 0, 0])
    return head + b"".join(IPv6Address(one).packed for one in segments)


def carried(packet: Packet, first: str = "fcbb:bbbb:200:300:f004::", hops: int = 63) -> Packet:
    """The whole packet in an outer header, one hop further."""
    inner = packet.copy()
    if isinstance(inner, IP):
        inner.ttl -= 1
        del inner.chksum
        inner = IP(bytes(inner))
        tos, next_header = inner.tos, 4
    else:
        inner.hlim -= 1
        tos, next_header = inner.tc, 41
    return ipv6(bytes(inner), SOURCE, first, next_header=next_header, hops=hops, tos=tos)


# --- rows


def address(text: str, bits: int = 32) -> Value:
    """A prefix of either family in a field of 128 bits."""
    return f"::ffff:{text}/{96 + bits}" if "." in text else f"{text}/128"


def rule(node: Bench, priority: int, name: str, match: dict[str, Value] | None = None, **parameters: Value) -> None:
    node.insert("gtp_rule", {"vrf": 0, **(match or {})}, Action(name, parameters), priority=priority)


def translate(
    node: Bench, *, sid_list: int = 1, args_at: int = 80, address_at: int = 0, source: str = "::", source_at: int = 0,
    keep: int = 0, drop_sequence: int = 0, priority: int = TRANSLATE, match: dict[str, Value] | None = None,
) -> None:  # fmt: skip
    writes4 = address_at or source_at
    mask = 4 | (2 if keep or writes4 else 0) | (0 if drop_sequence else 1)
    way = f"{6 if keep else 4}&{mask}"
    parameters: dict[str, Value] = {
        "sid_list": sid_list, "args_at": args_at, "address_at": address_at, "source": source,
        "source_at": source_at, "keep_destination": keep, "drop_sequence": drop_sequence,
    }  # fmt: skip
    rule(node, priority, "gtp_d", {**(match or {}), "way": way}, **parameters)


def to_gtp4(
    node: Bench, sid: str = "fcbb:bbbb:305::/48", *, pdu_type: int = 1, container: int = 1, udp_source: int = 2152
) -> None:
    node.my_sid(sid, "gtp4_e", at=48, source_at=48, pdu_type=pdu_type, container=container, udp_source=udp_source)


def to_gtp6(node: Bench, *, pdu_type: int = 0, container: int = 1) -> None:
    node.my_sid(
        "fcbb:bbbb:100:f610::/64", "gtp6_e", at=64, source=D, pdu_type=pdu_type, container=container, udp_source=2152
    )


# --- GTP over IPv4


@pytest.fixture
def uplink4(gateway: Bench) -> Bench:
    """H.M.GTP4.D toward an End.M.GTP4.E, and whole packets to an End.DT4."""
    gateway.sid_list(1, (1, ["fcbb:bbbb:305::"]))
    gateway.sid_list(2, (1, ["fcbb:bbbb:200:300:f004::"]))
    translate(gateway, address_at=48, source="fcbb:bbbb:104::", source_at=48, match={"dst": address(UPF)})
    rule(gateway, CARRY, "carry", {"dst": address(UPF)}, sid_list=2)
    return gateway


def in_srv6(args: str = "2412345678", inner: bytes = T_PDU, *, hops: int = 63, tos: int = 0xB8) -> Packet:
    source, destination = "fcbb:bbbb:104:c000:201::", f"fcbbbbbb0305c6336401{args}00"
    return ipv6(
        inner,
        source,
        str(IPv6Address(bytes.fromhex(destination))),
        next_header=4 if inner[0] >> 4 == 4 else 41,
        hops=hops,
        tos=tos,
    )


def test_gtp_over_ipv4_becomes_one_container(uplink4: Bench) -> None:
    """RFC 9433, 6.7: addresses, TEID and QFI in the SID, no SRH; the DSCP goes on, the packet inside is as it was."""
    uplink4.check(1, ipv4(gtp()), 2, in_srv6(), any_label=True)


@pytest.mark.parametrize(
    ("container", "args"),
    [
        (None, "0012345678"),
        ("01100000", "0012345678"),
        ("01103f00", "fc12345678"),
        ("01004900", "2612345678"),
        ("01000900", "2412345678"),
    ],
    ids=["no container", "QFI 0", "QFI 63", "downlink with RQI", "downlink"],
)
def test_what_a_container_says_is_in_the_arguments(uplink4: Bench, container: str | None, args: str) -> None:
    """RFC 9433, 6.1: QFI and RQI; the U bit is 0."""
    packet = gtp(container=None if container is None else bytes.fromhex(container))
    uplink4.check(1, ipv4(packet), 2, in_srv6(args), any_label=True)


def test_ipv6_inside(uplink4: Bench) -> None:
    uplink4.check(1, ipv4(gtp(T_PDU_6)), 2, in_srv6(inner=T_PDU_6), any_label=True)


def test_gtp_over_ipv4_comes_out_as_it_went_in(gateway: Bench) -> None:
    """RFC 9433, 6.6: the headers of the golden packet, two hops further."""
    to_gtp4(gateway)
    gateway.check(1, in_srv6(hops=62), 2, ipv4(gtp(), ttl=61))


def test_a_sid_behind_an_srh(gateway: Bench) -> None:
    """All extension headers go (RFC 9433, 6.6)."""
    to_gtp4(gateway)
    plain = in_srv6()
    routed = ipv6(srh(4, 0, plain.dst) + T_PDU, plain.src, plain.dst, next_header=43, hops=63)
    gateway.check(1, routed, 2, ipv4(gtp(), ttl=62))


@pytest.mark.parametrize(
    ("pdu_type", "container", "args", "expected"),
    [
        (1, 0, "2412345678", None),
        (1, 1, "0012345678", None),
        (1, 2, "0012345678", "01100000"),
        (1, 1, "fc12345678", "01103f00"),
        (0, 1, "2612345678", "01004900"),
        (0, 1, "0212345678", "01004000"),
        (1, 1, "2612345678", "01100900"),
        (1, 1, "0112345678", None),
    ],
    ids=["never", "nothing to say", "always", "QFI 63", "RQI", "RQI alone", "RQI up", "U"],
)
def test_the_container_that_the_sid_wants(
    gateway: Bench, pdu_type: int, container: int, args: str, expected: str | None
) -> None:
    """TS 38.415, 5.5.2: RQI is of downlinks only. The U bit is nobody's (RFC 9433, 6.1)."""
    to_gtp4(gateway, pdu_type=pdu_type, container=container)
    out = gtp(container=None if expected is None else bytes.fromhex(expected))
    gateway.check(1, in_srv6(args), 2, ipv4(out, ttl=62))


def test_the_source_port_may_be_of_the_flow(gateway: Bench) -> None:
    """One port for a flow, from the dynamic ones, so that paths of equal cost are used."""
    to_gtp4(gateway, udp_source=0)
    ports = []
    for inner in (T_PDU, T_PDU, T_PDU[:20] + b"\x12\x35" + T_PDU[22:]):
        (got,) = gateway.send(1, in_srv6(inner=inner), at_least=1)
        ports.append(int.from_bytes(got.data[34:36], "big"))
    assert ports[0] == ports[1] != ports[2]
    assert min(ports) >= 49152


def truncated(packet: bytes, count: int) -> bytes:
    return packet[:-count]


def session_container(word: str) -> bytes:
    return gtp(container=bytes.fromhex(word))


# What Args.Mob.Session cannot say, or nobody: TS 29.281, 5.1, 5.2 and 7; TS 38.415, 5.5.2.
WHOLE = {
    "GTPv0": gtp(flags=0x1E),
    "GTPv2": gtp(flags=0x48),
    "GTP prime": gtp(flags=0x24),
    "echo request": gtp(b"", kind=1, teid=0, optional=b"\0\1\0\0", flags=0x32),
    "error indication": gtp(b"\x10\0\0\0\1", kind=26, teid=0, container=None),
    "end marker": gtp(b"", kind=254),
    "TEID 0": gtp(teid=0),
    "sequence number": gtp(optional=b"\0\1\0\0", flags=0x32),
    "N-PDU number": gtp(optional=b"\0\0\1\0", flags=0x31),
    "length beyond UDP": gtp(longer=4),
    "length below UDP": gtp(longer=-4),
    "UDP length below IP": udp(gtp()[8:], longer=-4),
    "UDP length beyond IP": udp(gtp()[8:], longer=4),
    "extension of no length": gtp(container=bytes(4)),
    "extension in a circle": gtp(container=bytes.fromhex("01100985")),
    "two containers": gtp(optional=bytes.fromhex("00000085 01100985 01100900")),
    "another extension": gtp(optional=bytes.fromhex("000000c0 01000100")),
    "another extension first": gtp(optional=bytes.fromhex("000000c0 01000185 01100900")),
    "container of type 2": session_container("01200900"),
    "container of type 15": session_container("01f00900"),
    "container of two words": gtp(optional=bytes.fromhex("00000085 0210090000000000")),
    "R in an uplink": session_container("01104900"),
    "paging policy in a downlink": session_container("01008900"),
    "time stamps": session_container("01080900"),
    "extension that is not there": gtp(b"", optional=b"", flags=0x34),
    "inner version 0": gtp(b"\x05" + T_PDU[1:]),
    "inner version 5": gtp(b"\x55" + T_PDU[1:]),
    "inner of 19 bytes": gtp(T_PDU[:19]),
    "nothing inside": gtp(b""),
    "inner longer than it is": gtp(T_PDU[:2] + b"\0\x25" + T_PDU[4:]),
    "inner shorter than it is": gtp(T_PDU[:2] + b"\0\x23" + T_PDU[4:]),
    "no GTP header": udp(b"\x30\xff\0"),
}


@pytest.mark.parametrize("packet", WHOLE.values(), ids=WHOLE)
def test_what_srv6_cannot_say_is_carried_whole(uplink4: Bench, packet: bytes) -> None:
    uplink4.check(1, ipv4(packet), 2, carried(ipv4(packet)), any_label=True)


@pytest.mark.parametrize(
    "packet",
    [
        ipv4(gtp(), options=b"\x94\x04\0\0"),
        ipv4(gtp(), fragment=0x2000),
        ipv4(T_PDU, fragment=6),
    ],
    ids=["options", "first fragment", "later fragment"],
)
def test_headers_that_srv6_cannot_say_are_carried_whole(uplink4: Bench, packet: Packet) -> None:
    uplink4.check(1, packet, 2, carried(packet), any_label=True)


def test_a_sequence_number_may_be_lost(uplink4: Bench) -> None:
    """Where a rule says so: what is behind needs none (TS 29.281, 5.1)."""
    translate(uplink4, address_at=48, source="fcbb:bbbb:104::", source_at=48, drop_sequence=1, priority=30)
    sequenced = gtp(optional=b"\0\1\0\0", flags=0x32)
    uplink4.check(1, ipv4(sequenced), 2, in_srv6("0012345678"), any_label=True)


@pytest.mark.parametrize("port", [2123, 8805, 2153])
def test_other_protocols_to_the_same_address_are_routed(uplink4: Bench, port: int) -> None:
    packet = ipv4(udp(gtp()[8:], port=port))
    uplink4.check(1, packet, 2, hop_less(packet))


def hop_less(packet: Packet) -> Packet:
    less = packet.copy()
    if isinstance(less, IP):
        less.ttl -= 1
        del less.chksum
        return IP(bytes(less))
    less.hlim -= 1
    return less


def test_gtp_that_no_rule_takes_is_routed(gateway: Bench) -> None:
    gateway.sid_list(1, (1, ["fcbb:bbbb:305::"]))
    translate(gateway, match={"dst": address("198.51.100.2")})
    gateway.check(1, ipv4(gtp()), 2, hop_less(ipv4(gtp())))


def test_hops_of_the_outer_header_go_on(uplink4: Bench) -> None:
    """Around GTP as around what was inside."""
    uplink4.check(1, ipv4(gtp(), ttl=9), 2, in_srv6(hops=8), any_label=True)
    whole = ipv4(gtp(kind=254), ttl=9)
    uplink4.check(1, whole, 2, carried(whole, hops=8), any_label=True)
    session(uplink4, "10.60.0.1/32", last="fcbb:bbbb:304:f004::")
    plain = v4(destination="10.60.0.1")
    plain.ttl = 9
    uplink4.check(1, plain, 2, carried(IP(bytes(plain)), "fcbb:bbbb:304:f004::", hops=8), any_label=True)


def test_gtp_on_its_last_hop_is_dropped(uplink4: Bench) -> None:
    uplink4.check_not_forwarded(1, ipv4(gtp(), ttl=1))


def test_padding_of_the_link_stays_behind(uplink4: Bench) -> None:
    frame = uplink4.into(1, ipv4(gtp())).data + bytes(6)
    uplink4.check(1, frame, 2, in_srv6(), any_label=True)


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


def test_a_drop_in_keeps_the_destination(gateway: Bench) -> None:
    """RFC 9433, 6.4 with arguments: what the gNB sends to the UPF's own address reaches it behind an End.M.GTP6.E."""
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
    """Whatever a node has read of it, and without what stands behind it."""
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


# --- what is wrong at the end


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


def session(node: Bench, prefix: str, **parameters: Value) -> None:
    table = "ue_v6" if ":" in prefix else "ue_v4"
    action = Action("send_to", {"sid_list": 0, "args_at": 0, "args": 0, "last": "::", "source": "::", **parameters})
    node.insert(table, {"vrf": 0, "dst": prefix}, action)


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


# --- what is too big


@pytest.fixture
def narrow(gateway: Bench, target: Target) -> Iterator[Bench]:
    """Port 2 takes 1,400 bytes."""
    if not target.namespace:
        pytest.skip("needs to set the MTU of a port of the node")
    command = ["ip", "-n", target.namespace, "link", "set", "p2", "mtu"]
    subprocess.run([*command, "1400"], check=True)
    yield gateway
    subprocess.run([*command, "1500"], check=True)


def large(bytes_of_it: int) -> bytes:
    return bytes(IP(src="10.60.0.1", dst="198.18.0.7", proto=253, flags="DF", len=bytes_of_it)) + bytes(
        bytes_of_it - 20
    )


@pytest.mark.differs("bmv2", NO_ICMP)
def test_the_sender_of_gtp_is_told_how_much_fits(narrow: Bench) -> None:
    """RFC 1191: 1,400 bytes of SRv6 with one container of 40 are 1,404 of GTP with a container of 44."""
    narrow.sid_list(1, (1, ["fcbb:bbbb:305::"]))
    translate(narrow, address_at=48, source="fcbb:bbbb:104::", source_at=48)
    narrow.check(1, ipv4(gtp(large(1360))), 2, in_srv6(inner=large(1360)), any_label=True)
    before = narrow.client.cell("gtp_dropped", 3)
    (got,) = narrow.send(1, ipv4(gtp(large(1361))), at_least=1)
    told = IP(got.data[14:])
    assert (got.port, told.dst, told.proto) == (1, GNB, 1)
    data = bytes(told.payload)
    assert data[:2] == b"\x03\x04"
    assert int.from_bytes(data[6:8], "big") == 1404
    assert data[8:] == bytes(ipv4(gtp(large(1361))))[:548]
    assert checksum(data) == 0
    assert narrow.client.cell("gtp_dropped", 3) == before + 1


@pytest.mark.differs("bmv2", NO_ICMP)
def test_the_sender_of_gtp_over_ipv6_is_told_how_much_fits(narrow: Bench) -> None:
    """RFC 8201: 40 bytes come for 64."""
    narrow.my_sid("fcbb:bbbb:100:f601::/64", "gtp6_d")
    narrow.sid_list(1, (1, ["fcbb:bbbb:200:300:f004::"]))
    translate(narrow)
    whole = ipv6(gtp(large(1361)), GNB6, D)
    (got,) = narrow.send(1, whole, at_least=1)
    told = IPv6(got.data[14:])
    data = bytes(told.payload)
    assert (got.port, told.src, told.dst, told.nh, data[:2]) == (1, SOURCE, GNB6, 58, b"\x02\0")
    assert int.from_bytes(data[4:8], "big") == 1424
    assert data[8:] == bytes(whole)[:1232]
    pseudo = got.data[22:54] + struct.pack("!II", len(data), 58)
    assert checksum(pseudo + data) == 0


@pytest.mark.differs("bmv2", NO_ICMP)
def test_the_sender_to_a_session_is_told_how_much_fits(narrow: Bench) -> None:
    session(narrow, "198.18.0.7/32", last="fcbb:bbbb:305:f004::")
    (got,) = narrow.send(1, IP(large(1400)), at_least=1)
    assert got.data[34:36] == b"\x03\x04"
    assert int.from_bytes(got.data[40:42], "big") == 1360


@pytest.mark.differs("bmv2", NO_ICMP)
def test_what_a_router_on_the_way_says_is_told_to_the_sender_of_gtp(gateway: Bench) -> None:
    """Packet Too Big about a packet of this gateway's becomes Fragmentation Needed about that of the gNB."""
    to_gtp4(gateway, "fcbb:bbbb:104::/48", pdu_type=0)
    about = bytes(in_srv6(inner=large(1400), hops=60))[:1232]
    head = b"\x02\0\0\0" + struct.pack("!I", 1400)
    plain = ipv6(head + about, "2001:db8:2::7", "fcbb:bbbb:104:c000:201::", next_header=58, tos=0)
    pseudo = bytes(plain)[8:40] + struct.pack("!II", 8 + len(about), 58)
    total = struct.pack("!H", checksum(pseudo + head + about))
    whole = ipv6(head[:2] + total + head[4:] + about, plain.src, plain.dst, next_header=58, tos=0)
    gateway.check_not_forwarded(2, plain)  # its checksum is wrong
    (got,) = gateway.send(2, whole, at_least=1)
    told = IP(got.data[14:])
    data = bytes(told.payload)
    assert (got.port, told.dst, told.proto, data[:2], checksum(data), len(data)) == (1, GNB, 1, b"\x03\x04", 0, 44)
    assert int.from_bytes(data[6:8], "big") == 1404
    quoted = bytes(ipv4(gtp(large(1400)), tos=0))
    assert data[8:28] == quoted[:20]
    assert data[28:34] + data[36:] == quoted[20:26] + quoted[28:36]


def test_other_sids_of_the_node_stay_what_they_are(gateway: Bench) -> None:
    """The longest SID wins, whatever it does; and a session's prefix takes no packet to a SID."""
    gateway.my_sid("fcbb:bbbb:100::/48", "un", block_length=32, csid_length=16)
    gateway.my_sid("fcbb:bbbb:100:f00d::/64", "udt6", vrf=0)
    gateway.my_sid("fcbb:bbbb:100:f601::/64", "gtp6_d")
    session(gateway, "fcbb:bbbb:100::/40", last="fcbb:bbbb:301:f00d::")
    shifted = ipv6(bytes(v6()), "fcff:3::1", "fcbb:bbbb:100:200:f00d::", next_header=41)
    out = shifted.copy()
    out.dst = "fcbb:bbbb:200:f00d::"
    gateway.check(1, shifted, 2, hop_less(out))
    gateway.check(1, ipv6(bytes(v6()), "fcff:3::1", "fcbb:bbbb:100:f00d::", next_header=41), 2, hop_less(v6()))
