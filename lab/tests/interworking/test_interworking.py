# SPDX-License-Identifier: Apache-2.0
"""Data planes beside each other: every combination pings, and the captured packets are the planned ones."""

import ipaddress
import itertools
import json
from collections.abc import Iterator
from typing import Any

import pytest
from interworking.chains import BLOCK, MARKERS, Chain, chains, description, kind_of, missing, usid
from sextantlab.capture import Packet
from sextantlab.paths import BUILD
from story import Story, network

CHAINS = chains()


@pytest.fixture(scope="module")
def running() -> Iterator[Story]:
    """All nodes under one controller."""
    file = BUILD / "lab" / "interworking.json"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(description(CHAINS), indent=2) + "\n")
    kinds = {f"n{number}": kind_of(number) for chain in CHAINS for number in chain.numbers}
    of = {kind: [node for node, its in kinds.items() if its == kind] for kind in missing()}
    with network(str(file), p4=of["bmv2"], vpp=of["vpp"]) as story:
        yield story


@pytest.mark.parametrize("kind", sorted(missing()))
def test_the_combinations_have(kind: str) -> None:
    if missing()[kind]:
        pytest.skip(f"no combination with {kind}: {missing()[kind]}")
    roles = {(kind_of(number), place) for chain in CHAINS for place, number in enumerate(chain.numbers)}
    assert {place for one, place in roles if one == kind} == set(range(4))


@pytest.mark.parametrize("version", [6, 4])
@pytest.mark.parametrize("chain", CHAINS, ids=lambda chain: chain.name)
def test_every_pair_in_every_role(running: Story, chain: Chain, version: int) -> None:
    stored = {back: running.install(chain.policy(version, back=back)) for back in (False, True)}
    left, right = chain.hosts
    try:
        assert running.reaches(left, right, version)
        for back, source, destination in ((False, left, right), (True, right, left)):
            numbers = chain.numbers[:: -1 if back else 1]
            block = BLOCK.removesuffix("::/32")
            (direction,) = running.plan(stored[back])["directions"]
            second, third, last = (usid(number).lstrip("0") for number in numbers[1:])
            assert direction["containers"] == [
                ":".join([block, *[second, third] * 3]), f"{block}:{last}:{MARKERS[version]}::",
            ], "the first container has to end at the third node"  # fmt: skip
            for packets in running.flows(source, destination, version).values():
                assert _arriving(packets, direction["headend"]) == _planned(direction)
    finally:
        for one in stored.values():
            running.rest.delete(f"/srv6/policies/{one['id']}")


Headers = set[tuple[str, str, int]]


def _planned(direction: dict[str, Any]) -> Headers:
    """Node, destination and Segments Left of every header on a wire. A node that looks a packet up again has several
    lines in a row, of which only the first one was.
    """
    hops = [next(group) for _, group in itertools.groupby(direction["hops"], key=lambda hop: hop["node"])]
    return {(hop["node"], str(ipaddress.IPv6Address(hop["destinationAddress"])), hop["segmentsLeft"]) for hop in hops}


def _arriving(packets: list[Packet], headend: str) -> Headers:
    """The packets that arrived at each node; for the headend, those that left it."""
    return {
        (packet.node, packet.destination, packet.segments_left)
        for packet in packets
        if packet.leaving == (packet.node == headend)
    }
