# SPDX-License-Identifier: Apache-2.0
"""Attacks on the edge of a network: every packet must be dropped where it enters, and counted."""

import ipaddress
from collections import Counter
from collections.abc import Iterable, Sequence

from outside import Namespaces, Outsider, watching
from scapy.packet import Packet
from sextantlab.counters import Counters
from sextantlab.processes import until

_PATIENCE_SECONDS = 30


def sids(counters: dict[str, Counters]) -> dict[str, dict[ipaddress.IPv6Network, int]]:
    """How many packets each node has counted at each of its SIDs."""
    return {node: one.sids() for node, one in counters.items()}


def dropped(counters: dict[str, Counters]) -> Counter[tuple[str, int, str]]:
    """Packets that edges have dropped, by node, port and reason."""
    return Counter({(node, *key): count for node, one in counters.items() for key, count in one.dropped().items()})


class Attack:
    """Packets of hosts: all must be dropped and counted where they enter, and no SID may count any."""

    def __init__(self, network: Namespaces, members: Sequence[str], counters: dict[str, Counters], reason: str) -> None:
        self._network, self._members, self._counters, self._reason = network, members, counters, reason
        self._sids = sids(counters)
        self._before = dropped(counters)
        self._sent: Counter[tuple[str, int, str]] = Counter()
        self.count = 0

    def send(self, outsider: Outsider, packets: Iterable[Packet | bytes]) -> None:
        """Packets go to the router of the host, whole frames as they are."""
        place = (outsider.node, outsider.port, self._reason)
        with watching(self._network, self._members) as seen:
            for packet in packets:
                if isinstance(packet, bytes):
                    outsider.send_frame(packet)
                else:
                    outsider.send(packet)
                self._sent[place] += 1
                self.count += 1
                if self._sent[place] % outsider.frames_at_once == 0:
                    self._await(place)
            self._await(place)
        entry = outsider.host.location.name
        elsewhere = {
            at: count for at, count in seen.items() if at[0] not in (outsider.name,) and at[1:] != (entry, False)
        }
        assert not elsewhere, f"packets of {outsider.name} got to {elsewhere}"

    def _await(self, place: tuple[str, int, str]) -> None:
        def counted() -> int:
            node, port, reason = place
            return self._counters[node].dropped_at(port, reason) - self._before[place]

        assert until(lambda: counted() >= self._sent[place], _PATIENCE_SECONDS), (
            f"{place}: {counted()} dropped of {self._sent[place]} sent"
        )

    def check(self) -> None:
        now = dropped(self._counters)
        now.subtract(self._before)
        assert {place: count for place, count in now.items() if count} == dict(self._sent)
        assert sids(self._counters) == self._sids
