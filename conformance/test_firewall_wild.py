# SPDX-License-Identifier: Apache-2.0
"""Firewalls that understand segments (SERA, End.AN; docs/reference/firewall-node.md).

Any program, against a model that moves along a list of atoms and shifts nothing.
"""

from ipaddress import IPv6Address
from random import Random

import pytest
from model.sera import VERDICTS, moved, number
from nodes.bench import Bench
from nodes.firewall_kit import EVAL_ARGS, PLAIN, UDP, dropped, ipv6, outer, routed, rule, sent_to, udp, whole

PLANES = ("firewalls",)
pytestmark = pytest.mark.usefixtures("has_firewalls")


# --- any program


_BLOCK = number("fcbb:bbbb::") >> 96
_GLOBAL, _LOCAL = range(0x300, 0x900), range(0xE000, 0xF000)


def any_program(random: Random) -> tuple[int, int, list[int] | None]:
    """Destination, Segments Left and list of a packet to the firewall: atoms, packed or not."""
    form = PLAIN

    def usids(room: int) -> list[int]:
        found: list[int] = []
        while room and random.random() < 0.85:
            count = min(room, random.choice((1, 1, 2, 2, 3)))
            found += [random.choice(_GLOBAL), *(random.choice(_LOCAL) for _ in range(count - 1))]
            room -= count
        return found

    own = form.container(_BLOCK, [0x200, 0xF230 | random.randrange(4), *usids(4)])
    if random.random() < 0.2:
        return own, 0, None
    segments = [
        number(f"fc00:{random.randrange(1, 99):x}::1") if random.random() < 0.2
        else form.container(_BLOCK, usids(6) or [random.choice(_GLOBAL)])
        for _ in range(random.randrange(1, 6))
    ]  # fmt: skip
    return own, random.randrange(len(segments) + 1), segments


def test_any_program_moves_by_atoms(firewall: Bench, seed: int) -> None:
    """SERA, 4: the operation on bytes is the one on a list of atoms (model/sera.py)."""
    rule(firewall, EVAL_ARGS)
    random = Random(seed)
    before = dropped(firewall)
    unable = bad = passed = 0
    for first in range(0, 400, 20):
        sent: list[bytes] = []
        wanted: list[bytes] = []
        for count in range(first, first + 20):
            destination, left, segments = any_program(random)
            packet = carrying(destination, left, segments, ipv6(udp(count, 53), UDP))
            sent.append(packet)
            args = destination >> 64 & 0xF
            after = moved(PLAIN, VERDICTS[args], destination, left, segments or []) if args < len(VERDICTS) else None
            if after is not None:
                wanted.append(sent_to(packet, str(IPv6Address(after[0])), None if segments is None else after[1]))
            bad += args >= len(VERDICTS)
            unable += args < len(VERDICTS) and after is None
        got = firewall.send(1, *map(whole, sent), at_least=len(wanted))
        came = sorted(frame.data for frame in got if frame.port == 2)
        assert came == sorted(firewall.out_of(2, whole(one)).data for one in wanted)
        passed += len(wanted)
    assert passed > 200
    assert min(unable, bad) > 20
    counted = dropped(firewall)
    assert counted["unable"] == before["unable"] + unable
    assert counted["bad arguments"] == before["bad arguments"] + bad


def carrying(destination: int, left: int, segments: list[int] | None, inner: bytes) -> bytes:
    address = str(IPv6Address(destination))
    if segments is None:
        return outer(address, inner)
    return routed(address, left, [str(IPv6Address(one)) for one in segments], inner)
