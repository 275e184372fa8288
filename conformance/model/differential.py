# SPDX-License-Identifier: Apache-2.0
"""The same packets through a node and through the model: where they part."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from ipaddress import ip_address
from itertools import islice

from nodes import packets
from nodes.bench import Bench
from nodes.wire import Frame

from .node import ReferenceNode, Sent

_BURST = 20
_FROM_THE_NODE = re.compile(b"\x3a" + b"." + re.escape(ip_address(packets.SOURCE).packed), re.DOTALL)


@dataclass(frozen=True)
class Difference:
    """A packet, the model's output (or why there is none), and the node's."""

    sent: Frame
    model: Sent | None
    reason: str
    got: list[Frame]

    def __str__(self) -> str:
        lines = [f"in    {self.sent.data.hex()}"]
        wanted = f"{self.model.frame.port} {self.model.frame.data.hex()}" if self.model else f"nothing: {self.reason}"
        lines.append(f"model {wanted}")
        lines += [f"node  {frame.port} {frame.data.hex()}" for frame in self.got] or ["node  nothing"]
        if self.model and len(self.got) == 1:
            lines.append(packets.difference(self.got[0].data, self.model.frame.data))
        return "\n".join(lines)


def differences(bench: Bench, model: ReferenceNode, frames: Iterator[Frame]) -> Iterator[Difference]:
    """Sends the frames in bursts; one that does not come out as the model says goes through once more, one by one."""
    while burst := list(islice(frames, _BURST)):
        if not _agree(_through(bench, model, burst), [model.forward(frame) for frame in burst]):
            yield from filter(None, (difference(bench, model, frame) for frame in burst))


def difference(bench: Bench, model: ReferenceNode, frame: Frame) -> Difference | None:
    """How node and model part over one frame; None if they do not."""
    wanted = model.forward(frame)
    got = _through(bench, model, [frame])
    return None if _agree(got, [wanted]) else Difference(frame, wanted, model.why_discarded(frame), got)


def _through(bench: Bench, model: ReferenceNode, burst: Sequence[Frame]) -> list[Frame]:
    expected = sum(model.forward(frame) is not None for frame in burst)
    return bench.send(burst[0].port, *(frame.data for frame in burst), at_least=expected)


def _agree(got: Sequence[Frame], wanted: Sequence[Sent | None]) -> bool:
    """True if the wanted frames came, in any order, and nothing else but ICMP errors."""
    rest = list(got)
    for sent in sorted(filter(None, wanted), key=lambda one: one.any_label):
        match = next((frame for frame in rest if _is(frame, sent)), None)
        if match is None:
            return False
        rest.remove(match)
    return all(_is_icmp_error(frame.data) for frame in rest)


def _is_icmp_error(frame: bytes) -> bool:
    """From the node, to the sender of a packet: if that is somewhere that a policy leads to, inside an outer header."""
    return packets.is_icmp_error(frame) or _FROM_THE_NODE.search(frame) is not None


def _is(frame: Frame, sent: Sent) -> bool:
    if not sent.any_label:
        return frame == sent.frame
    return frame.port == sent.frame.port and packets.unlabelled(frame.data) == packets.unlabelled(sent.frame.data)
