# SPDX-License-Identifier: Apache-2.0
"""A model of the edge of the SR domain (RFC 8754, 5.1; pipeconfs/p4src/fixed/edge.p4): whether it drops a frame, the
reason, and the peer that the frame is of. Written from the contract's words, over bytes."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network

from nodes.oracle import Row
from nodes.p4runtime import Action

from .gtp import GTP_PORT, UDP, payload_at
from .headers import AH, FRAGMENT, HOP_BY_HOP, IPV4, IPV6, OPTIONS, ROUTING, SRH_TYPE
from .packet import IPV6_BYTES, word

# Cells of a port for the first reasons; those of further ones stand behind the cells of all ports, in the same way.
_REASONS_AT_ONCE = 4
_PORTS = 512
# Extension headers that are read. Some targets read fewer, none more than some: tests stay far below, or go far beyond.
MOST_HEADERS = 8
# Tags that are read; tests have at most two of them where they are to be read, and four or more where they are not.
MOST_TAGS = 3
# Packets that are read one inside of the other, where each goes to a SID that outside may reach.
MOST_PACKETS = 4
_EXTENSIONS = (HOP_BY_HOP, ROUTING, FRAGMENT, OPTIONS, AH)
_TAGS = (0x8100, 0x88A8)
_ETHERNET_BYTES = 14
# Addresses that nodes use inside themselves: of next hops, of probes, of policies.
INTERNAL_V6, INTERNAL_V4 = IPv6Network("fd5e:7e00::/31"), IPv4Network("169.254.0.0/16")


class Reason(IntEnum):
    """Why a packet is dropped."""

    SID = 0
    SRH = 1
    SOURCE = 2
    UNKNOWN_SOURCE = 3
    UNREADABLE = 4
    INTERNAL = 5


def cell(port: int, reason: Reason) -> int:
    """The index in edge_dropped."""
    block, place = divmod(reason, _REASONS_AT_ONCE)
    return _REASONS_AT_ONCE * (_PORTS * block + port) + place


@dataclass(frozen=True)
class Verdict:
    """`reason`: why the packet is dropped. `peer`: the prefix of the row that counts it."""

    reason: Reason | None = None
    peer: IPv6Network | None = None


@dataclass(frozen=True)
class Chain:
    """Extension headers, read up to the first other header.

    `cut`: they end behind the packet. `long`: there are more than are read. `later`: the payload is a piece of
    something and no header, as all headers are in the first fragment (RFC 7112, 5).
    """

    protocol: int
    at: int
    has_srh: bool = False
    cut: bool = False
    long: bool = False
    later: bool = False


class Edge:
    """The rows of the four tables, and those by which the node takes packets out of GTP-U."""

    def __init__(self, rows: Sequence[Row], srh_type: int | None = SRH_TYPE) -> None:
        """With None for `srh_type` any routing header is an SRH, as for VPP's ACLs, which do not see its type."""
        self._srh_type = srh_type
        self._roles: dict[int, Action] = {}
        self._sids: dict[IPv6Network, bool] = {}
        self._sources: list[IPv6Network] = []
        self._peers: dict[int, list[IPv6Network]] = {}
        self._gtp: list[IPv6Network] = []
        for row in rows:
            self._learn(row)

    def _learn(self, row: Row) -> None:
        if not row.table.startswith("edge_") and row.table != "gtp_rule":
            return
        (action,) = [row.action] if isinstance(row.action, Action) else row.action
        match row.table:
            case "edge_port":
                self._roles[int(row.match["in_port"])] = action
            case "edge_sid":
                self._sids[IPv6Network(row.match["dst"])] = action.name == "protect"
            case "edge_source":
                self._sources.append(IPv6Network(row.match["src"]))
            case "edge_peer":
                self._peers.setdefault(int(row.match["in_port"]), []).append(IPv6Network(row.match["src"]))
            case "gtp_rule" if action.name == "gtp_d":
                self._gtp.append(IPv6Network(row.match.get("dst", "::/0"), strict=False))

    def judge_frame(self, port: int, frame: bytes) -> Verdict:
        """A frame that has just come by a port."""
        at = _ETHERNET_BYTES - 2
        for _ in range(MOST_TAGS):
            if word(frame, at) in _TAGS:
                at += 4
        kind = word(frame, at)
        if kind in _TAGS:
            return Verdict(Reason.UNREADABLE if port in self._roles else None)
        return self.judge(port, frame[at + 2 :]) if kind in (0x86DD, 0x0800) else Verdict()

    def judge(self, port: int, data: bytes) -> Verdict:
        """An IP packet that has just come by a port."""
        role = self._roles.get(port)
        if role is None:
            return Verdict()
        if _is_ipv4(data):
            return Verdict(self._judge_ipv4(role, port, data))
        if not _is_ipv6(data):
            return Verdict()
        source, destination = IPv6Address(data[8:24]), IPv6Address(data[24:40])
        if destination in INTERNAL_V6:
            return Verdict(Reason.INTERNAL)
        if role.name == "internal":
            strange = role.parameters["known_sources"] and not self._is_of_the_domain(source)
            return Verdict(Reason.UNKNOWN_SOURCE if strange and self._is_sid(destination) else None)
        peer = _longest(source, self._peers.get(port, []))
        if peer is not None:
            return Verdict(self._judge_what_is_inside(port, data, 1), peer)
        return Verdict(self._judge_from_outside(role, port, data))

    def _judge_ipv4(self, role: Action, port: int, data: bytes) -> Reason | None:
        if IPv4Address(data[16:20]) in INTERNAL_V4:
            return Reason.INTERNAL
        return self._judge_inner_ipv4(port, data, 0) if role.name == "external" else None

    def _judge_from_outside(self, role: Action, port: int, data: bytes) -> Reason | None:
        source, destination = IPv6Address(data[8:24]), IPv6Address(data[24:40])
        if self._is_of_the_domain(source):
            return Reason.SOURCE
        if self._is_sid(destination):
            return Reason.SID
        chain = walk(data, self._srh_type)
        if chain.long:
            return Reason.UNREADABLE
        if role.parameters["drop_srh"] and (chain.has_srh or chain.cut):
            return Reason.SRH
        return self._judge_what_is_inside(port, data, 1)

    def _judge_what_is_inside(self, port: int, data: bytes, packets: int) -> Reason | None:
        """Judges the packet that a node of the domain decapsulates from a packet to a SID."""
        if _longest(IPv6Address(data[24:40]), self._sids) is None:
            return None
        chain = walk(data)
        if chain.long or chain.cut:
            return Reason.UNREADABLE
        if chain.later:
            return None
        if chain.protocol == UDP:
            return self._judge_gtp(port, data, chain.at, packets)
        if chain.protocol in (IPV6, IPV4):
            return self._judge_inner(port, data[chain.at :], packets)
        return None

    def _judge_gtp(self, port: int, data: bytes, at: int, packets: int) -> Reason | None:
        if word(data, at + 2) != GTP_PORT:
            return None
        inner = payload_at(data, at)
        return None if inner is None else self._judge_inner(port, data[inner:], packets)

    def _judge_inner(self, port: int, data: bytes, packets: int) -> Reason | None:
        """Judged as if it had come without encapsulation, except that no source may reach a SID."""
        if packets == MOST_PACKETS:
            return Reason.UNREADABLE
        if _is_ipv4(data):
            if IPv4Address(data[16:20]) in INTERNAL_V4:
                return Reason.INTERNAL
            return self._judge_inner_ipv4(port, data, packets)
        if not _is_ipv6(data):
            return None
        source, destination = IPv6Address(data[8:24]), IPv6Address(data[24:40])
        if destination in INTERNAL_V6:
            return Reason.INTERNAL
        if self._is_of_the_domain(source) and _longest(source, self._peers.get(port, [])) is None:
            return Reason.SOURCE
        if self._is_sid(destination):
            return Reason.SID
        return self._judge_what_is_inside(port, data, packets + 1)

    def _judge_inner_ipv4(self, port: int, data: bytes, packets: int) -> Reason | None:
        """GTP-U that this node translates; a fragment is carried as it is, and nothing is taken out of it."""
        mapped = IPv6Address(b"\0" * 10 + b"\xff\xff" + data[16:20])
        if data[9] != UDP or word(data, 6) & 0x3FFF or not any(mapped in one for one in self._gtp):
            return None
        return self._judge_gtp(port, data, (data[0] & 15) * 4, packets + 1)

    def _is_sid(self, destination: IPv6Address) -> bool:
        prefix = _longest(destination, self._sids)
        return prefix is not None and self._sids[prefix]

    def _is_of_the_domain(self, source: IPv6Address) -> bool:
        return any(source in prefix for prefix in self._sources)


def _is_ipv6(data: bytes) -> bool:
    return len(data) >= IPV6_BYTES and data[0] >> 4 == 6


def _is_ipv4(data: bytes) -> bool:
    return len(data) >= 20 and data[0] >> 4 == 4 and data[0] & 15 >= 5


def _longest(address: IPv6Address, prefixes: Sequence[IPv6Network] | dict[IPv6Network, bool]) -> IPv6Network | None:
    return max((prefix for prefix in prefixes if address in prefix), key=lambda prefix: prefix.prefixlen, default=None)


def walk(data: bytes, srh_type: int | None = SRH_TYPE) -> Chain:
    """The extension headers of an IPv6 packet; behind a fragment header on if it is of a whole or a first one."""
    data = data[: IPV6_BYTES + word(data, 4)]
    kind, at, count, has_srh = data[6], IPV6_BYTES, 0, False
    while kind in _EXTENSIONS:
        count += 1
        head = data[at : at + 8]
        if count > MOST_HEADERS:
            return Chain(kind, at, has_srh, long=True)
        if len(head) < 8:
            return Chain(kind, at, has_srh, cut=True)
        if kind == ROUTING and head[2] == (head[2] if srh_type is None else srh_type):
            has_srh = True
        if kind == FRAGMENT and word(head, 2) >> 3:
            return Chain(head[0], at + 8, has_srh, later=True)
        at += {FRAGMENT: 8, AH: 4 * (head[1] + 2)}.get(kind, 8 * (head[1] + 1))
        kind = head[0]
        if at > len(data):
            return Chain(kind, at, has_srh, cut=True)
    return Chain(kind, at, has_srh)
