# SPDX-License-Identifier: Apache-2.0
"""How fast nodes are on the same cases, in one run, round by round in turn; JSON on standard output.

Packets are sent and received by one Python process with a fixed number in flight, so that no queue overflows: a rate
of the node with its neighbors, to compare nodes by, and not the most that a node can do.
"""

import contextlib
import json
import sys
import time
from collections.abc import Callable

from nodes.bench import Bench
from nodes.oracle import Case, Oracle, Row
from nodes.p4runtime import DELETE, INSERT, Action, Client
from nodes.packets import outer, v6
from nodes.target import TARGETS, Target, missing, present
from nodes.wire import Frame, Wires
from scapy.packet import Packet

_ROUNDS = 5
_PACKETS = 3000
_IN_FLIGHT = 16
_ENTRIES = 1000


def _route(bench: Bench) -> Packet:
    return v6()


def _un(bench: Bench) -> Packet:
    bench.my_sid("fcbb:bbbb:100::/48", "un", block_length=32, csid_length=16)
    return outer("fcbb:bbbb:100:200:300::", v6())


def _h_encaps(bench: Bench) -> Packet:
    """Reduced, but for VPP, which has no such list."""
    bench.steer("2001:db8:2::/64", bench.encaps, (1, ["fcbb:bbbb:200:700:600:500:400:0", "fcbb:bbbb:300:f00d::"]))
    return v6()


def _udt6(bench: Bench) -> Packet:
    bench.my_sid("fcbb:bbbb:100:f00d::/64", "udt6", vrf=0)
    return outer("fcbb:bbbb:100:f00d::", v6())


CASES: dict[str, Callable[[Bench], Packet]] = {
    "route": _route, "un": _un, "h_encaps": _h_encaps, "udt6": _udt6,
}  # fmt: skip


def packets_per_second(bench: Bench, packet: Packet) -> float:
    """Forwards packets with a few in flight; a lost one would end it with an error."""
    frame = Frame(1, bench.into(1, packet).data)
    bench.wires.drain()
    sent = received = 0
    start = time.perf_counter()
    while received < _PACKETS:
        while sent < _PACKETS and sent - received < _IN_FLIGHT:
            bench.wires.send(frame)
            sent += 1
        received += len(bench.wires.receive(1))
    return _PACKETS / (time.perf_counter() - start)


def entries_per_second(bench: Bench) -> float:
    """Inserts entries in one batch."""
    un = Action("un", {"block_length": 32, "csid_length": 16})
    rows = [Row("my_sid", {"sid": f"fcbb:bbbb:{n:x}::/48"}, un) for n in range(1, _ENTRIES + 1)]
    entries = [bench.client.entry(row.table, row.match, row.action) for row in rows]
    start = time.perf_counter()
    bench.client.write([(INSERT, entry) for entry in entries])
    took = time.perf_counter() - start
    bench.client.write([(DELETE, entry) for entry in entries])
    return _ENTRIES / took


def open_bench(stack: contextlib.ExitStack, target: Target) -> Bench:
    client = stack.enter_context(
        Client(target.address, target.device_id, target.p4info, election_id=10, tls=target.tls)
    )
    client.set_pipeline(target.program)
    far = {number: port.far_interface for number, port in target.ports.items()}
    wires = stack.enter_context(Wires(target.wire_namespace, far))
    return Bench(target, client, wires, Case(Oracle(recording=False), "", "", {}))


def main() -> None:
    samples: dict[tuple[str, str], list[float]] = {}
    with contextlib.ExitStack() as stack:
        for name in TARGETS.keys() - present():
            print(f"skipped: {name}: {missing(name)}", file=sys.stderr)
        benches = [open_bench(stack, stack.enter_context(TARGETS[name]())) for name in present()]
        for _ in range(_ROUNDS):
            for name, prepare in CASES.items():
                for bench in benches:
                    bench.underlay()
                    rate = packets_per_second(bench, prepare(bench))
                    samples.setdefault((f"{bench.target.name}: {name}", "packets/s"), []).append(rate)
                    bench.forget()
            for bench in benches:
                rate = entries_per_second(bench)
                samples.setdefault((f"{bench.target.name}: my_sid entries in one batch", "entries/s"), []).append(rate)
    print(json.dumps([{"name": name, "unit": unit, "samples": rates} for (name, unit), rates in samples.items()]))


if __name__ == "__main__":
    main()
