# SPDX-License-Identifier: Apache-2.0
"""The experiment of the Live-Live paper: TCP over paths that lose packets, by four schemes.

    a -- e1 --+-- c1 --+-- e2 -- b       c1 … c6: each link e1-ci takes 40 ms each way and loses a share of the
              |   …    |                 packets, drawn from LogN(1, 0.7) % with a fixed seed
              +-- c6 --+

single     everything takes the best of N paths: the one that loses least
random     every packet takes one of N paths, drawn for itself
livelive   every packet takes all N paths and is delivered once
nodedup    every packet takes all N paths and every copy is delivered

single and livelive are the controller's; random and nodedup, which are for comparison only, are made of nftables and
the kernel's seg6, over the same uSIDs. Then livelive and nodedup once more with a link of 25 Mb/s before the receiver
(narrow), and all without loss, delay and cap (uncapped).
"""

import contextlib
import csv
import functools
import itertools
import json
import math
import os
import random
import statistics
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from . import bmv2, netns
from .controller import Controller
from .errors import UserError
from .impaired import ImpairedLab
from .instance import Instance
from .lab import Lab
from .processes import until
from .relay import Impairment
from .steps import say, step

SCHEMES = ("single", "random", "livelive", "nodedup")
PATHS = (2, 3, 4, 5, 6)
_TOPOLOGY = "livelive"
_DELAY_MILLIS = 40.0
_SEED = 10
_CAP = "10M"
_IPERF_PORT = 5201
_IPERF_ATTEMPTS = 3
_FIRST_TABLE = 101
# The link before the receiver: two copies of 10 Mb/s fit, three do not.
_NARROW = ["rate", "25mbit", "burst", "10kb", "latency", "100ms"]
# Schemes of longer runs: the others show no more in them; over more paths every run of livelive is at the cap.
_LASTING = ("single", "livelive")
_LASTING_PATHS = (2, 3, 6)
_DELIVERING = ("livelive", "nodedup")
# Two-sided 95 % of Student's t by degrees of freedom.
_STUDENT = {2: 4.303, 3: 3.182, 4: 2.776}
_LEAST_SAMPLES = 3
# Other work on the machine is felt from here on.
QUIET_LOAD = 1.5


@dataclass(frozen=True)
class Size:
    """How long and how often; `lasting_seconds` are capped runs of some schemes and numbers of paths."""

    capped_seconds: int
    lasting_seconds: tuple[int, ...]
    uncapped_seconds: int
    repetitions: int
    lasting_repetitions: int


FULL = Size(4, (10, 30), 2, 5, 3)
QUICK = Size(3, (), 2, 2, 0)


@dataclass(frozen=True)
class Run:
    """One run of iperf3."""

    kind: str
    scheme: str
    paths: int
    seconds: int
    gso: bool
    mbps: float
    retransmits: int
    congestion_window_bytes: float
    load: float  # of the minute before it


def best(paths: int) -> int:
    """Which of the first N paths loses least."""
    return min(range(1, paths + 1), key=lambda number: losses()[number - 1])


def losses() -> list[float]:
    """Percent per path; the same every time."""
    chance = random.Random(_SEED)
    return [round(chance.lognormvariate(1, 0.7), 2) for _ in range(max(PATHS))]


def run(size: Size) -> Iterator[list[Run]]:
    """Both halves of the experiment, each in a lab of its own; yields the runs of one cell after the other."""
    for name, wanted in (("iperf3", "iperf3"), ("nft", "nftables")):
        if subprocess.run(["which", name], capture_output=True, check=False).returncode != 0:
            raise UserError(f"{name} is not on PATH: apt-get install {wanted}")
    if (load := os.getloadavg()[0]) > QUIET_LOAD:
        say(f"  the machine is busy (load {load:.1f}, above {QUIET_LOAD}): what comes out is not to be quoted")
    yield from _capped(size)
    yield from _uncapped(size)


def _capped(size: Size) -> Iterator[list[Run]]:
    impairments = {
        ("e1", f"c{number}"): Impairment(_DELAY_MILLIS, loss, _SEED + number) for number, loss in enumerate(losses(), 1)
    }
    say(f"  loss per path: {', '.join(f'c{number} {loss} %' for number, loss in enumerate(losses(), 1))}")
    with _running(ImpairedLab(_TOPOLOGY, impairments, Instance.free())) as experiment:
        for paths in PATHS:
            for scheme in SCHEMES:
                yield experiment.measure("capped", scheme, paths, size.capped_seconds, size.repetitions, gso=False)
        for seconds, paths, scheme in itertools.product(size.lasting_seconds, _LASTING_PATHS, _LASTING):
            yield experiment.measure("capped", scheme, paths, seconds, size.lasting_repetitions, gso=False)
        with experiment.narrow():
            for paths in PATHS:
                for scheme in _DELIVERING:
                    yield experiment.measure("narrow", scheme, paths, size.capped_seconds, size.repetitions, gso=False)


def _uncapped(size: Size) -> Iterator[list[Run]]:
    with _running(Lab(_TOPOLOGY, Instance.free())) as experiment:
        for paths in PATHS:
            for scheme in SCHEMES:
                yield experiment.measure("uncapped", scheme, paths, size.uncapped_seconds, size.repetitions, gso=True)
            yield experiment.measure("uncapped", "livelive", paths, size.uncapped_seconds, size.repetitions, gso=False)


def report(runs: Sequence[Run]) -> dict[str, list[dict[str, Any]]]:
    """Means with the half width of their 95 % confidence intervals. Uncapped: with offload at the hosts."""
    rows: dict[str, list[dict[str, Any]]] = {"capped": [], "narrow": [], "uncapped": []}
    cells: dict[tuple[str, int, int, str], list[Run]] = {}
    for one in runs:
        if one.gso == (one.kind == "uncapped"):
            cells.setdefault((one.kind, one.seconds, one.paths, one.scheme), []).append(one)
    order = sorted(cells, key=lambda cell: (*cell[:3], SCHEMES.index(cell[3])))
    for kind, seconds, paths, scheme in order:
        cell = cells[kind, seconds, paths, scheme]
        mean, half = interval([one.mbps for one in cell])
        rows[kind].append({
            "scheme": scheme, "paths": paths, "seconds": seconds, "mbps": round(mean, 3),
            "ci": None if half is None else round(half, 3), "load": round(max(one.load for one in cell), 2),
        })  # fmt: skip
    return rows


def interval(samples: Sequence[float]) -> tuple[float, float | None]:
    """Mean and half width of the 95 % confidence interval; none of fewer than three samples, which say too little."""
    mean = statistics.fmean(samples)
    if len(samples) < _LEAST_SAMPLES:
        return mean, None
    factor = _STUDENT.get(len(samples) - 1, 1.96)
    return mean, factor * statistics.stdev(samples) / math.sqrt(len(samples))


def save(runs: Sequence[Run], file: Path) -> None:
    """Every run, for the plots."""
    with file.open("w", newline="") as out:
        table = csv.writer(out, lineterminator="\n")
        table.writerow([
            "kind", "scheme", "paths", "seconds", "gso", "mbps", "retransmits", "congestion_window_bytes", "load",
        ])  # fmt: skip
        for one in runs:
            table.writerow([
                one.kind, one.scheme, one.paths, one.seconds, "on" if one.gso else "off", f"{one.mbps:.3f}",
                one.retransmits, f"{one.congestion_window_bytes:.0f}", f"{one.load:.2f}",
            ])  # fmt: skip


@contextlib.contextmanager
def _running(lab: Lab) -> Iterator["_Experiment"]:
    with lab, Controller(lab) as controller:
        for host in ("a", "b"):
            # TCP metrics that one run learned of the path must not help the next one.
            netns.sysctl(lab.namespace(host), {"net.ipv4.tcp_no_metrics_save": "1"})
        server = subprocess.Popen(
            ["ip", "netns", "exec", lab.namespace("b"), "iperf3", "-s", "-p", str(_IPERF_PORT)],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        try:
            yield _Experiment(lab, controller)
        finally:
            server.terminate()
            server.wait()


class _Experiment:
    def __init__(self, lab: Lab, controller: Controller) -> None:
        self._lab, self._controller = lab, controller
        self._schemes: dict[str, Callable[[int], contextlib.AbstractContextManager[None]]] = {
            "single": self._single,
            "random": functools.partial(self._by_kernel, copies=False),
            "livelive": self._livelive,
            "nodedup": functools.partial(self._by_kernel, copies=True),
        }

    def measure(self, kind: str, scheme: str, paths: int, seconds: int, repetitions: int, *, gso: bool) -> list[Run]:
        """The repetitions of one cell."""
        offload = f", GSO {'on' if gso else 'off'}" if kind == "uncapped" else ""
        name = f"{kind} {scheme} over {paths} paths, {seconds} s{offload}"
        runs: list[Run] = []
        self._segment(gso)
        with step(name, lambda: f"{len(runs)} of {repetitions}"), self._schemes[scheme](paths):
            for _ in range(repetitions):
                runs.append(self._iperf(kind, scheme, paths, seconds, gso))
        return runs

    @contextlib.contextmanager
    def narrow(self) -> Iterator[None]:
        """A link before the receiver that carries less than the sum of all copies."""
        receiver = self._lab.network.host("b").location
        qdisc = ["dev", receiver.name, "root", "tbf", *_NARROW]
        namespace = self._lab.namespace(receiver.node)
        done = netns.run(namespace, "tc", "qdisc", "add", *qdisc)
        if done.returncode != 0:
            raise UserError(f"tc: {done.stderr.strip()} (CONFIG_NET_SCH_TBF, and iproute2)")
        try:
            yield
        finally:
            netns.run(namespace, "tc", "qdisc", "del", "dev", receiver.name, "root")

    def _segment(self, gso: bool) -> None:
        """Lets hosts hand out segments larger than the MTU, which needs checksums that are filled in later, or not."""
        for host in ("a", "b"):
            netns.inside(self._lab.namespace(host), functools.partial(bmv2.fill_checksums, "eth0", now=not gso))

    def _iperf(self, kind: str, scheme: str, paths: int, seconds: int, gso: bool) -> Run:
        address = self._lab.network.host("b").address(6)
        argv = ["iperf3", "-c", address, "-p", str(_IPERF_PORT), "-C", "cubic", "-t", str(seconds), "--json"]
        argv += ["-b", _CAP] if kind != "uncapped" else []
        load = os.getloadavg()[0]
        for _ in range(_IPERF_ATTEMPTS):
            done = netns.run(self._lab.namespace("a"), *argv, timeout=seconds + 60)
            answer = json.loads(done.stdout) if done.stdout.startswith("{") else {}
            if "sum_received" in answer.get("end", {}):
                windows = [one["streams"][0].get("snd_cwnd", 0) for one in answer["intervals"]]
                return Run(
                    kind, scheme, paths, seconds, gso,
                    answer["end"]["sum_received"]["bits_per_second"] / 1e6,
                    answer["end"]["sum_sent"]["retransmits"],
                    statistics.fmean(windows), load,
                )  # fmt: skip
            time.sleep(1)
        raise UserError(f"iperf3: {answer.get('error', done.stderr.strip() or done.stdout[-300:])}")

    # --- schemes

    @contextlib.contextmanager
    def _single(self, paths: int) -> Iterator[None]:
        nodes = ["e1", f"c{best(paths)}", "e2"]
        yield from self._posted("policies", {"name": "single", "from": "a", "to": "b", "nodes": nodes})

    @contextlib.contextmanager
    def _livelive(self, paths: int) -> Iterator[None]:
        given = [["e1", f"c{number}", "e2"] for number in range(1, paths + 1)]
        body = {"name": "copied", "from": "a", "to": "b", "symmetry": "symmetric", "paths": given}
        yield from self._posted("livelive", body)

    def _posted(self, kind: str, body: dict[str, Any]) -> Iterator[None]:
        rest = self._controller.rest()
        stored = rest.call("POST", f"/srv6/{kind}", json.dumps(body).encode()).expect(200, 201)
        try:
            yield
        finally:
            rest.delete(f"/srv6/{kind}/{stored['id']}")
            gone = until(lambda: rest.call("GET", f"/srv6/{kind}/{stored['id']}").status == 404, 20)
            if not gone:
                raise UserError(f"{kind} {stored['id']} is deleted and still there")

    @contextlib.contextmanager
    def _by_kernel(self, paths: int, *, copies: bool) -> Iterator[None]:
        """Spreads or copies the packets of a host over seg6 routes, in both directions."""
        ends = (("e1", "e1-a", "fd00:0:2::/64", "e20"), ("e2", "e2-b", "fd00:0:1::/64", "e10"))
        with contextlib.ExitStack() as undo:
            for node, port, prefix, egress in ends:
                namespace = self._lab.namespace(node)
                for number in range(1, paths + 1):
                    table = str(_FIRST_TABLE + number - 1)
                    segment = f"fcbb:bbbb:c{number}0:{egress}:f00d::"
                    route = ["-6", "route", "add", prefix, "encap", "seg6", "mode", "encap.red", "segs", segment]
                    netns.ip(*route, "dev", f"{node}-c{number}", "table", table, namespace=namespace)
                    undo.callback(netns.ip, "-6", "route", "flush", "table", table, namespace=namespace)
                    rule = ["fwmark", table, "lookup", table]
                    netns.ip("-6", "rule", "add", *rule, namespace=namespace)
                    undo.callback(netns.ip, "-6", "rule", "del", *rule, namespace=namespace)
                if copies:
                    self._copy(namespace, port, paths, undo)
                else:
                    spread = f"numgen random mod {paths} offset {_FIRST_TABLE}"
                    _nft(namespace, f"iifname {port} meta mark set {spread}", "", undo)
            yield

    def _copy(self, namespace: str, port: str, paths: int, undo: contextlib.ExitStack) -> None:
        """One veth pair per further copy: a packet that goes in at one end arrives at the other as if from the host."""
        mac = _mac(namespace, port)
        marks, dups = [f"iifname {port} meta mark set {_FIRST_TABLE}"], []
        for number in range(1, paths):
            netns.ip("link", "add", f"dup{number}", "type", "veth", "peer", "name", f"arr{number}", "address", mac,
                     namespace=namespace)  # fmt: skip
            undo.callback(netns.ip, "link", "del", f"dup{number}", namespace=namespace)
            for end in (f"dup{number}", f"arr{number}"):
                netns.ip("link", "set", end, "mtu", "9000", "up", namespace=namespace)
            marks.append(f"iifname arr{number} meta mark set {_FIRST_TABLE + number}")
            dups.append(f"meta protocol ip6 dup to dup{number}")
        _nft(namespace, "\n".join(marks), f"device {port}\n" + "\n".join(dups), undo)


def _mac(namespace: str, port: str) -> str:
    shown = netns.run(namespace, "ip", "-j", "link", "show", "dev", port)
    (link,) = json.loads(shown.stdout)
    return str(link["address"])


def _nft(namespace: str, marks: str, copies: str, undo: contextlib.ExitStack) -> None:
    text = f"table inet bench {{\nchain marks {{\ntype filter hook prerouting priority mangle;\n{marks}\n}}\n}}\n"
    if copies:
        device, _, rules = copies.partition("\n")
        text += (
            f"table netdev bench {{\nchain copies {{\ntype filter hook ingress {device} priority 0;\n{rules}\n}}\n}}\n"
        )
    argv = ["ip", "netns", "exec", namespace, "nft", "-f", "-"]
    done = subprocess.run(argv, input=text, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise UserError(f"nft: {done.stderr.strip()}")
    undo.callback(netns.run, namespace, "nft", "delete", "table", "inet", "bench")
    if copies:
        undo.callback(netns.run, namespace, "nft", "delete", "table", "netdev", "bench")
