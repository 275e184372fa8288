# SPDX-License-Identifier: Apache-2.0
"""The extension headers of an IPv6 packet (RFC 8200, 4), and the SRH (RFC 8754, 2)."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from .packet import IPV6_BYTES, Discarded, Packet, word

HOP_BY_HOP, IPV4, IPV6, ROUTING, FRAGMENT, AH, OPTIONS = 0, 4, 41, 43, 44, 51, 60
SRH_TYPE = 4
_SRH_FIXED_BYTES, _SEGMENT_BYTES = 8, 16


@dataclass(frozen=True)
class Header:
    """An extension header: its kind, where it is, and where the Next Header field is that names it."""

    kind: int
    at: int
    data: bytes
    named_at: int

    @property
    def segments_left(self) -> int:
        return self.data[3]

    @property
    def last_entry(self) -> int:
        return self.data[4]

    @property
    def is_srh(self) -> bool:
        return self.kind == ROUTING and self.data[2] == SRH_TYPE

    @property
    def list_fits(self) -> bool:
        """RFC 8986, 4.1, S08 and S09: the first half."""
        return self.last_entry <= self.data[1] // 2 - 1

    @property
    def list_end(self) -> int:
        return _SRH_FIXED_BYTES + _SEGMENT_BYTES * (self.last_entry + 1)

    @property
    def fragment_offset(self) -> int:
        return word(self.data, 2) >> 3

    @property
    def is_whole_fragment(self) -> bool:
        """RFC 6946: offset 0 and no more."""
        return word(self.data, 2) & 0xFFF9 == 0


@dataclass
class Chain:
    """The extension headers of a packet as far as they can be read, and the payload behind them.

    `problem`: why nothing more can be read; "" if all of it could.
    """

    headers: list[Header] = field(default_factory=list)
    payload_kind: int = -1
    payload_at: int = 0
    problem: str = ""

    def kinds_before(self, header: Header) -> list[int]:
        return [one.kind for one in self.headers[: self.headers.index(header)]]


def read(packet: Packet, is_one: Callable[[int, int], bool], is_read: Callable[[Header], bool]) -> Chain:
    """The chain up to the first header that is none (by kind and place) or whose payload is not read."""
    chain = Chain()
    kind, at, named_at = packet.data[6], IPV6_BYTES, 6
    while is_one(kind, at):
        size = _size(kind, packet.data[at : at + 2])
        if at + size > len(packet.data):
            chain.problem = "RFC 8200, 4: a header longer than the packet"
            return chain
        header = Header(kind, at, packet.data[at : at + size], named_at)
        if not is_read(header):
            chain.problem = "RFC 8200, 4.5: a fragment"
            return chain
        chain.headers.append(header)
        kind, named_at, at = header.data[0], at, at + size
    chain.payload_kind, chain.payload_at = kind, at
    return chain


def _size(kind: int, head: bytes) -> int:
    units = head[1] if len(head) == 2 else 0
    if kind == FRAGMENT:
        return 8
    return 4 * (units + 2) if kind == AH else 8 * (units + 1)


def srh(next_header: int, listed: Sequence[bytes], segments_left: int) -> bytes:
    """RFC 8754, 2: the last segment of the path first. None is needed for no list (4.1)."""
    if not listed:
        return b""
    fixed = bytes([next_header, 2 * len(listed), SRH_TYPE, segments_left, len(listed) - 1, 0, 0, 0])
    return fixed + b"".join(reversed(listed))


def advanced(packet: Packet, header: Header) -> Packet:
    """RFC 8986, 4.1, S13 and S14."""
    left = header.segments_left - 1
    at = header.at + _SRH_FIXED_BYTES + _SEGMENT_BYTES * left
    return packet.with_bytes(header.at + 3, bytes([left])).with_destination(packet.data[at : at + _SEGMENT_BYTES])


def without(packet: Packet, header: Header) -> Packet:
    """RFC 8986, 4.16.1: the SRH is removed, and the header before it names the header behind it."""
    packet = packet.with_bytes(header.named_at, header.data[:1])
    length = len(packet.data) - IPV6_BYTES - len(header.data)
    packet = packet.with_bytes(4, length.to_bytes(2, "big"))
    return replace(packet, data=packet.data[: header.at] + packet.data[header.at + len(header.data) :])


def tlvs(data: bytes) -> Iterator[tuple[int, bytes]]:
    """RFC 8200, 4.2: Pad1 has no length."""
    at = 0
    while at < len(data):
        if data[at] == 0:
            yield 0, b""
            at += 1
            continue
        end = at + 2 + data[at + 1] if at + 1 < len(data) else len(data) + 1
        if end > len(data):
            raise Discarded("RFC 8200, 4.2: an option longer than its header")
        yield data[at], data[at + 2 : end]
        at = end
