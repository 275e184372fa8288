# SPDX-License-Identifier: Apache-2.0
"""Figure 5 of the mobile paper: which share of GTP from a gNB reaches the data network, against the offered rate.

Once with Linux nodes and once with bmv2 switches:

gtp          UPF #1 gives each of two slices' tunnels to a tunnel of the next UPF, which takes GTP off (bench/gtp)
traditional  the gateway turns GTP into SRv6 with one SID, of the node that takes it off
enhanced     the same with two nodes on the way, each slice its own (lab/slices.json)

The gNB sends on one processor; all that forwards runs on another one (Linux by RPS, switches by their affinity), whose
queue overflows, as those of the paper's virtual machines did. gtp runs in a network of its own beside the other's,
without agents; the schemes take turns at each rate.
"""

import contextlib
import csv
import ipaddress
import json
import os
import struct
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from . import blast, gtp, netns, processes, radio
from .controller import Controller
from .errors import UserError
from .instance import Instance
from .lab import Lab, State
from .livelive import QUIET_LOAD, interval
from .network import Interface, Node
from .processes import until
from .rest import Rest
from .steps import say, step

PLANES = ("linux", "bmv2")
SCHEMES = ("gtp", "traditional", "enhanced")
TOPOLOGY = "slices"
_INNER_BYTES = 500
_SENDER, _FORWARDER = 0, 1
_SETTLE_SECONDS = 20.0
# Nothing arrived for so long: the packets in queues are through. A switch takes a hundred times as long for a packet.
_STILL_SECONDS = {"linux": 0.05, "bmv2": 0.25}
_REACHED = 0.95
# A pair of slices for each scheme; the TEIDs identify them.
_TEIDS = {"gtp": (1, 2), "traditional": (1, 2), "enhanced": (11, 12)}
_HOPS = {"a": ["a1", "a2"], "b": ["b1", "b2"]}
# The path of the baseline: UPF #1, a router, UPF #2.
_WAY = ("g1", "a1", "u1")


@dataclass(frozen=True)
class Size:
    """By data plane: rates in packets a second, and how long each is sent. A switch's queues hold a second's work."""

    rates: Mapping[str, tuple[int, ...]]
    seconds: Mapping[str, float]
    repetitions: int


FULL = Size({
    "linux": (50_000, 100_000, 150_000, 200_000, 250_000, 300_000, 350_000, 400_000, 500_000, 600_000),
    "bmv2": (1_000, 2_000, 3_000, 4_000, 6_000, 8_000, 12_000, 16_000, 24_000),
}, {"linux": 1.0, "bmv2": 2.0}, 5)  # fmt: skip
QUICK = Size({"linux": (50_000, 200_000, 400_000), "bmv2": (1_000, 3_000, 6_000)}, {"linux": 0.5, "bmv2": 1.0}, 2)


@dataclass(frozen=True)
class Run:
    """One rate of one scheme, once. `offered` is the rate that was really sent."""

    plane: str
    scheme: str
    rate: int
    offered: float
    delivered: float  # share, 0 to 1
    load: float  # of the minute before it


class BareLab(Lab):
    """The network with the baseline in it: no agents, and switches run its program."""

    def _make(self, state: State) -> None:
        with step("the same network without agents"):
            self._make_network()
            for name in self.switches:
                state.agents[name] = self._start_agent(self.network.node(name))
                self._save(state)
        state.complete = True
        self._save(state)

    def _start_agent(self, node: Node, more: Sequence[str] = ()) -> processes.Started:
        """The switch has no options of an agent."""
        ports = {port.number: port.name for port in node.interfaces}
        program = gtp.program(self.namespace(node.name), _tunnels(self, node), [_route(self, node)])
        return gtp.start_switch(self.namespace(node.name), ports, program, self.agent_log(node.name))


def slices(upf: str) -> list[dict[str, Any]]:
    """Two slices for each of the paper's modes."""
    common = {"access": {"gateway": "g1", "gnbs": ["192.0.2.0/24"]}, "core": {"anchor": "u1", "upfs": [upf]}}
    found = []
    for scheme in SCHEMES[1:]:
        for (name, hops), teid in zip(_HOPS.items(), _TEIDS[scheme], strict=True):
            body = common | {"name": f"{scheme}-{name}", "mode": scheme, "match": [{"teid": f"{teid}-{teid}"}]}
            found.append(body | ({"uplink": {"hops": hops}} if scheme == "enhanced" else {}))
    return found


def run(size: Size) -> Iterator[list[Run]]:
    """The runs of one rate after those of the other, of one data plane after the other."""
    if (os.cpu_count() or 1) <= _FORWARDER:
        raise UserError("this needs two processors: one that sends, one that forwards")
    if (load := os.getloadavg()[0]) > QUIET_LOAD:
        say(f"  the machine is busy (load {load:.1f}, above {QUIET_LOAD}): what comes out is not to be quoted")
    for plane in PLANES:
        if plane == "bmv2" and (lacks := gtp.switch_lacks()):
            say(f"  bmv2 is not measured: {lacks}")
            continue
        with networks(plane) as labs:
            for rate in size.rates[plane]:
                runs: list[Run] = []
                count = size.repetitions * len(SCHEMES)
                with step(f"{plane}: {rate} packets a second", lambda: f"{len(runs)} of {count}"):  # noqa: B023
                    for _ in range(size.repetitions):
                        runs += [delivery(labs[one], plane, one, rate, size.seconds[plane]) for one in SCHEMES]
                yield runs


@contextlib.contextmanager
def networks(plane: str) -> Iterator[dict[str, Lab]]:
    """The network of each scheme, with its slices."""
    with contextlib.ExitStack() as stack:
        bare = stack.enter_context(BareLab(TOPOLOGY, Instance.free(), p4=_WAY if plane == "bmv2" else ()))
        switches = [node.name for node in bare.network.nodes] if plane == "bmv2" else []
        lab = stack.enter_context(Lab(TOPOLOGY, Instance.free(), p4=switches))
        controller = stack.enter_context(Controller(lab))
        install(controller.rest(), slices(lab.network.host("upf").address(4)))
        if plane == "linux":
            _n9(bare)
        for one in (bare, lab):
            _steer(one)
        yield {"gtp": bare, "traditional": lab, "enhanced": lab}


def install(rest: Rest, bodies: Sequence[dict[str, Any]]) -> None:
    for body in bodies:
        stored = rest.call("POST", "/srv6/slices", json.dumps(body).encode()).expect(200, 201)
        if stored["state"] != "INSTALLED":
            raise UserError(f"the slice {body['name']} is {stored['state']}: ./sextant cli srv6:slice {body['name']}")


def delivery(lab: Lab, plane: str, scheme: str, rate: int, seconds: float) -> Run:
    """One run."""
    gnb, sink = lab.network.host("gnb1"), lab.namespace("dn")
    frames = [frame(lab, teid) for teid in _TEIDS[scheme]]
    load, before = os.getloadavg()[0], gtp.received(sink, "eth0")
    with blast.run(lab.namespace(gnb.name), "eth0", frames, rate, seconds, _SENDER) as sending:
        sent = sending.result()
    arrived = _settled(sink, _STILL_SECONDS[plane]) - before
    return Run(plane, scheme, rate, sent.frames / sent.seconds, min(1.0, arrived / sent.frames), load)


def _settled(namespace: str, still_seconds: float) -> int:
    """The packets that have arrived once nothing more does."""
    last = -1

    def still() -> bool:
        nonlocal last
        now = gtp.received(namespace, "eth0")
        same, last = now == last, now
        return same

    until(still, _SETTLE_SECONDS, interval=still_seconds)
    return last


def frame(lab: Lab, teid: int, ue: str = "10.60.0.1", inner_bytes: int = _INNER_BYTES) -> bytes:
    """A UE's datagram to the data network, in GTP, as the gNB's Ethernet frame."""
    gnb = lab.network.host("gnb1")
    inner = _udp(ue, lab.network.host("dn").address(4), 40000, 9, bytes(inner_bytes - 28))
    message = radio.message(inner, teid, 9)
    outer = _udp(gnb.address(4), lab.network.host("upf").address(4), radio.PORT, radio.PORT, message)
    shown = netns.ip("-j", "link", "show", "dev", gnb.location.name, namespace=lab.namespace("g1"))
    macs = [json.loads(shown)[0]["address"], gnb.mac]
    return b"".join(bytes.fromhex(mac.replace(":", "")) for mac in macs) + b"\x08\x00" + outer


def _udp(source: str, destination: str, source_port: int, port: int, payload: bytes) -> bytes:
    """An IPv4 packet; UDP's checksum is 0."""
    size = 28 + len(payload)
    head = struct.pack(
        "!BBHHHBBH4s4s", 0x45, 0, size, 0, 0x4000, 64, 17, 0, ipaddress.IPv4Address(source).packed,
        ipaddress.IPv4Address(destination).packed,
    )  # fmt: skip
    total = sum(struct.unpack("!10H", head))
    total = (total & 0xFFFF) + (total >> 16)
    head = head[:10] + struct.pack("!H", ~(total + (total >> 16)) & 0xFFFF) + head[12:]
    return head + struct.pack("!HHHH", source_port, port, size - 20, 0) + payload


def _steer(lab: Lab) -> None:
    """Packets from the gNB are handled by one processor, from the gateway on."""
    for name in lab.switches:
        for pid in netns.ip("netns", "pids", lab.namespace(name)).split():
            for task in Path(f"/proc/{pid}/task").iterdir():
                os.sched_setaffinity(int(task.name), {_FORWARDER})
    if lab.switches:
        return
    port = lab.network.host("gnb1").location.name
    mask = f"{1 << _FORWARDER:x}"
    queue = f"/sys/class/net/{port}/queues/rx-0/rps_cpus"
    done = netns.run(lab.namespace("g1"), "sh", "-c", f"echo {mask} > {queue}")
    if done.returncode != 0:
        raise UserError(f"{queue}: {done.stderr.strip()} (CONFIG_RPS)")


def _n9(lab: Lab) -> None:
    """Routes of IPv4 along the shorter path, and the programs of UPF #1 and #2 at its ends."""
    for here, there in zip(_WAY, _WAY[1:], strict=False):
        netns.sysctl(lab.namespace(here), {"net.ipv4.ip_forward": "1"})
        near, far = _ends(lab, here, there)
        netns.ip("route", "add", gtp.NEXT_UPF, "via", "inet6", _link_local(lab, lab.network.node(there), far.name),
                 "dev", near.name, namespace=lab.namespace(here))  # fmt: skip
    netns.sysctl(lab.namespace("u1"), {"net.ipv4.ip_forward": "1"})
    gtp.attach(lab.namespace("g1"), lab.network.host("gnb1").location.name, "swap")
    gtp.attach(lab.namespace("u1"), "u1-a1", "end")


def _ends(lab: Lab, here: str, there: str) -> tuple[Interface, Interface]:
    link = lab.network.link(here, there)
    return (link.a, link.b) if link.a.node == here else (link.b, link.a)


def _tunnels(lab: Lab, node: Node) -> list[gtp.Tunnel]:
    """The tunnels of a switch: swapped at one end of the path, ended at the other."""
    upf = lab.network.host("upf").address(4)
    if node.name == _WAY[0]:
        return [gtp.Tunnel(upf, teid, teid + 2) for teid in _TEIDS["gtp"]]
    return [gtp.Tunnel(gtp.NEXT_UPF, teid + 2) for teid in _TEIDS["gtp"]] if node.name == _WAY[-1] else []


def _route(lab: Lab, node: Node) -> gtp.Route:
    """The next hop of a switch: the next one, for the last one the data network."""
    if node.name == _WAY[-1]:
        host = lab.network.host("dn")
        return gtp.Route(host.address(4), host.location.number, _mac(host.location), host.mac)
    near, far = _ends(lab, node.name, _WAY[_WAY.index(node.name) + 1])
    return gtp.Route(gtp.NEXT_UPF, near.number, _mac(near), _mac(far))


def _mac(port: Interface) -> str:
    assert port.mac is not None  # of a switch's port it is written down
    return port.mac


def _link_local(lab: Lab, node: Node, interface: str) -> str:
    words = ["-j", "-6", "addr", "show", "dev", interface, "scope", "link"]
    shown = json.loads(netns.ip(*words, namespace=lab.namespace(node.name)))
    return str(shown[0]["addr_info"][0]["local"])


def report(runs: Sequence[Run]) -> list[dict[str, Any]]:
    """Means with the half width of their 95 % confidence intervals."""
    rows = []
    for plane, scheme, rate in dict.fromkeys((one.plane, one.scheme, one.rate) for one in runs):
        cell = [one for one in runs if (one.plane, one.scheme, one.rate) == (plane, scheme, rate)]
        mean, half = interval([one.delivered for one in cell])
        rows.append({
            "plane": plane, "scheme": scheme, "rate": rate,
            "delivered": round(mean, 4), "ci": None if half is None else round(half, 4),
            "offered": round(min(one.offered for one in cell)), "load": round(max(one.load for one in cell), 2),
        })  # fmt: skip
    return rows


def short(runs: Sequence[Run]) -> list[str]:
    """Rates that the sender could not reach: they were not measured."""
    return [
        f"{row['plane']}, {row['scheme']}: of {row['rate']} packets a second the sender managed {row['offered']}"
        for row in report(runs) if row["offered"] < _REACHED * row["rate"]
    ]  # fmt: skip


def save(runs: Sequence[Run], file: Path) -> None:
    """Every run, for the plots."""
    with file.open("w", newline="") as out:
        table = csv.writer(out, lineterminator="\n")
        table.writerow(["plane", "scheme", "rate", "offered", "delivered", "load"])
        for one in runs:
            measured = (f"{one.offered:.0f}", f"{one.delivered:.4f}", f"{one.load:.2f}")
            table.writerow([one.plane, one.scheme, one.rate, *measured])


def save_costs(costs: Sequence[tuple[str, Sequence[float]]], file: Path) -> None:
    """Figure 6: every sample of the cost of a packet, for the plots."""
    with file.open("w", newline="") as out:
        table = csv.writer(out, lineterminator="\n")
        table.writerow(["variant", "nanos"])
        table.writerows([name, f"{nanos:.0f}"] for name, samples in costs for nanos in samples)
