# SPDX-License-Identifier: Apache-2.0
"""Packets of the tests, with every field that a test does not name fixed, and the comparison that shows both sides."""

from socket import AF_INET6, inet_pton

from scapy.layers.inet import ICMP, IP, UDP, IPOption
from scapy.layers.inet6 import IPv6, IPv6ExtHdrSegmentRouting
from scapy.layers.l2 import Ether
from scapy.packet import Packet, Raw

H1 = "2001:db8:1::2"
H2 = "2001:db8:2::2"
H1_V4 = "10.1.0.2"
H2_V4 = "10.2.0.2"
SOURCE = "fcff:1::1"
PAYLOAD = b"sextant conformance"
# A sender's own flow label: nodes carry it on (RFC 6438, 3), so that expected packets are literals.
FLOW_LABEL = 0x5E87A
_IPV6_IN = 41
_IPV4_IN = 4


def v6(source: str = H1, destination: str = H2, *, hop_limit: int = 64, port: int = 4000) -> Packet:
    """A customer's IPv6 packet."""
    return IPv6(src=source, dst=destination, hlim=hop_limit, fl=FLOW_LABEL) / UDP(sport=port, dport=5000) / Raw(PAYLOAD)


def v4(source: str = H1_V4, destination: str = H2_V4, *, ttl: int = 64, port: int = 4000) -> Packet:
    """A customer's IPv4 packet."""
    return IP(src=source, dst=destination, ttl=ttl, id=1, flags="DF") / UDP(sport=port, dport=5000) / Raw(PAYLOAD)


def with_options(packet: Packet, options: bytes) -> Packet:
    """An IPv4 packet with options, a multiple of four bytes."""
    changed = packet.copy()
    changed[IP].options = [IPOption(options)]
    return changed


def outer(destination: str, inner: Packet, *, source: str = SOURCE, hop_limit: int = 64) -> Packet:
    """An encapsulation without SRH, for one container (RFC 8754, 4.1)."""
    next_header = _IPV6_IN if IPv6 in inner else _IPV4_IN
    return IPv6(src=source, dst=destination, hlim=hop_limit, nh=next_header, fl=flow_label(inner)) / inner


def routed(
    destination: str,
    segments_left: int,
    segments: list[str],
    inner: Packet,
    *,
    source: str = SOURCE,
    hop_limit: int = 64,
    last_entry: int | None = None,
    length: int | None = None,
) -> Packet:
    """An encapsulation with an SRH. `segments` as they stand in it: the last of the path first (RFC 8754, 2)."""
    srh = IPv6ExtHdrSegmentRouting(
        nh=_IPV6_IN if IPv6 in inner else _IPV4_IN,
        len=2 * len(segments) if length is None else length,
        segleft=segments_left,
        lastentry=len(segments) - 1 if last_entry is None else last_entry,
        addresses=segments,
    )
    return IPv6(src=source, dst=destination, hlim=hop_limit, nh=43, fl=flow_label(inner)) / srh / inner


def srh_bytes(
    next_header: int, segments_left: int, segments: list[str], *, tlvs: bytes = b"", last_entry: int | None = None
) -> bytes:
    """An SRH with TLVs, a multiple of 8 bytes of them (RFC 8754, 2)."""
    units = 2 * len(segments) + len(tlvs) // 8
    last = len(segments) - 1 if last_entry is None else last_entry
    fixed = bytes([next_header, units, 4, segments_left, last, 0, 0, 0])
    return fixed + b"".join(inet_pton(AF_INET6, segment) for segment in segments) + tlvs


def extended(destination: str, first: int, headers: bytes, inner: Packet, *, hop_limit: int = 64) -> Packet:
    """An outer header, extension headers as bytes of which `first` is the kind of the first, and a packet inside."""
    return IPv6(src=SOURCE, dst=destination, hlim=hop_limit, nh=first, fl=flow_label(inner)) / Raw(
        headers + bytes(inner)
    )


def flow_label(inner: Packet) -> int:
    """The label an outer header has: that of the packet in it."""
    return inner[IPv6].fl if IPv6 in inner else FLOW_LABEL


def framed(packet: Packet, source_mac: str, destination_mac: str) -> bytes:
    """The packet on the wire."""
    return bytes(Ether(src=source_mac, dst=destination_mac) / packet)


def unlabelled(frame: bytes) -> bytes:
    """An IPv6 frame with the flow label 0."""
    return frame[:15] + bytes([frame[15] & 0xF0, 0, 0]) + frame[18:]


def is_icmp_error(frame: bytes) -> bool:
    """A node's answer to a packet it cannot forward."""
    packet = Ether(frame)
    if ICMP in packet:
        return packet[ICMP].type in (3, 11, 12)
    return IPv6 in packet and packet[IPv6].nh == 58 and 1 <= bytes(packet[IPv6].payload)[0] <= 4


def difference(got: bytes, want: bytes) -> str:
    """Both packets aligned, with a mark under every byte that differs, and the fields of the headers."""
    lines = [f"got  {Ether(got).summary()}", f"want {Ether(want).summary()}"]
    for at in range(0, max(len(got), len(want)), 16):
        left, right = got[at : at + 16], want[at : at + 16]
        if left != right:
            marks = ["  " if left[i : i + 1] == right[i : i + 1] else "^^" for i in range(max(len(left), len(right)))]
            lines += [
                f"{at:04x} got  {left.hex(' ')}",
                f"     want {right.hex(' ')}",
                f"          {' '.join(marks)}",
            ]
    return "\n".join(lines)
