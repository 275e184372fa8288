# SPDX-License-Identifier: Apache-2.0
"""No packet of a host of Figure 4 reaches a SID, whatever it looks like, wherever it enters."""

import ipaddress

from attack import Attack, sids
from outside import Outsider, inner, settled, srh, to_a_sid, watching
from scapy.layers.inet6 import IPv6, IPv6ExtHdrDestOpt, IPv6ExtHdrHopByHop, PadN
from sextantlab.counters import Counters
from story import Story


def _members(story: Story) -> list[str]:
    return [member.name for member in story.lab.network.members]


def test_no_packet_of_a_host_reaches_a_sid(
    story: Story, counters: dict[str, Counters], outsiders: list[Outsider]
) -> None:
    story.install({"name": "inside", "from": "h11", "to": "h51", "nodes": ["l1", "l2", "p7", "p6", "v5"]})
    attack = Attack(story, _members(story), counters, "SID")
    addresses = sorted({sid.network_address for held in sids(counters).values() for sid in held})
    # Between them, behind them, and the rest of the block.
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
    attack = Attack(story, _members(story), counters, "SOURCE")
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
    before = sids(counters)
    nodes = story.lab.network.nodes
    own = [str(address).partition("/")[0] for node in nodes for port in node.interfaces for address in port.addresses]
    own += [str(device["srv6"]["encapSource"]) for device in story.lab.description["devices"].values()]
    own = [address for address in own if ":" in address]
    members = _members(story)
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
    assert sids(counters) == before
