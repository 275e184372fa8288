# SPDX-License-Identifier: Apache-2.0
"""Behavior of Linux beyond the RFCs, by the functions of its sources (seen in 6.18), and the agent's repairs of it."""

from collections.abc import Sequence

from .headers import AH, FRAGMENT, HOP_BY_HOP, ROUTING, Chain, Header, tlvs
from .packet import IPV6_BYTES, Discarded, Packet

_PAD_1, _PAD_N, _CALIPSO = 0, 1, 7
_MOST_PADDING_BYTES = 7


def check_hop_by_hop(packet: Packet) -> None:
    """ipv6_parse_hopopts(): at every node, and stricter about padding (RFC 4942, 2.1.9.5)."""
    if packet.data[6] != HOP_BY_HOP:
        return
    options = packet.data[IPV6_BYTES:]
    size = 8 * (options[1] + 1) if len(options) > 1 else 8
    if size > len(options):
        raise Discarded("hop-by-hop options longer than the packet")
    padding = 0
    for kind, value in tlvs(options[2:size]):
        padding = padding + 1 if kind == _PAD_1 else padding + 2 + len(value) if kind == _PAD_N else 0
        is_odd = padding > _MOST_PADDING_BYTES or (kind == _PAD_N and any(value))
        if is_odd or kind == _CALIPSO or (kind > _PAD_N and kind >> 6):
            raise Discarded("hop-by-hop options")


def tlvs_are_valid(srh: Header) -> bool:
    """seg6_validate_srh(): every TLV has a length, Pad1 too."""
    at = srh.list_end
    while at + 2 <= len(srh.data):
        at += 2 + srh.data[at + 1]
    return at == len(srh.data)


def sees_no_segments_left(chain: Chain, *, has_just_come: bool) -> bool:
    """decap_and_validate(): seg6_get_srh() takes the first routing header, and none if it is not valid. In front of it
    the agent's netfilter rules look at the first one of a packet from a link, whatever it is.
    """
    first = next(header for header in chain.headers if header.kind == ROUTING)
    if has_just_come:
        return first.segments_left == 0
    is_valid = first.is_srh and first.list_fits and first.segments_left <= first.last_entry + 1
    return not (is_valid and tlvs_are_valid(first) and first.segments_left)


def check_that_it_can_be_popped(before: Sequence[int], srh: Header) -> None:
    """end_flv8986_core() and seg6_pop_srh()."""
    if ROUTING in before or (srh.segments_left == 1 and {FRAGMENT, AH} & set(before[:-1])):
        raise Discarded("End with PSP does not get at this SRH")
