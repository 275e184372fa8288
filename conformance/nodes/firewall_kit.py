# SPDX-License-Identifier: Apache-2.0
"""Common parts of the packet tests of firewalls: rows, packets, and counters.

The firewall is instance 3 of node 0200 in the block fcbb:bbbb::/32: fcbb:bbbb:200:f230::/60, whose last four bits are
arguments. Packets come from port 1; the block, fc00::/16 and the prefixes of a case are behind port 2.
"""

import struct
from collections.abc import Sequence
from ipaddress import IPv6Address, ip_address

from model.sera import Format
from scapy.layers.inet6 import IPv6
from scapy.packet import Packet, Raw

from nodes.bench import Bench
from nodes.p4runtime import Action, Value
from nodes.packets import SOURCE

Match = dict[str, Value]

INSTANCE = 3
RULES = INSTANCE << 24 | 1
NEW_RULES = INSTANCE << 24 | 2
SID = "fcbb:bbbb:200:f230::/60"
FIRST, SECOND, THIRD = "fcbb:bbbb:600:300:f00d::", "fcbb:bbbb:700::", "fcbb:bbbb:400:500:f00d::"
CLASSIC = "fc00:2::f1:0"
GO_NEXT, SKIP_NEXT, GO_LAST, EVAL_ARGS, DROP = "fw_go_next", "fw_skip_next", "fw_go_last", "fw_eval_args", "fw_drop"
REASONS = ("unable", "malformed", "bad arguments", "no rule", "last hop", "flows", "evicted")
PORTS, ICMP_TYPE, SRH, PREVIOUS, NEXT = 1, 2, 4, 8, 16
TCP, UDP, DCCP, ICMPV6, SCTP, UDP_LITE, ICMP = 6, 17, 33, 58, 132, 136, 1
HOP_BY_HOP, IPV4_IN, IPV6_IN, ROUTING, FRAGMENT, AH, NOTHING, OPTIONS = 0, 4, 41, 43, 44, 51, 59, 60


def there(bits: int) -> str:
    """`has`, of a packet that has all of that."""
    return f"{bits}&{bits}"


def lacking(bit: int) -> str:
    return f"0&{bit}"


PLAIN = Format()
CLASSIC_FORM = Format(block=64, csid=0, usid=0, args=16, local_start=0)


# --- rows


def sera(node: Bench, sid: str = SID, *, rules: int = RULES, instance: int = INSTANCE, form: Format = PLAIN) -> None:
    node.my_sid(sid, "sera", **parameters(form, rules, instance))


def parameters(form: Format = PLAIN, rules: int = RULES, instance: int = INSTANCE) -> dict[str, Value]:
    return {
        "firewall": rules, "instance": instance, "block_length": form.block, "csid_length": form.csid,
        "usid_length": form.usid, "args_length": form.args, "local_start": form.local_start,
    }  # fmt: skip


def rule(
    node: Bench, action: str, priority: int = 1, match: Match | None = None, *, rules: int = RULES, log: int = 0
) -> None:
    """Without a match the default policy."""
    node.insert("firewall", {"firewall": rules, **(match or {})}, Action(action, {"log": log}), priority=priority)


def hits(node: Bench) -> dict[int, int]:
    """Packets by the priority of the row."""
    return {row.priority: row.counter_data.packet_count for row in node.client.read("firewall", counters=True)}


def dropped(node: Bench, instance: int = INSTANCE) -> dict[str, int]:
    counted = node.client.cells("firewall_dropped", (16 * instance + at for at in range(len(REASONS))))
    return {reason: counted[16 * instance + at] for at, reason in enumerate(REASONS)}


def drops_as(node: Bench, reason: str, packet: bytes, instance: int = INSTANCE) -> None:
    """The packet goes nowhere and is counted once, for that reason."""
    before = dropped(node, instance)
    node.check_not_forwarded(1, whole(packet))
    assert dropped(node, instance) == before | {reason: before[reason] + 1}, packet.hex()


# --- packets


def whole(data: bytes) -> Packet:
    """A packet whose fields are neither completed nor corrected."""
    return IPv6(data[:40]) / Raw(data[40:])


def ipv6(
    payload: bytes, next_header: int, destination: str = "2001:db8:2::9", source: str = "2001:db8:1::9", *,
    hops: int = 64, version: int = 6, length: int | None = None,
) -> bytes:  # fmt: skip
    head = struct.pack("!IHBB", version << 28, len(payload) if length is None else length, next_header, hops)
    return head + IPv6Address(source).packed + IPv6Address(destination).packed + payload


def ipv4(
    payload: bytes, protocol: int, destination: str = "10.2.0.9", source: str = "10.1.0.9", *, options: bytes = b"",
    fragment: int = 0, ihl: int | None = None, length: int | None = None, version: int = 4,
) -> bytes:  # fmt: skip
    words = 5 + len(options) // 4 if ihl is None else ihl
    total = 20 + len(options) + len(payload) if length is None else length
    head = struct.pack("!BBHHHBBH", version << 4 | words, 0, total, 7, fragment, 64, protocol, 0)
    return head + ip_address(source).packed + ip_address(destination).packed + options + payload


def udp(sport: int = 1000, dport: int = 53) -> bytes:
    return struct.pack("!HHHH", sport, dport, 16, 0) + b"sextant!"


def tcp(sport: int = 1000, dport: int = 80, flags: int = 0x02) -> bytes:
    return struct.pack("!HHIIBBHHH", sport, dport, 1, 0, 0x50, flags, 512, 0, 0)


def srh(
    next_header: int, left: int, segments: Sequence[str], *, last: int | None = None, length: int | None = None,
    kind: int = 4, flags: int = 0, tag: int = 0, tlvs: bytes = b"",
) -> bytes:  # fmt: skip
    """`segments` as they stand in it, the last of the path first."""
    units = 2 * len(segments) + len(tlvs) // 8 if length is None else length
    last = len(segments) - 1 if last is None else last
    head = struct.pack("!BBBBBBH", next_header, units, kind, left, last & 0xFF, flags, tag)
    return head + b"".join(IPv6Address(one).packed for one in segments) + tlvs


def extension(next_header: int, *, words: int = 0) -> bytes:
    """Options: padding only (RFC 8200, 4.2)."""
    size = 8 * words + 4
    options = b"\x01\x04" + bytes(4) if not words else b"\x1e" + bytes([size]) + b"\0" * size
    return bytes([next_header, words]) + options


def fragment(next_header: int, offset: int = 0, more: int = 0) -> bytes:
    return struct.pack("!BBHI", next_header, 0, offset << 3 | more, 7)


INNER = ipv6(udp(), UDP)
INNER_4 = ipv4(udp(), UDP)


def kind_of(inner: bytes) -> int:
    return IPV4_IN if inner[0] >> 4 == 4 else IPV6_IN


def outer(destination: str, inner: bytes = INNER, *, hops: int = 64) -> bytes:
    """Without an SRH."""
    return ipv6(inner, kind_of(inner), destination, SOURCE, hops=hops)


def routed(
    destination: str, left: int, segments: Sequence[str], inner: bytes = INNER, *, hops: int = 64, **fields: int
) -> bytes:
    header = srh(kind_of(inner), left, segments, **fields)  # type: ignore[arg-type]
    return ipv6(header + inner, ROUTING, destination, SOURCE, hops=hops)


def at(packet: bytes, place: int, value: int) -> bytes:
    """The packet with another byte."""
    return packet[:place] + bytes([value]) + packet[place + 1 :]


def sent_to(packet: bytes, destination: str, left: int | None = None, *, srh_at: int = 40) -> bytes:
    """A hop further, with another destination and other Segments Left."""
    packet = packet[:7] + bytes([packet[7] - 1]) + packet[8:24] + IPv6Address(destination).packed + packet[40:]
    return packet if left is None else at(packet, srh_at + 3, left)


A, B, C = "fc00:6::a", "fc00:7::b", "fc00:8::c"
OWN = "fcbb:bbbb:200:f230:"
TO = f"{OWN}600::"
ALONE = f"{OWN}:"


def with_srh(inner: bytes = INNER, *, left: int = 1, **fields: int) -> bytes:
    return routed(ALONE, left, ["fcbb:bbbb:600::", "fcbb:bbbb:200:f230::", "fcbb:bbbb:900::"], inner, **fields)


def protocol(number: int, payload: bytes = bytes(20)) -> bytes:
    return outer(TO, ipv6(payload, number))


def ah(next_header: int) -> bytes:
    """RFC 4302, 2.2: with an ICV of 12 bytes."""
    return bytes([next_header, 4]) + bytes(22)
