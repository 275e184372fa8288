# SPDX-License-Identifier: Apache-2.0
"""The Segment Routing Header (RFC 8754, 2)."""

from dataclasses import dataclass

from .ip import ipv6_address
from .registry import NEXT_HEADER, Decoded, decodes

_ROUTING = 43
_SEGMENT_ROUTING = 4
_FIXED_BYTES, _SEGMENT_BYTES = 8, 16


@dataclass(frozen=True)
class Srh:
    """`segments` is the list as it is on the wire: the last segment first."""

    segments_left: int
    segments: tuple[str, ...]


@decodes(NEXT_HEADER, _ROUTING)
def srh(data: bytes) -> Decoded | None:
    if len(data) < _FIXED_BYTES or data[2] != _SEGMENT_ROUTING:
        return None
    header_bytes, entries = (data[1] + 1) * 8, data[4] + 1
    if len(data) < header_bytes or header_bytes < _FIXED_BYTES + entries * _SEGMENT_BYTES:
        return None
    starts = range(_FIXED_BYTES, _FIXED_BYTES + entries * _SEGMENT_BYTES, _SEGMENT_BYTES)
    segments = tuple(ipv6_address(data[start : start + _SEGMENT_BYTES]) for start in starts)
    return Decoded(Srh(data[3], segments), (NEXT_HEADER, data[0]), data[header_bytes:])
