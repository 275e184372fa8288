# SPDX-License-Identifier: Apache-2.0
"""IPv6 (RFC 8200) and IPv4 (RFC 791), on a link and within each other."""

import ipaddress
from dataclasses import dataclass

from .registry import ETHER_TYPE, NEXT_HEADER, Decoded, decodes

IPV4, IPV6 = 4, 41
_IPV4_BYTES, _IPV6_BYTES = 20, 40


@dataclass(frozen=True)
class Ip:
    """An IP header, and all the bytes behind it. `protocol` is IPv6's Next Header."""

    version: int
    source: str
    destination: str
    protocol: int
    hop_limit: int
    payload: bytes


@decodes(ETHER_TYPE, 0x86DD)
@decodes(NEXT_HEADER, IPV6)
def ipv6(data: bytes) -> Decoded | None:
    if len(data) < _IPV6_BYTES:
        return None
    source, destination = ipv6_address(data[8:24]), ipv6_address(data[24:40])
    payload = data[_IPV6_BYTES:]
    return Decoded(Ip(6, source, destination, data[6], data[7], payload), (NEXT_HEADER, data[6]), payload)


@decodes(ETHER_TYPE, 0x0800)
@decodes(NEXT_HEADER, IPV4)
def ipv4(data: bytes) -> Decoded | None:
    header_bytes = (data[0] & 0x0F) * 4 if data else 0
    if header_bytes < _IPV4_BYTES or len(data) < header_bytes:
        return None
    source, destination = (str(ipaddress.IPv4Address(data[at : at + 4])) for at in (12, 16))
    payload = data[header_bytes:]
    # A later fragment begins with no header.
    later_fragment = int.from_bytes(data[6:8], "big") & 0x1FFF
    carries = None if later_fragment else (NEXT_HEADER, data[9])
    return Decoded(Ip(4, source, destination, data[9], data[8], payload), carries, payload)


def ipv6_address(data: bytes) -> str:
    return str(ipaddress.IPv6Address(data))
