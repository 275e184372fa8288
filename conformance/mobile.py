# SPDX-License-Identifier: Apache-2.0
"""The cost of a packet of GTP for a gateway: Figure 6 of the mobile paper (processor time against segments).

Each variant is one node between two wires, on Linux and on bmv2: nothing at all, IPv6 forwarded, GTP given to another
tunnel (bench/gtp), GTP turned into SRv6 with 1 to 6 segments, SRv6 into GTP. On Linux a packet is forwarded in its
sender's time, so that is measured, the sending included; of bmv2 it is the switch's process. Variants take turns within
a round, so that all meet the same machine.

    PYTHONPATH=lab:. build/venv/bin/python conformance/mobile.py [--rounds N] > results.json
"""

import argparse
import contextlib
import functools
import json
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from measure import open_bench
from nodes import packets
from nodes.bench import Bench
from nodes.p4runtime import Action, Value
from nodes.target import KINDS, TARGETS, Target, kernel_target, missing
from scapy.layers.inet import IP, UDP
from scapy.layers.inet6 import IPv6
from scapy.packet import Packet, Raw
from sextantlab import gtp, netns, peers, processes, radio
from sextantlab.blast import Sender
from sextantlab.paths import LOGS

_ROUNDS = 7
_SEGMENTS = range(1, 7)
_GNB, _UPF, _TEID = "192.0.2.1", "198.51.100.1", 1
_INNER = bytes(IP(src="10.60.0.1", dst="198.18.0.7", ttl=64) / UDP(sport=40000, dport=9) / Raw(bytes(472)))
_LAST = "fcbb:bbbb:305::"
# A switch of bmv2 takes some 100 us for a packet, Linux less than 2.
_FRAMES = {"linux": 60_000, "bmv2": 300}
_PACE = {"bmv2": 500}
_NANOS = 1e9
_ATTEMPTS = 5
_DRAIN_SECONDS = 10


def uplink() -> Packet:
    """As a gNB sends it: UDP without a checksum."""
    return IP(src=_GNB, dst=_UPF, ttl=64) / UDP(sport=2152, dport=2152, chksum=0) / Raw(radio.message(_INNER, _TEID, 9))


def program(bench: Bench) -> dict[str, Packet]:
    """The rows of every variant, each with a packet that it takes."""
    bench.underlay()
    bench.route("route_v4", "192.0.2.0/24", 1)
    bench.route("route_v4", "198.51.100.0/24", 2)
    bench.route("route_v4", "198.18.0.0/24", 2)
    bench.my_sid("fcbb:bbbb:100:f004::/64", "udt4", vrf=0)
    ended = IPv6(src="fcff:3::1", dst="fcbb:bbbb:100:f004:2400:0:100::", nh=4) / Raw(_INNER)
    bench.my_sid("fcbb:bbbb:105::/48", "gtp4_e", at=48, source_at=48, pdu_type=0, container=2, udp_source=0)
    back = IPv6(src="fcbb:bbbb:104:c633:6401::", dst="fcbb:bbbb:105:c633:6401:2400:0:100", nh=4) / Raw(_INNER)
    variants = {"IPv6 forwarded": packets.v6(), "SRv6 to GTP": back, "SRv6 ended (uDT4)": ended}
    for count in _SEGMENTS:
        bench.sid_list(count, (1, [*(f"fcbb:bbbb:{0x400 + n:x}::" for n in range(count - 1)), _LAST]))
        upf = f"198.51.100.{count}"
        parameters: dict[str, Value] = {
            "sid_list": count, "args_at": 80, "address_at": 48, "source": "fcbb:bbbb:104::", "source_at": 48,
            "keep_destination": 0, "drop_sequence": 0,
        }  # fmt: skip
        match: dict[str, Value] = {"vrf": 0, "dst": f"::ffff:{upf}/128", "way": "4&7"}
        bench.insert("gtp_rule", match, Action("gtp_d", parameters), priority=20)
        packet = uplink()
        packet.dst = upf
        variants[f"GTP to SRv6, {count} segment{'s' if count > 1 else ''}"] = packet
    return variants


class Meter:
    """Processor nanoseconds per packet of one node."""

    def __init__(self, target: Target, kind: str) -> None:
        self._target, self._kind = target, kind
        self._far = {number: port.far_interface for number, port in target.ports.items()}

    def nanos(self, frame: bytes, *, share: float = 1.0) -> float:
        """With a share of 0 nothing comes out.

        Where the kernel left packets to its own thread, which a busy machine makes it do, some are lost and the time is
        not the sender's: that is measured again.
        """
        for _ in range(_ATTEMPTS):
            spent, arrived = self._once(frame)
            if 0.99 * share <= arrived <= 1.01 * share:
                return spent
        raise ValueError(f"{self._target.name}: {100 * arrived:.0f} % of the packets came out")

    def _once(self, frame: bytes) -> tuple[float, float]:
        count, before = _FRAMES[self._kind], self._arrived()
        sender = Sender(self._target.wire_namespace, self._far[1], [frame])
        with contextlib.closing(sender):
            spent = self._switch(sender, count) if self._kind == "bmv2" else _sending(sender, count)
        return spent * _NANOS / count, (self._arrived() - before) / count

    def _switch(self, sender: Sender, count: int) -> float:
        before, came = self._process_seconds(), self._arrived()
        start = time.monotonic()
        sent = 0
        while sent < count:
            time.sleep(max(0.0, start + sent / _PACE["bmv2"] - time.monotonic()))
            sent += sender.batch(1)
        deadline = time.monotonic() + _DRAIN_SECONDS
        while self._arrived() - came < count and time.monotonic() < deadline:
            time.sleep(0.01)
        return self._process_seconds() - before

    def _process_seconds(self) -> float:
        pids = netns.ip("netns", "pids", self._target.namespace).split()
        tasks = [task for pid in pids for task in Path(f"/proc/{pid}/task").iterdir()]
        return sum(int((task / "schedstat").read_text().split()[0]) for task in tasks) / _NANOS

    def _arrived(self) -> int:
        return gtp.received(self._target.wire_namespace, self._far[2])


def _sending(sender: Sender, count: int) -> float:
    spent, sent = 0.0, 0
    while sent < count:
        before = time.thread_time()
        sent += sender.batch()
        spent += time.thread_time() - before
    return spent


@contextlib.contextmanager
def measured(kind: str) -> Iterator[dict[str, Callable[[], float]]]:
    """The variants of a data plane, each to be measured as often as wanted."""
    with contextlib.ExitStack() as stack:
        target = stack.enter_context(TARGETS[kind]())
        bench = open_bench(stack, target)
        meter = Meter(target, kind)
        variants: dict[str, Callable[[], float]] = {}
        for name, packet in program(bench).items():
            if [one.port for one in bench.send(1, packet, at_least=1)] != [2]:
                raise ValueError(f"{kind} does not forward '{name}'")
            variants[name] = functools.partial(meter.nanos, bench.into(1, packet).data)
        # Sockets at the wires would have a copy of every packet, and the processor's time for it.
        bench.wires.__exit__()
        if kind == "linux":
            # A frame for another MAC address; a switch of bmv2 does not look at it.
            ignored = bytes.fromhex("020000000fff") + bench.into(1, packets.v6()).data[6:]
            variants["sent and ignored"] = functools.partial(meter.nanos, ignored, share=0.0)
            bare = stack.enter_context(kernel_target("n9"))
            variants["GTP to another tunnel"] = functools.partial(_swapped(bare).nanos, bench.into(1, uplink()).data)
            variants["GTP ended by eUPF"] = functools.partial(_anchored(stack).nanos, bench.into(1, uplink()).data)
        elif lacks := gtp.switch_lacks():
            print(f"skipped: GTP to another tunnel on bmv2: {lacks}", file=sys.stderr)
        else:
            swapping = stack.enter_context(_swapping())
            variants["GTP to another tunnel"] = functools.partial(swapping.nanos, bench.into(1, uplink()).data)
        yield variants
        bench.forget()


def _swapped(target: Target) -> Meter:
    """A node that does N9 as GTP does it, and nothing else."""
    gtp.attach(target.namespace, "p1", "swap")
    _connected(target, {"p1": ("198.51.100.1/24", "198.51.100.2"), "p2": ("203.0.113.1/24", "203.0.113.2")})
    netns.ip("route", "add", gtp.NEXT_UPF, "via", "203.0.113.2", namespace=target.namespace)
    return Meter(target, "linux")


@contextlib.contextmanager
def _swapping() -> Iterator[Meter]:
    """A switch that does the same, with the program of bench/gtp."""
    with kernel_target("n9") as target:
        here = target.ports[2]
        route = gtp.Route(gtp.NEXT_UPF, 2, here.mac, here.neighbor_mac)
        program = gtp.program("gateway", [gtp.Tunnel(_UPF, _TEID, _TEID + 2)], [route])
        switch = gtp.start_switch(target.namespace, {1: "p1", 2: "p2"}, program, LOGS / "n9-gateway.log")
        try:
            yield Meter(target, "bmv2")
        finally:
            processes.stop(switch)


def _anchored(stack: contextlib.ExitStack) -> Meter:
    """A node that is another UPF (eUPF; its XDP in generic mode, as on any veth), with a session of an SMF."""
    target = stack.enter_context(kernel_target("eupf"))
    _connected(target, {"p1": ("198.51.100.1/24", "198.51.100.2"), "p2": ("203.0.113.1/24", "203.0.113.2")})
    netns.ip("link", "set", "lo", "up", namespace=target.namespace)
    netns.ip("route", "add", "198.18.0.0/24", "via", "203.0.113.2", namespace=target.namespace)
    folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
    stack.enter_context(peers.upf(target.namespace, ["p1", "p2"], _UPF, folder))
    smf = stack.enter_context(peers.Smf(target.namespace, "p1", _UPF, folder))
    smf.session(_TEID, "10.60.0.0/24", _GNB)
    peers.unlimited(target.namespace)
    return Meter(target, "linux")


def _connected(target: Target, ports: dict[str, tuple[str, str]]) -> None:
    """Addresses of ports, and neighbors behind them that answer no question."""
    netns.sysctl(target.namespace, {"net.ipv4.ip_forward": "1"})
    for number, (port, (address, neighbor)) in enumerate(ports.items(), 1):
        netns.ip("addr", "add", address, "dev", port, namespace=target.namespace)
        far = ["lladdr", target.ports[number].neighbor_mac, "dev", port]
        netns.ip("neigh", "add", neighbor, *far, namespace=target.namespace)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=_ROUNDS)
    rounds = parser.parse_args().rounds
    samples: dict[str, list[float]] = {}
    for kind in ("linux", "bmv2"):
        lacks = missing(kind) or _lacks(kind)
        if lacks:
            print(f"skipped: {kind}: {lacks}", file=sys.stderr)
            continue
        with measured(kind) as variants:
            try:
                for name, measure in [*variants.items()] * rounds:
                    nanos = measure()
                    samples.setdefault(f"{kind}: {name}", []).append(nanos)
            except ValueError as problem:
                print(f"{kind} is not measured further: {name}: {problem}", file=sys.stderr)
    print(f"load {os.getloadavg()[0]:.2f}", file=sys.stderr)
    print(json.dumps([{"name": name, "unit": "ns", "samples": nanos} for name, nanos in samples.items()]))


def _lacks(kind: str) -> str:
    return "" if "gtp_rule" in KINDS[kind].p4info.read_text() else "its P4Info has no gtp_rule (mobile sessions)"


if __name__ == "__main__":
    main()
