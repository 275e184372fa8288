# SPDX-License-Identifier: Apache-2.0
"""An IP packet on its path through a node, and the operations on its first header."""

from dataclasses import dataclass, replace

IPV6_BYTES = 40


class Discarded(Exception):  # noqa: N818 (no error: the RFC says so)
    """The node forwards nothing; the text says why."""


@dataclass(frozen=True)
class Packet:
    """An IP packet at a node. Bytes behind its length are no part of it.

    `counted`: this node has lowered the hop limit. `travelling`: this node has pushed the header, or moved it on.
    `any_label`: the flow label is the node's choice. `passes` and `pushed` count lookups and bytes pushed so far.
    `rewritten`: the options of IPv4 have changed.
    """

    family: int
    data: bytes
    vrf: int = 0
    counted: bool = False
    travelling: bool = False
    any_label: bool = False
    passes: int = 1
    pushed: int = 0
    rewritten: bool = False

    @property
    def has_just_come(self) -> bool:
        """From a link, not from a SID or a policy of this node."""
        return self.passes == 1

    @property
    def hop_limit(self) -> int:
        return self.data[7 if self.family == 6 else 8]

    @property
    def source(self) -> bytes:
        return self.data[8:24] if self.family == 6 else self.data[12:16]

    @property
    def destination(self) -> bytes:
        return self.data[24:40] if self.family == 6 else self.data[16:20]

    def with_bytes(self, at: int, value: bytes) -> "Packet":
        return replace(self, data=self.data[:at] + value + self.data[at + len(value) :])

    def with_destination(self, destination: bytes) -> "Packet":
        return self.with_bytes(24, destination)

    def looked_up_again(self) -> "Packet":
        """RFC 8986: "submit the packet to the egress IPv6 FIB lookup"."""
        return replace(self, passes=self.passes + 1)

    def lowered(self) -> "Packet":
        """One hop less, once per node."""
        if self.counted:
            return self
        lower = self.with_bytes(7 if self.family == 6 else 8, bytes([self.hop_limit - 1]))
        if self.family == 4:
            lower = lower.with_bytes(10, self._checksum_after(lower))
        return replace(lower, counted=True)

    def _checksum_after(self, lower: "Packet") -> bytes:
        """RFC 1624, 3: a wrong one stays wrong. With other options it is made anew."""
        total = sum(0xFFFF ^ word(self.data, at) for at in (8, 10)) + word(lower.data, 8)
        if self.rewritten:
            header = lower.data[: 4 * (lower.data[0] & 0xF)]
            total = ones_sum(header[:10] + bytes(2) + header[12:])
        return (0xFFFF ^ _folded(total)).to_bytes(2, "big")


def word(data: bytes, at: int) -> int:
    return int.from_bytes(data[at : at + 2], "big")


def ones_sum(header: bytes) -> int:
    """RFC 1071."""
    return _folded(sum(word(header, at) for at in range(0, len(header), 2)))


def _folded(total: int) -> int:
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return total
