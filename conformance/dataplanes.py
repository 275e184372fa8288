# SPDX-License-Identifier: Apache-2.0
"""The five experiments of the uSID paper (section VII, Table III) on every data plane; JSON on standard output.

    un       IPv6 in IPv6, 118 bytes        the container is shifted, no SRH
    un pad   the same, 158 bytes            as long as the ones below
    un srh   IPv6 and SRH, 158 bytes        the container is shifted, the SRH is left alone
    un end   IPv6 and SRH, 158 bytes        the container is empty: the next segment
    end      IPv6 and SRH, 158 bytes        plain End, the reference

A sample is the share of End's rate in the same round, where each takes a tenth of a second: the machine does other
things too, and rates of different rounds do not compare. Packets are sent in batches and counted where they come out,
with a bounded number in flight.
"""

import contextlib
import ctypes
import functools
import json
import os
import socket
import struct
import sys
import time
from collections.abc import Callable, Iterator

from measure import open_bench
from nodes.bench import Bench
from nodes.packets import outer, routed, v6
from nodes.target import TARGETS, missing
from scapy.packet import Packet, Raw
from sextantlab import netns
from sextantlab.blast import Message, Vector

_ROUNDS = 60
_SECONDS = 0.1
_BATCH = 32
_IN_FLIGHT = 192
_WARM_UP = 3200
# Packets that do not come out for this long are lost, and others may be sent for them.
_LOST_SECONDS = 0.05
_ETH_P_ALL, _SOL_PACKET, _PACKET_STATISTICS, _PACKET_IGNORE_OUTGOING = 3, 263, 6, 23
_INNER_BYTES = 16
_PADDING_BYTES = 40


def _inner(padding: int = 0) -> Packet:
    packet = v6()
    packet[Raw].load = bytes(_INNER_BYTES + padding)
    return packet.__class__(bytes(_without_lengths(packet)))


def _without_lengths(packet: Packet) -> Packet:
    """So that they are computed anew."""
    for layer, fields in (("IPv6", ("plen",)), ("UDP", ("len", "chksum"))):
        for field in fields:
            packet[layer].delfieldval(field)
    return packet


_NEXT, _UN, _END = "fcbb:bbbb:300:f00d::", "fcbb:bbbb:100::", "fcbb:bbbb:900::"
_SHIFTED = "fcbb:bbbb:100:200:300:f00d::"
EXPERIMENTS: dict[str, Callable[[], Packet]] = {
    "un": lambda: outer(_SHIFTED, _inner()),
    "un pad": lambda: outer(_SHIFTED, _inner(_PADDING_BYTES)),
    "un srh": lambda: routed("fcbb:bbbb:100:200::", 1, [_NEXT, "fcbb:bbbb:100:200::"], _inner()),
    "un end": lambda: routed(_UN, 1, [_NEXT, _UN], _inner()),
    "end": lambda: routed(_END, 1, [_NEXT, _END], _inner()),
}
_BYTES = {"un": 118}
_WHOLE_BYTES = 158


class Burst:
    """Batches of one frame into an interface, and how many frames come out of another."""

    def __init__(self, namespace: str, into: str, out_of: str) -> None:
        self._sender, self._counter = (
            netns.inside(namespace, functools.partial(_open, name)) for name in (into, out_of)
        )
        self._libc = ctypes.CDLL(None, use_errno=True)

    def close(self) -> None:
        self._sender.close()
        self._counter.close()

    def arrived(self) -> int:
        """Frames since the last call, whether or not there was room for them."""
        packets, _ = struct.unpack("II", self._counter.getsockopt(_SOL_PACKET, _PACKET_STATISTICS, 8))
        return int(packets)

    def rate(self, frame: bytes, frames: int) -> float:
        """Frames per second from the first one sent to the last one that came out."""
        vector = Vector(frame, len(frame))
        messages = (Message * _BATCH)(
            *(Message(vector=ctypes.addressof(vector), vectors=1) for _ in range(_BATCH))
        )  # fmt: skip
        self.arrived()
        sent = total = lost = 0
        start = moved = time.perf_counter()
        while total + lost < frames:
            came, now = self.arrived(), time.perf_counter()
            if came:
                total, moved = total + came, now
            elif now > moved + _LOST_SECONDS:
                lost, moved = sent - total, now
            if sent < frames and sent - total - lost + _BATCH <= _IN_FLIGHT:
                done = self._libc.sendmmsg(self._sender.fileno(), messages, _BATCH, 0)
                if done < 0:
                    raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
                sent += done
        return total / (moved - start)


def _open(interface: str) -> socket.socket:
    wire = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(_ETH_P_ALL))
    wire.setsockopt(_SOL_PACKET, _PACKET_IGNORE_OUTGOING, 1)
    wire.bind((interface, _ETH_P_ALL))
    return wire


def measure(bench: Bench) -> Iterator[dict[str, float]]:
    """Packets per second of every experiment, round by round, after one packet of each that must come out."""
    bench.underlay()
    bench.my_sid("fcbb:bbbb:100::/48", "un", block_length=32, csid_length=16)
    bench.my_sid(f"{_END}/128", "end")
    frames = {name: bench.into(1, build()).data for name, build in EXPERIMENTS.items()}
    for name, frame in frames.items():
        if len(frame) != _BYTES.get(name, _WHOLE_BYTES):
            raise ValueError(f"{name}: {len(frame)} bytes")
        if [one.port for one in bench.send(1, frame, at_least=1)] != [2]:
            raise ValueError(f"{bench.target.name} does not forward '{name}'")
    ports = bench.target.ports
    with contextlib.closing(
        Burst(bench.target.wire_namespace, ports[1].far_interface, ports[2].far_interface)
    ) as burst:
        count = _BATCH * max(1, round(burst.rate(frames["end"], _WARM_UP) * _SECONDS / _BATCH))
        for _ in range(_ROUNDS):
            yield {name: burst.rate(frame, count) for name, frame in frames.items()}
    bench.forget()


def main() -> None:
    samples: dict[tuple[str, str], list[float]] = {}
    for target in sorted(TARGETS):
        if missing(target):
            print(f"skipped: {target}: {missing(target)}", file=sys.stderr)
            continue
        with contextlib.ExitStack() as stack:
            bench = open_bench(stack, stack.enter_context(TARGETS[target]()))
            for rates in measure(bench):
                reference = rates.pop("end")
                for name, rate in rates.items():
                    samples.setdefault((f"{target}: {name}", "of End"), []).append(rate / reference)
                samples.setdefault((f"{target}: end", "packets/s"), []).append(reference)
    print(json.dumps([{"name": name, "unit": unit, "samples": rates} for (name, unit), rates in samples.items()]))


if __name__ == "__main__":
    main()
