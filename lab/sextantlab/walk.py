# SPDX-License-Identifier: Apache-2.0
"""The planned walk of a policy beside the captured packets: does every node see the bytes of the plan?"""

import ipaddress
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from .capture import Packet


@dataclass(frozen=True)
class Seen:
    """A destination and Segments Left, planned or captured."""

    destination: str
    segments_left: int

    def __str__(self) -> str:
        return f"{self.destination} SL {self.segments_left}"


@dataclass(frozen=True)
class Row:
    """One node of a walk. `captured` has every different header seen there; it should be one, the planned."""

    node: str
    planned: Seen | None
    captured: frozenset[Seen]

    @property
    def ok(self) -> bool:
        return self.planned is not None and self.captured == {self.planned}


def planned(direction: dict[str, Any]) -> list[tuple[str, Seen]]:
    """Node and header on arrival (at the headend: as sent) in the order of travel. A node may appear more than once in
    a plan, when it looks a packet up again; only its first line was on the wire.
    """
    walk: dict[str, Seen] = {}
    for hop in direction["hops"]:
        address = str(ipaddress.IPv6Address(hop["destinationAddress"]))
        walk.setdefault(hop["node"], Seen(address, hop["segmentsLeft"]))
    return list(walk.items())


def compare(direction: dict[str, Any], packets: Iterable[Packet]) -> list[Row]:
    """A row per planned node, then one per node that saw packets without being planned."""
    headend = direction["headend"]
    captured: dict[str, set[Seen]] = {}
    for packet in packets:
        # The headend is where the header is made; everywhere else the arriving packets count.
        if packet.leaving == (packet.node == headend):
            captured.setdefault(packet.node, set()).add(Seen(packet.destination, packet.segments_left))
    rows = [Row(node, seen, frozenset(captured.pop(node, set()))) for node, seen in planned(direction)]
    return rows + [Row(node, None, frozenset(seen)) for node, seen in captured.items()]


def table(rows: Iterable[Row]) -> Iterator[str]:
    """The rows as text."""
    cells = [("node", "planned", "captured", "")]
    for row in rows:
        captured = ", ".join(sorted(map(str, row.captured))) or "nothing"
        cells.append((row.node, str(row.planned or "not on the path"), captured, "ok" if row.ok else "DIFFERENT"))
    widths = [max(len(line[column]) for line in cells) for column in range(4)]
    for line in cells:
        yield "  " + "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
