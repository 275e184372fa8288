# SPDX-License-Identifier: Apache-2.0
"""The entries of a bench, as lookups ask for them."""

from collections.abc import Sequence
from dataclasses import dataclass
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network

from nodes.oracle import Row
from nodes.p4runtime import Action


@dataclass(frozen=True)
class Entry:
    """Where a lookup leads: `kind` is sid, steering or route."""

    kind: str
    network: IPv4Network | IPv6Network
    action: Action

    def number(self, parameter: str) -> int:
        return int(self.action.parameters[parameter])

    @property
    def next_hop(self) -> int | None:
        return self.number("next_hop") if "next_hop" in self.action.parameters else None


class Tables:
    """Entries by their keys; one member per group."""

    def __init__(self, rows: Sequence[Row]) -> None:
        self.adjacencies: dict[int, Action] = {}
        self.lists: dict[int, list[bytes]] = {}
        self.source = b""
        self.rules: list[Row] = []
        self._entries: dict[tuple[int, int], list[Entry]] = {}
        for row in rows:
            self._learn(row)
        for entries in self._entries.values():
            entries.sort(key=lambda entry: -entry.network.prefixlen)

    def _learn(self, row: Row) -> None:
        (action,) = [row.action] if isinstance(row.action, Action) else row.action
        match row.table:
            case "next_hop":
                self.adjacencies[int(row.match["id"])] = action
            case "sid_list":
                self.lists[int(row.match["id"])] = [ip_address(sid).packed for sid in action.parameters.values()]
            case "encap_source":
                self.source = ip_address(action.parameters["source"]).packed
            case "firewall":
                self.rules.append(row)
            case "my_sid":
                self._enter(6, 0, Entry("sid", ip_network(row.match["sid"]), action))
            case table:
                kind, _, family = table.partition("_v")
                self._enter(int(family), int(row.match["vrf"]), Entry(kind, ip_network(row.match["dst"]), action))

    def _enter(self, family: int, vrf: int, entry: Entry) -> None:
        self._entries.setdefault((family, vrf), []).append(entry)

    def matching(self, family: int, vrf: int, destination: bytes) -> list[Entry]:
        """The longest prefix first."""
        address = ip_address(destination)
        return [entry for entry in self._entries.get((family, vrf), []) if address in entry.network]
