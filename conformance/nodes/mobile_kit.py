# SPDX-License-Identifier: Apache-2.0
"""Common parts of the packet tests of mobile sessions: packets as the RFCs and TS 29.281 define them, and rows.

The bytes are F3216 in the block fcbb:bbbb::/32. A gNB at 192.0.2.1 or 2001:db8:1::b is behind port 1, a UPF at
198.51.100.1 or 2001:db8:2::f behind port 2.
"""

import struct
from ipaddress import IPv4Address, IPv6Address

from scapy.layers.inet import IP
from scapy.layers.inet6 import IPv6
from scapy.packet import Packet, Raw
from scapy.utils import checksum

from nodes.bench import Bench
from nodes.p4runtime import Action, Value
from nodes.packets import SOURCE

GNB, UPF = "192.0.2.1", "198.51.100.1"
GNB6, UPF6, D = "2001:db8:1::b", "2001:db8:2::f", "fcbb:bbbb:100:f601::"
TEID = 0x12345678
UPLINK_9 = bytes.fromhex("01100900")
# 10.60.0.1 to 198.18.0.7, UDP 4660 to 7, "sextant!".
T_PDU = bytes.fromhex("45000024000100004011aa720a3c0001c6120007123400070010000073657874616e7421")
DL_PDU = bytes.fromhex("45000024000100004011aa72c61200070a3c0001000712340010000073657874616e7421")
T_PDU_6 = bytes(IPv6(src="2001:db8:60::1", dst="2001:db8:2::9", hlim=9) / Raw(b"sextant!"))
TRANSLATE, CARRY = 20, 10
# PDU types (TS 38.415, 5.5.2), and the bits of a way for a container of each.
DOWNLINK, UPLINK = 0, 1
_WAY_UPLINK, _WAY_DOWNLINK = 8, 16


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
    pdu_type: int | None = None,
) -> None:  # fmt: skip
    """A rule that translates; with a PDU type, no container of the other one."""
    writes4 = address_at or source_at
    mask = 4 | (2 if keep or writes4 else 0) | (0 if drop_sequence else 1)
    mask |= {None: 0, DOWNLINK: _WAY_UPLINK, UPLINK: _WAY_DOWNLINK}[pdu_type]
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


def truncated(packet: bytes, count: int) -> bytes:
    return packet[:-count]


def session_container(word: str) -> bytes:
    return gtp(container=bytes.fromhex(word))


# Fields that Args.Mob.Session lacks, or that are malformed: TS 29.281, 5.1, 5.2 and 7; TS 38.415, 5.5.2.
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


def hop_less(packet: Packet) -> Packet:
    less = packet.copy()
    if isinstance(less, IP):
        less.ttl -= 1
        del less.chksum
        return IP(bytes(less))
    less.hlim -= 1
    return less


def session(node: Bench, prefix: str, **parameters: Value) -> None:
    table = "ue_v6" if ":" in prefix else "ue_v4"
    action = Action("send_to", {"sid_list": 0, "args_at": 0, "args": 0, "last": "::", "source": "::", **parameters})
    node.insert(table, {"vrf": 0, "dst": prefix}, action)
