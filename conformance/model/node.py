# SPDX-License-Identifier: Apache-2.0
"""The treatment of a packet by a node according to the RFCs: the reference with which test_fuzz.py compares data
planes.

Written from the texts (RFC 8200, 4291, 1812, 8754, 8986, 9800) and from nothing that runs. Where a data plane is known
to do otherwise it has a Deviation, and the model can be set to deviate in the same way: so a known difference hides no
other.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from nodes.oracle import Row
from nodes.target import Port
from nodes.wire import Frame

from . import firewall, headers, linux
from .admission import Admission, check_that_it_may_enter, check_that_it_may_leave
from .deviations import Deviation
from .headers import AH, FRAGMENT, HOP_BY_HOP, IPV4, IPV6, OPTIONS, ROUTING, Chain, Header
from .packet import IPV6_BYTES, Discarded, Packet
from .tables import Entry, Tables

_FAMILIES = {b"\x08\x00": 4, b"\x86\xdd": 6}
_OUTER_HOP_LIMIT = 64
_MOST_PAYLOAD_BYTES = 0xFFFF
# More lookups than hop limits allow.
_MOST_LOOKUPS = 1000
# Limits of Linux and bmv2.
_LINUX_TUNNELS, _BMV2_PASSES, _BMV2_PUSHED_BYTES, _BMV2_EXTENSIONS = 9, 33, 512, 6


@dataclass(frozen=True)
class Sent:
    """A packet that leaves. With `any_label` the outermost flow label is the node's choice."""

    frame: Frame
    any_label: bool


class ReferenceNode:
    """A node with the entries of a bench, and its deviations."""

    def __init__(self, rows: Sequence[Row], ports: dict[int, Port], deviations: frozenset[Deviation]) -> None:
        self._tables = Tables(rows)
        self._macs = {number: bytes.fromhex(port.mac.replace(":", "")) for number, port in ports.items()}
        self._deviations = deviations
        self._admission = Admission(deviations)

    def _deviates(self, deviation: Deviation) -> bool:
        return deviation in self._deviations

    def forward(self, frame: Frame) -> Sent | None:
        """The output for a frame; None if there is none."""
        try:
            return self._forwarded(frame)
        except Discarded:
            return None

    def why_discarded(self, frame: Frame) -> str:
        try:
            self._forwarded(frame)
        except Discarded as discarded:
            return str(discarded)
        return ""

    def _forwarded(self, frame: Frame) -> Sent:
        is_for_us = frame.data[:6] == self._macs[frame.port] or self._deviates(Deviation.ANY_MAC)
        family = _FAMILIES.get(frame.data[12:14])
        if frame.data[0] & 1 or not is_for_us or family is None:
            raise Discarded("not a frame for this node, or no IP packet")
        step: Sent | Packet = self._admission.received(Packet(family, frame.data[14:]))
        while isinstance(step, Packet):
            step = self._look_up(step)
        return step

    # --- lookup

    def _look_up(self, packet: Packet) -> Sent | Packet:
        """The result of a lookup: the packet leaves, or another one, of the same node, is looked up next."""
        if packet.passes > (_BMV2_PASSES if self._deviates(Deviation.PASSES) else _MOST_LOOKUPS):
            raise Discarded("a circle in this node")
        entry = self._longest(packet)
        if entry.kind != "route" and packet.passes > _LINUX_TUNNELS and self._deviates(Deviation.NESTED):
            raise Discarded("Linux, lwtunnel_input(): recursion limit")
        match entry.kind:
            case "sid":
                return self._behave(packet, entry)
            case "steering":
                return self._steer(packet, entry)
        return self._leave(packet, entry.number("next_hop"))

    def _longest(self, packet: Packet) -> Entry:
        entries = self._tables.matching(packet.family, packet.vrf, packet.destination)
        if packet.travelling and self._deviates(Deviation.NOT_STEERED_AGAIN):
            entries = [entry for entry in entries if entry.kind != "steering"]
        if self._deviates(Deviation.STEERING_FIRST):
            entries.sort(key=lambda entry: ("sid", "steering", "route").index(entry.kind))
        if not entries:
            raise Discarded("no route")
        return entries[0]

    def _leave(self, packet: Packet, next_hop: int) -> Sent:
        """RFC 8200, 3: a forwarding node takes a hop."""
        self._check_hop_limit(packet)
        check_that_it_may_leave(packet)
        adjacency = self._tables.adjacencies[next_hop].parameters
        macs = bytes.fromhex(f"{adjacency['dst_mac']}{adjacency['src_mac']}".replace(":", ""))
        ether_type = b"\x86\xdd" if packet.family == 6 else b"\x08\x00"
        return Sent(Frame(int(adjacency["port"]), macs + ether_type + packet.lowered().data), packet.any_label)

    @staticmethod
    def _check_hop_limit(packet: Packet) -> None:
        if not packet.counted and packet.hop_limit <= 1:
            raise Discarded("RFC 8200, 3: hop limit")

    # --- headend

    def _steer(self, packet: Packet, entry: Entry) -> Packet:
        if entry.action.name == "drop_steered":
            raise Discarded("RFC 9256, 8.2: the policy has no valid path")
        if packet.has_just_come or not self._deviates(Deviation.SOURCES_ENTER):
            check_that_it_may_enter(packet)
        return self._encapsulated(packet, entry.number("sid_list"), reduced=entry.action.name == "h_encaps_red")

    def _encapsulated(self, packet: Packet, sid_list: int, *, reduced: bool) -> Packet:
        """RFC 8986, 5.1 and 5.2. The hop limit outside is the headend's choice: that inside, or 64 around IPv4."""
        if packet.family == 6 or packet.has_just_come or not self._deviates(Deviation.TTL_ENTERS):
            self._check_hop_limit(packet)
        inner = packet if self._deviates(Deviation.INNER_STAYS) else packet.lowered()
        segments = self._tables.lists[sid_list]
        protocol = IPV6 if packet.family == 6 else IPV4
        srh = headers.srh(protocol, segments[1:] if reduced else segments, len(segments) - 1)
        payload = srh + inner.data
        pushed = packet.pushed + IPV6_BYTES + len(srh)
        if len(payload) > _MOST_PAYLOAD_BYTES:
            raise Discarded("RFC 8200, 3: Payload Length has 16 bits")
        if pushed > _BMV2_PUSHED_BYTES and self._deviates(Deviation.PASSES):
            raise Discarded("bmv2: no room for more headers")
        hop_limit = packet.hop_limit if packet.family == 6 else _OUTER_HOP_LIMIT
        traffic_class, label = self._outer_flow(packet)
        head = (6 << 28 | traffic_class << 20 | label).to_bytes(4, "big") + len(payload).to_bytes(2, "big")
        head += bytes([ROUTING if srh else protocol, hop_limit]) + self._tables.source + segments[0]
        any_label = label == 0 and not self._deviates(Deviation.NO_LABEL)
        outer = Packet(6, head + payload, travelling=True, any_label=any_label, passes=packet.passes, pushed=pushed)
        return outer.looked_up_again()

    def _outer_flow(self, packet: Packet) -> tuple[int, int]:
        """Traffic class and flow label outside: those inside (RFC 6040, 4.1; RFC 6438, 3)."""
        if packet.family == 6:
            first = int.from_bytes(packet.data[:4], "big")
            return first >> 20 & 0xFF, first & 0xFFFFF
        return (0 if self._deviates(Deviation.OUTER_OF_IPV4) else packet.data[1]), 0

    # --- SIDs

    def _behave(self, packet: Packet, entry: Entry) -> Sent | Packet:
        """RFC 8200, 4: headers are processed in the order in which they stand; RFC 8986, 4; RFC 9800, 4.1."""
        if entry.action.name == "sera":
            return self._judge(packet, entry)
        shifts = entry.action.name in ("un", "ua") and _argument(packet, entry) != 0
        if shifts and self._deviates(Deviation.NO_DESTINATION_OPTIONS):
            return self._shift(packet, entry)
        chain = headers.read(packet, self._is_extension, self._is_read)
        for place, header in enumerate(chain.headers):
            if header.kind in (HOP_BY_HOP, OPTIONS):
                self._process_options(header)
            elif shifts:
                return self._shift(packet, entry)
            elif header.kind == ROUTING and header.segments_left and not self._overlooked(packet, chain, entry):
                return self._advance(packet, entry, header, chain)
            self._check_place(place, chain)
        if chain.problem:
            raise Discarded(chain.problem)
        return self._shift(packet, entry) if shifts else self._decapsulate(packet, entry, chain)

    def _judge(self, packet: Packet, entry: Entry) -> Sent | Packet:
        """SERA: the rules of a firewall say where the packet goes."""
        form = firewall.format_of(entry.action.parameters)
        facts = firewall.Facts.of(packet.data, form)
        way = firewall.verdict(facts, entry.number("firewall"), self._tables.rules)
        self._check_hop_limit(packet)
        packet = replace(firewall.moved_on(self._taking_a_hop(packet), facts, form, way), travelling=True)
        if not self._deviates(Deviation.FIREWALLS_FIRST):
            return replace(packet, passes=packet.passes + 2)  # bmv2 reads the packet in a pass of its own
        # A packet from a link is still to be received; another one leaves the node, and comes back.
        return packet if packet.has_just_come else replace(self._admission.received(packet), passes=1)

    def _is_extension(self, kind: int, at: int) -> bool:
        """RFC 8200, 4.1: hop-by-hop options may only stand first."""
        if kind in (OPTIONS, ROUTING, FRAGMENT) or (kind == HOP_BY_HOP and at == IPV6_BYTES):
            return True
        return kind in (HOP_BY_HOP, AH) and self._deviates(Deviation.ANY_ORDER)

    def _is_read(self, header: Header) -> bool:
        """RFC 8200, 4.5: a fragment is to be reassembled, and no others come."""
        if header.kind != FRAGMENT or header.is_whole_fragment:
            return True
        return header.fragment_offset == 0 and self._deviates(Deviation.FIRST_FRAGMENTS)

    def _process_options(self, header: Header) -> None:
        """RFC 8200, 4.2."""
        if header.kind == HOP_BY_HOP:
            ignored = {Deviation.NO_OPTIONS, Deviation.OPTIONS_ON_THE_WAY}
        else:
            ignored = {Deviation.NO_DESTINATION_OPTIONS}
        if not ignored & self._deviations and any(kind >> 6 for kind, _ in headers.tlvs(header.data[2:])):
            raise Discarded("RFC 8200, 4.2: an option that is not known")

    def _check_place(self, place: int, chain: Chain) -> None:
        """bmv2 has room for some headers; one that is an SRH and stands first is read in another way."""
        first = chain.headers[0]
        is_beside = first.is_srh and first.segments_left == 0 and first.list_fits
        if place - is_beside >= _BMV2_EXTENSIONS and self._deviates(Deviation.EXTENSIONS):
            raise Discarded("bmv2: too many extension headers")

    def _overlooked(self, packet: Packet, chain: Chain, entry: Entry) -> bool:
        return (
            self._deviates(Deviation.FIRST_ROUTING_HEADER)
            and entry.action.name.startswith("ud")
            and linux.sees_no_segments_left(chain, has_just_come=packet.has_just_come)
        )

    def _shift(self, packet: Packet, entry: Entry) -> Sent | Packet:
        """RFC 9800, 4.1.1, N01 to N08."""
        block = entry.number("block_length")
        destination = int.from_bytes(packet.destination, "big") >> 128 - block << 128 - block
        shifted = destination | _argument(packet, entry) >> block
        return self._onward(self._taking_a_hop(packet).with_destination(shifted.to_bytes(16, "big")), entry)

    def _taking_a_hop(self, packet: Packet) -> Packet:
        """RFC 8986, 4.1, S05 to S07 and S12."""
        if packet.hop_limit <= 1 and not self._deviates(Deviation.LATE_EXPIRY):
            raise Discarded("RFC 8986, 4.1, S05: hop limit")
        return packet if self._deviates(Deviation.ONE_HOP) else replace(packet, counted=False).lowered()

    def _onward(self, packet: Packet, entry: Entry) -> Sent | Packet:
        packet = replace(packet, travelling=True)
        return packet.looked_up_again() if entry.next_hop is None else self._leave(packet, entry.next_hop)

    def _advance(self, packet: Packet, entry: Entry, header: Header, chain: Chain) -> Sent | Packet:
        """RFC 8986, 4.1, S05 to S15; 4.4 to 4.8, S02; 4.14; 4.16.1."""
        if not header.is_srh:
            raise Discarded("RFC 8200, 4.4: an unknown routing type")
        if entry.action.name.startswith("ud"):
            raise Discarded("RFC 8986, 4.4, S02: segments are left")
        packet = self._taking_a_hop(packet)
        if not header.list_fits or header.segments_left > header.last_entry + 1:
            raise Discarded("RFC 8986, 4.1, S09: a list that contradicts itself")
        if self._deviates(Deviation.TLVS) and not linux.tlvs_are_valid(header):
            raise Discarded("Linux: TLVs")
        packet = headers.advanced(packet, header)
        if entry.action.name == "end_psp":
            packet = self._popped(packet, header, chain)
        if entry.action.name == "b6_encaps_red":
            return self._encapsulated(packet, entry.number("sid_list"), reduced=True)
        return self._onward(packet, entry)

    def _popped(self, packet: Packet, header: Header, chain: Chain) -> Packet:
        """RFC 8986, 4.16.1."""
        if self._deviates(Deviation.PSP_FIRST):
            linux.check_that_it_can_be_popped(chain.kinds_before(header), header)
        return headers.without(packet, header) if header.segments_left == 1 else packet

    def _decapsulate(self, packet: Packet, entry: Entry, chain: Chain) -> Sent | Packet:
        """RFC 8986, 4.1.1 and 4.4 to 4.8."""
        accepting = {IPV6: ("udt6", "udt46", "udx6"), IPV4: ("udt4", "udt46", "udx4")}
        if entry.action.name not in accepting.get(chain.payload_kind, ()):
            raise Discarded("RFC 8986, 4.1.1: not an upper layer that is processed here")
        family = 6 if chain.payload_kind == IPV6 else 4
        inner = Packet(family, packet.data[chain.payload_at :], passes=packet.passes, pushed=packet.pushed)
        inner = self._admission.decapsulated(inner, looked_up=entry.next_hop is None)
        if entry.next_hop is not None:
            return self._leave(inner, entry.next_hop)
        return replace(inner, vrf=entry.number("vrf")).looked_up_again()


def _argument(packet: Packet, entry: Entry) -> int:
    """The bits behind the SID, left-aligned."""
    used = entry.number("block_length") + entry.number("csid_length")
    return int.from_bytes(packet.destination, "big") << used & (1 << 128) - 1
