# SPDX-License-Identifier: Apache-2.0
"""The verdicts of a firewall (SERA) as moves along a list of atoms; nothing is shifted here.

An atom is a global uSID and the local ones behind it, or a segment of another block. A packet's program is the atoms
behind its active SID: those of the rest of its container, then those of list[Segments Left - 1] down to list[0].
"""

from collections.abc import Sequence
from dataclasses import dataclass
from ipaddress import IPv6Address

ADDRESS_BITS = 128
VERDICTS = ("go_next", "skip_next", "go_last")


@dataclass(frozen=True)
class Format:
    """Lengths in bits. `csid`: node and function of the firewall's SID; `usid` 0: no containers."""

    block: int = 32
    csid: int = 32
    usid: int = 16
    args: int = 4
    local_start: int = 0xE000

    @property
    def capacity(self) -> int:
        """uSIDs behind the block of a container."""
        return (ADDRESS_BITS - self.block) // self.usid

    def block_of(self, address: int) -> int:
        return address >> ADDRESS_BITS - self.block

    def usids(self, address: int, skipped: int) -> list[int]:
        """The uSIDs of a container behind some of its bits, up to the last that is not 0."""
        found = [
            address >> ADDRESS_BITS - self.usid - at & (1 << self.usid) - 1
            for at in range(skipped, ADDRESS_BITS - self.usid + 1, self.usid)
        ]
        while found and found[-1] == 0:
            found.pop()
        return found

    def is_global(self, usid: int) -> bool:
        return 0 < usid < self.local_start

    def container(self, block: int, usids: Sequence[int]) -> int:
        address, at = block << ADDRESS_BITS - self.block, ADDRESS_BITS - self.block
        for usid in usids:
            at -= self.usid
            address |= usid << at
        return address


@dataclass(frozen=True)
class Atom:
    """`place`: the Segments Left with which it is in the destination address."""

    place: int
    usids: tuple[int, ...] = ()
    segment: int = 0  # of another block, or a container of nothing


def atoms(form: Format, usids: Sequence[int], place: int) -> list[Atom]:
    """The atoms of a container: a local uSID belongs to the one before it."""
    found: list[list[int]] = []
    for usid in usids:
        if found and usid >= form.local_start:
            found[-1].append(usid)
        else:
            found.append([usid])
    return [Atom(place, tuple(one)) for one in found]


def program(form: Format, destination: int, left: int, segments: Sequence[int]) -> list[Atom]:
    """`segments` as they stand in the SRH."""
    found = atoms(form, form.usids(destination, form.block + form.csid), left) if form.usid else []
    for place in reversed(range(left)):
        segment, held = segments[place], list[Atom]()
        if form.usid and form.block_of(segment) == form.block_of(destination):
            held = atoms(form, form.usids(segment, form.block), place)
        found += held or [Atom(place, segment=segment)]
    return found


def moved(form: Format, verdict: str, destination: int, left: int, segments: Sequence[int]) -> tuple[int, int] | None:
    """Destination and Segments Left behind a verdict; None if there is nowhere to go."""
    way = program(form, destination, left, segments)
    index = {"go_next": 0, "skip_next": 1, "go_last": _last(form, way)}[verdict]
    if not 0 <= index < len(way):
        return None
    first = way[index]
    if not first.usids:
        is_empty = form.usid and form.block_of(first.segment) == form.block_of(destination)
        return None if is_empty and verdict == "go_last" else (first.segment, first.place)
    usids = [usid for atom in way[index:] if atom.place == first.place for usid in atom.usids]
    return form.container(form.block_of(destination), usids), first.place


def _last(form: Format, way: Sequence[Atom]) -> int:
    """The last atom that begins with a node; in a container without any, all of it."""
    if not way or not way[-1].usids:
        return len(way) - 1
    of_the_last = [index for index, atom in enumerate(way) if atom.place == way[-1].place]
    nodes = [index for index in of_the_last if form.is_global(way[index].usids[0])]
    return nodes[-1] if nodes else of_the_last[0]


def number(address: str) -> int:
    return int(IPv6Address(address))
