# SPDX-License-Identifier: Apache-2.0
"""The five experiments of the uSID paper (section VII, Table III) on every data plane; JSON on standard output.

    un       IPv6 in IPv6, 118 bytes        the container is shifted, no SRH
    un pad   the same, 158 bytes            as long as the ones below
    un srh   IPv6 and SRH, 158 bytes        the container is shifted, the SRH is left alone
    un end   IPv6 and SRH, 158 bytes        the container is empty: the next segment
    end      IPv6 and SRH, 158 bytes        plain End, the reference

A sample is the share of End's rate in the same round: the machine does other things too, and rates of different rounds
do not compare. Packets are sent in batches and counted where they come out, with a bounded number in flight.
"""

import contextlib
import ctypes
import json
import os
import socket
import struct
import sys
import time
from collections.abc import Callable

from measure import open_bench
from nodes.bench import Bench
from nodes.packets import outer, routed, v6
from nodes.target import TARGETS, missing, present
from nodes.wire import Frame
from scapy.packet import Packet, Raw
from sextantlab import netns

_ROUNDS = 7
_SECONDS = 1.0
_BATCH = 32
_IN_FLIGHT = 192
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
            packet.getlayer(layer).delfieldval(field)
    return packet


def _un(bench: Bench) -> None:
    bench.my_sid("fcbb:bbbb:100::/48", "un", block_length=32, csid_length=16)


def _end(bench: Bench) -> None:
    bench.my_sid("fcbb:bbbb:100::/128", "end")


_NEXT = "fcbb:bbbb:300:f00d::"
EXPERIMENTS: dict[str, tuple[Callable[[Bench], None], Callable[[], Packet]]] = {
    "un": (_un, lambda: outer("fcbb:bbbb:100:200:300:f00d::", _inner())),
    "un pad": (_un, lambda: outer("fcbb:bbbb:100:200:300:f00d::", _inner(_PADDING_BYTES))),
    "un srh": (_un, lambda: routed("fcbb:bbbb:100:200::", 1, [_NEXT, "fcbb:bbbb:100:200::"], _inner())),
    "un end": (_un, lambda: routed("fcbb:bbbb:100::", 1, [_NEXT, "fcbb:bbbb:100::"], _inner())),
    "end": (_end, lambda: routed("fcbb:bbbb:100::", 1, [_NEXT, "fcbb:bbbb:100::"], _inner())),
}
_BYTES = {"un": 118}
_WHOLE_BYTES = 158


class _Message(ctypes.Structure):
    """struct mmsghdr of sendmmsg(2)."""

    _fields_ = [
        ("name", ctypes.c_void_p), ("name_length", ctypes.c_uint32), ("vector", ctypes.c_void_p),
        ("vectors", ctypes.c_size_t), ("control", ctypes.c_void_p), ("control_length", ctypes.c_size_t),
        ("flags", ctypes.c_int), ("sent", ctypes.c_uint),
    ]  # fmt: skip


class _Vector(ctypes.Structure):
    _fields_ = [("base", ctypes.c_char_p), ("length", ctypes.c_size_t)]


class Burst:
    """Batches of one frame into an interface, and how many frames come out of another."""

    def __init__(self, namespace: str, into: str, out_of: str) -> None:
        self._sender, self._counter = (
            netns.inside(namespace, lambda name=name: _open(name)) for name in (into, out_of)
        )
        self._libc = ctypes.CDLL(None, use_errno=True)

    def close(self) -> None:
        self._sender.close()
        self._counter.close()

    def arrived(self) -> int:
        """Frames since the last call, whether or not there was room for them."""
        return struct.unpack("II", self._counter.getsockopt(_SOL_PACKET, _PACKET_STATISTICS, 8))[0]

    def rate(self, frame: bytes, seconds: float) -> float:
        """Frames per second that come out while as many are in flight as may be."""
        vector = _Vector(frame, len(frame))
        messages = (_Message * _BATCH)(
            *(_Message(vector=ctypes.addressof(vector), vectors=1) for _ in range(_BATCH))
        )  # fmt: skip
        self.arrived()
        in_flight = total = 0
        start = moved = time.perf_counter()
        while (now := time.perf_counter()) < start + seconds:
            came = self.arrived()
            if came:
                total, in_flight, moved = total + came, max(0, in_flight - came), now
            elif now > moved + _LOST_SECONDS:
                in_flight, moved = 0, now
            if in_flight + _BATCH <= _IN_FLIGHT:
                sent = self._libc.sendmmsg(self._sender.fileno(), messages, _BATCH, 0)
                if sent < 0:
                    raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
                in_flight += sent
        return total / (time.perf_counter() - start)


def _open(interface: str) -> socket.socket:
    wire = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(_ETH_P_ALL))
    wire.setsockopt(_SOL_PACKET, _PACKET_IGNORE_OUTGOING, 1)
    wire.bind((interface, _ETH_P_ALL))
    return wire


def measure(bench: Bench, name: str) -> float:
    """Packets per second of one experiment, after one packet that must come out."""
    prepare, build = EXPERIMENTS[name]
    bench.underlay()
    prepare(bench)
    frame: Frame = bench.into(1, build())
    if len(frame.data) != _BYTES.get(name, _WHOLE_BYTES):
        raise ValueError(f"{name}: {len(frame.data)} bytes")
    if [one.port for one in bench.send(1, frame.data, at_least=1)] != [2]:
        raise ValueError(f"{bench.target.name} does not forward '{name}'")
    ports = bench.target.ports
    burst = Burst(bench.target.wire_namespace, ports[1].far_interface, ports[2].far_interface)
    try:
        return burst.rate(frame.data, _SECONDS)
    finally:
        burst.close()
        bench.forget()


def main() -> None:
    samples: dict[tuple[str, str], list[float]] = {}
    with contextlib.ExitStack() as stack:
        for name in sorted(TARGETS.keys() - present()):
            print(f"skipped: {name}: {missing(name)}", file=sys.stderr)
        benches = [open_bench(stack, stack.enter_context(TARGETS[name]())) for name in present()]
        for _ in range(_ROUNDS):
            for bench in benches:
                rates = {name: measure(bench, name) for name in EXPERIMENTS}
                reference = rates.pop("end")
                for name, rate in rates.items():
                    samples.setdefault((f"{bench.target.name}: {name}", "of End"), []).append(rate / reference)
                samples.setdefault((f"{bench.target.name}: end", "packets/s"), []).append(reference)
    print(json.dumps([{"name": name, "unit": unit, "samples": rates} for (name, unit), rates in samples.items()]))


if __name__ == "__main__":
    main()
