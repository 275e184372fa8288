# SPDX-License-Identifier: Apache-2.0
"""The checks of a node on a packet that comes, and on one that leaves (RFC 8200, 3; RFC 4291, 2.5; RFC 1812, 5)."""

from dataclasses import dataclass, replace
from ipaddress import IPv4Address, IPv6Address

from . import linux
from .deviations import Deviation
from .headers import HOP_BY_HOP
from .packet import IPV6_BYTES, Discarded, Packet, ones_sum, word

_IPV4_BYTES = 20
_BROADCAST = b"\xff" * 4


@dataclass(frozen=True)
class Admission:
    deviations: frozenset[Deviation]

    def received(self, packet: Packet) -> Packet:
        """A packet from a link, without the bytes behind its length."""
        packet = self.whole(packet)
        if packet.family == 6 and Deviation.OPTIONS_ON_THE_WAY in self.deviations:
            linux.check_hop_by_hop(packet)
        return packet

    def decapsulated(self, packet: Packet, *, looked_up: bool) -> Packet:
        """A packet from inside another one: to RFC 8986 one like any other."""
        if Deviation.INNER_UNCHECKED not in self.deviations:
            return self.whole(packet)
        if len(packet.data) < (IPV6_BYTES if packet.family == 6 else _IPV4_BYTES):
            raise Discarded("Linux: no header inside")
        if packet.family == 4:
            self._check_ipv4_addresses(packet.source, *([packet.destination] if looked_up else []))
        return packet

    def whole(self, packet: Packet) -> Packet:
        return self._ipv6(packet) if packet.family == 6 else self._ipv4(packet)

    def _ipv6(self, packet: Packet) -> Packet:
        data = packet.data
        if len(data) < IPV6_BYTES or data[0] >> 4 != 6:
            raise Discarded("RFC 8200, 3: no IPv6 header")
        length = IPV6_BYTES + word(data, 4)
        if length > len(data):
            raise Discarded("RFC 8200, 3: shorter than Payload Length says")
        self._check_ipv6_addresses(packet)
        if length == IPV6_BYTES and data[6] == HOP_BY_HOP and Deviation.JUMBO in self.deviations:
            return packet
        return replace(packet, data=data[:length])

    def _check_ipv6_addresses(self, packet: Packet) -> None:
        source, destination = IPv6Address(packet.source), IPv6Address(packet.destination)
        if source.is_multicast or source.is_loopback:
            raise Discarded(f"RFC 4291, 2.5.3 and 2.7: source {source}")
        if destination.is_multicast or destination.is_loopback or destination.is_unspecified:
            raise Discarded(f"RFC 4291, 2.5.2, 2.5.3 and 2.7: destination {destination}")
        if Deviation.SOURCE_AT_END in self.deviations:
            check_that_it_may_leave(packet)

    def _ipv4(self, packet: Packet) -> Packet:
        """RFC 1812, 5.2.2."""
        data = packet.data
        header_bytes = 4 * (data[0] & 0xF) if data else 0
        if len(data) < _IPV4_BYTES or data[0] >> 4 != 4 or header_bytes < _IPV4_BYTES:
            raise Discarded("RFC 1812, 5.2.2: no IPv4 header")
        if not header_bytes <= word(data, 2) <= len(data):
            raise Discarded("RFC 1812, 5.2.2: Total Length")
        if ones_sum(data[:header_bytes]) != 0xFFFF:
            raise Discarded("RFC 1812, 5.2.2: checksum")
        self._check_ipv4_addresses(packet.source, packet.destination)
        return self._with_ipv4_options(replace(packet, data=data[: word(data, 2)]), header_bytes)

    def _check_ipv4_addresses(self, *addresses: bytes) -> None:
        """RFC 1812, 5.3.7; RFC 3927, 7."""
        for address in addresses:
            is_strange = address[0] in (0, 127) or address[0] >= 224
            is_used = (address[0] == 0 and any(address)) or (address[0] >= 240 and address != _BROADCAST)
            if is_strange and not (is_used and Deviation.MARTIANS in self.deviations):
                raise Discarded(f"RFC 1812, 5.3.7: {IPv4Address(address)}")
            if is_link_local_v4(address) and Deviation.LINK_LOCAL_V4 not in self.deviations:
                raise Discarded(f"RFC 3927, 7: {IPv4Address(address)}")

    def _with_ipv4_options(self, packet: Packet, header_bytes: int) -> Packet:
        if Deviation.NO_IPV4_OPTIONS in self.deviations:
            return packet
        end = _IPV4_BYTES + _end_of_options(packet.data[_IPV4_BYTES:header_bytes])
        if any(packet.data[end:header_bytes]) and Deviation.END_OF_OPTIONS in self.deviations:
            return replace(packet.with_bytes(end, bytes(header_bytes - end)), rewritten=True)
        return packet


def check_that_it_may_enter(packet: Packet) -> None:
    """A policy; by the same rules, and RFC 3927, 2.6.2."""
    check_that_it_may_leave(packet)
    if packet.family == 4 and is_link_local_v4(packet.source):
        raise Discarded("RFC 3927, 2.6.2: a link-local source does not leave its link")


def is_link_local_v4(address: bytes) -> bool:
    return address[:2] == b"\xa9\xfe"


def check_that_it_may_leave(packet: Packet) -> None:
    """RFC 4291, 2.5.2, 2.5.3, 2.5.6 and 2.7: never forwarded."""
    if packet.family == 6:
        source, destination = IPv6Address(packet.source), IPv6Address(packet.destination)
        stays = source.is_unspecified or source.is_loopback or source.is_multicast or source.is_link_local
        if stays or destination.is_link_local:
            raise Discarded(f"RFC 4291, 2.5: {source} to {destination} does not leave its link")


def _end_of_options(options: bytes) -> int:
    """Where the list of IPv4 options ends (RFC 791, 3.1); unknown ones are passed on (RFC 1812, 4.2.2.1)."""
    at = 0
    while at < len(options) and options[at] != 0:
        length = 1 if options[at] == 1 else options[at + 1] if at + 1 < len(options) else 0
        if length < 1 + (options[at] != 1) or at + length > len(options):
            raise Discarded("RFC 1812, 4.3.3.5: options that cannot be read")
        at += length
    return at
