# SPDX-License-Identifier: Apache-2.0
"""UDP (RFC 768): its destination port names the protocol in it."""

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
