# SPDX-License-Identifier: Apache-2.0
"""UDP (RFC 768): what is in it is what its destination port says."""

from dataclasses import dataclass

from .registry import NEXT_HEADER, UDP_PORT, Decoded, decodes

_UDP = 17
_HEADER_BYTES = 8


@dataclass(frozen=True)
class Udp:
    source_port: int
    destination_port: int


@decodes(NEXT_HEADER, _UDP)
def udp(data: bytes) -> Decoded | None:
    if len(data) < _HEADER_BYTES:
        return None
    source, destination = (int.from_bytes(data[at : at + 2], "big") for at in (0, 2))
    return Decoded(Udp(source, destination), (UDP_PORT, destination), data[_HEADER_BYTES:])
