# SPDX-License-Identifier: Apache-2.0
"""No packet of a host of Figure 4 reaches a SID, whatever it looks like, wherever it enters."""

import ipaddress
from collections import Counter
from collections.abc import Iterator

from outside import SWITCH_FRAMES, Outsider, inner, settled, srh, to_a_sid, watching
from scapy.layers.inet6 import IPv6, IPv6ExtHdrDestOpt, IPv6ExtHdrHopByHop, PadN
from scapy.packet import Packet
from sextantlab.counters import Counters
from sextantlab.processes import until
from story import Story

_PATIENCE_SECONDS = 30


def _sids(counters: dict[str, Counters]) -> dict[str, dict[ipaddress.IPv6Network, int]]:
    return {node: one.sids() for node, one in counters.items()}


def _dropped(counters: dict[str, Counters]) -> Counter[tuple[str, int, str]]:
    return Counter({(node, *key): count for node, one in counters.items() for key, count in one.dropped().items()})


class Attack:
    """Packets of hosts: all must be dropped and counted where they enter, and no SID may count any."""

    def __init__(self, story: Story, counters: dict[str, Counters], reason: str) -> None:
        self._story, self._counters, self._reason = story, counters, reason
        self._members = [member.name for member in story.lab.network.members]
        self._sids = _sids(counters)
        self._before = _dropped(counters)
        self._sent: Counter[tuple[str, int, str]] = Counter()
        self.count = 0

    def send(self, outsider: Outsider, packets: Iterator[Packet]) -> None:
        place = (outsider.node, outsider.port, self._reason)
        with watching(self._story, self._members) as seen:
            for packet in packets:
                outsider.send(packet)
                self._sent[place] += 1
                self.count += 1
                if self._sent[place] % SWITCH_FRAMES == 0:
                    self._await(place)
            self._await(place)
        entry = outsider.host.location.name
        elsewhere = {
            at: count for at, count in seen.items() if at[0] not in (outsider.name,) and at[1:] != (entry, False)
        }
        assert not elsewhere, f"packets of {outsider.name} got to {elsewhere}"

    def _await(self, place: tuple[str, int, str]) -> None:
        def dropped() -> int:
            node, port, reason = place
            return self._counters[node].dropped().get((port, reason), 0) - self._before[place]

        assert until(lambda: dropped() >= self._sent[place], _PATIENCE_SECONDS), (
            f"{place}: {dropped()} dropped of {self._sent[place]} sent"
        )

    def check(self) -> None:
        now = _dropped(self._counters)
        now.subtract(self._before)
        assert {place: count for place, count in now.items() if count} == dict(self._sent)
        assert _sids(self._counters) == self._sids


def test_no_packet_of_a_host_reaches_a_sid(
    story: Story, counters: dict[str, Counters], outsiders: list[Outsider]
) -> None:
    story.install({"name": "inside", "from": "h11", "to": "h51", "nodes": ["l1", "l2", "p7", "p6", "v5"]})
    attack = Attack(story, counters, "SID")
    addresses = sorted({sid.network_address for sids in _sids(counters).values() for sid in sids})
    # Between them, behind them, and what the block has beside them.
    block = ipaddress.IPv6Network("fcbb:bbbb::/32")
    addresses += [block.network_address + 1, block.network_address + (0x99 << 80), block.broadcast_address]
    assert len(addresses) > 8 * len(counters), "hardly any SID is known"
    for outsider in outsiders:
        victim = next(other.address for other in outsiders if other.node != outsider.node)
        attack.send(
            outsider,
            (packet for sid in addresses for packet in to_a_sid(outsider.address, str(sid), victim)),
        )
    attack.check()
    print(f"{attack.count} packets of {len(outsiders)} hosts to {len(addresses)} addresses of SIDs")


def test_no_host_speaks_as_a_node_of_the_domain(
    story: Story, counters: dict[str, Counters], outsiders: list[Outsider]
) -> None:
    sources = [str(device["srv6"]["encapSource"]) for device in story.lab.description["devices"].values()]
    sources += ["fcbb:bbbb:100::", "fcbb:bbbb:ffff::1"]
    attack = Attack(story, counters, "SOURCE")
    for outsider in outsiders:
        victim = next(other.address for other in outsiders if other.node != outsider.node)
        packets = [
            packet
            for source in sources
            for packet in (inner(source, victim), IPv6(src=source, dst="fcbb:bbbb:200:f00d::") / inner(source, victim))
        ]
        attack.send(outsider, iter(packets))
    attack.check()


def test_no_node_carries_out_an_srh_that_comes_to_its_own_address(
    story: Story, counters: dict[str, Counters], outsiders: list[Outsider]
) -> None:
    """They are no SIDs, so that they may be written to; the routing header is not looked at there."""
    before = _sids(counters)
    nodes = story.lab.network.nodes
    own = [str(address).partition("/")[0] for node in nodes for port in node.interfaces for address in port.addresses]
    own += [str(device["srv6"]["encapSource"]) for device in story.lab.description["devices"].values()]
    own = [address for address in own if ":" in address]
    members = [member.name for member in story.lab.network.members]
    for outsider in outsiders:
        victim = next(other.address for other in outsiders if other.node != outsider.node)
        freed = inner(outsider.address, victim)
        next_ones = (victim, "fcbb:bbbb:200:f00d::", str(next(iter(before["v5"])).network_address))
        with watching(story, members) as seen:
            for address in own:
                for following in next_ones:
                    header = srh([following, address], 1)
                    options = IPv6ExtHdrHopByHop(options=[PadN()]) / IPv6ExtHdrDestOpt(options=[PadN()])
                    outsider.send(IPv6(src=outsider.address, dst=address) / header / freed)
                    outsider.send(IPv6(src=outsider.address, dst=address) / options / header / freed)
            settled(story, outsider)
        there = {
            at: count for at, count in seen.items() if at[0] in {other.name for other in outsiders} - {outsider.name}
        }
        assert not there, f"packets of {outsider.name} got to {there}"
    assert _sids(counters) == before
