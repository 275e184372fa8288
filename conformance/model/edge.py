# SPDX-License-Identifier: Apache-2.0
"""What becomes of a packet at the edge of the SR domain (RFC 8754, 5.1; pipeconfs/p4src/fixed/edge.p4): whether it is
dropped there and why, and which peer it is of. Written from the contract's words, over bytes."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from ipaddress import IPv6Address, IPv6Network

from nodes.oracle import Row
from nodes.p4runtime import Action

from .headers import AH, FRAGMENT, HOP_BY_HOP, OPTIONS, ROUTING, SRH_TYPE
from .packet import IPV6_BYTES, word

CELLS_OF_A_PORT = 4
# Extension headers that are read. Some targets read fewer, none more than some: tests stay far below, or go far beyond.
MOST_HEADERS = 8
_EXTENSIONS = (HOP_BY_HOP, ROUTING, FRAGMENT, OPTIONS, AH)


class Reason(IntEnum):
    """Cells of edge_dropped, behind 4 times the port."""

    SID = 0
    SRH = 1
    SOURCE = 2
    UNKNOWN_SOURCE = 3


@dataclass(frozen=True)
class Verdict:
    """`reason`: why the packet is dropped. `peer`: the prefix of the row that counts it."""

    reason: Reason | None = None
    peer: IPv6Network | None = None


class Edge:
    """The rows of the four tables."""

    def __init__(self, rows: Sequence[Row], srh_type: int | None = SRH_TYPE) -> None:
        """With None for `srh_type` any routing header is an SRH, as for VPP's ACLs, which do not see its type."""
        self._srh_type = srh_type
        self._roles: dict[int, Action] = {}
        self._sids: dict[IPv6Network, bool] = {}
        self._sources: list[IPv6Network] = []
        self._peers: dict[int, list[IPv6Network]] = {}
        for row in rows:
            self._learn(row)

    def _learn(self, row: Row) -> None:
        if not row.table.startswith("edge_"):
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

    def judge(self, port: int, data: bytes) -> Verdict:
        """An IP packet that has just come by a port."""
        role = self._roles.get(port)
        if role is None or len(data) < IPV6_BYTES or data[0] >> 4 != 6:
            return Verdict()
        source, destination = IPv6Address(data[8:24]), IPv6Address(data[24:40])
        if role.name == "internal":
            strange = role.parameters["known_sources"] and not self._is_of_the_domain(source)
            return Verdict(Reason.UNKNOWN_SOURCE if strange and self._is_sid(destination) else None)
        peer = _longest(source, self._peers.get(port, []))
        if peer is not None:
            return Verdict(peer=peer)
        if self._is_of_the_domain(source):
            return Verdict(Reason.SOURCE)
        if self._is_sid(destination):
            return Verdict(Reason.SID)
        return Verdict(Reason.SRH if role.parameters["drop_srh"] and has_srh(data, self._srh_type) else None)

    def _is_sid(self, destination: IPv6Address) -> bool:
        prefix = _longest(destination, self._sids)
        return prefix is not None and self._sids[prefix]

    def _is_of_the_domain(self, source: IPv6Address) -> bool:
        return any(source in prefix for prefix in self._sources)


def _longest(address: IPv6Address, prefixes: Sequence[IPv6Network] | dict[IPv6Network, bool]) -> IPv6Network | None:
    return max((prefix for prefix in prefixes if address in prefix), key=lambda prefix: prefix.prefixlen, default=None)


def has_srh(data: bytes, srh_type: int | None = SRH_TYPE) -> bool:
    """Whether an SRH stands among the extension headers, or may stand where nobody can read.

    Behind the header of a later fragment is a piece of something, and no header: all headers are in the first one (RFC
    7112, 5), which is read on behind its fragment header.
    """
    data = data[: IPV6_BYTES + word(data, 4)]
    kind, at, count = data[6], IPV6_BYTES, 0
    while kind in _EXTENSIONS:
        count += 1
        head = data[at : at + 8]
        if count > MOST_HEADERS or len(head) < 8:
            return True
        if kind == ROUTING and head[2] == (head[2] if srh_type is None else srh_type):
            return True
        if kind == FRAGMENT and word(head, 2) >> 3:
            return False
        at += {FRAGMENT: 8, AH: 4 * (head[1] + 2)}.get(kind, 8 * (head[1] + 1))
        if at > len(data):
            return True
        kind = head[0]
    return False
