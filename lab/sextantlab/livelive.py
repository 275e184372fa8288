# SPDX-License-Identifier: Apache-2.0
"""The experiment of the Live-Live paper: TCP over paths that lose packets, by four schemes.

    a -- e1 --+-- c1 --+-- e2 -- b       c1 … c6: each link e1-ci takes 40 ms each way and loses a share of the
              |   …    |                 packets, drawn from LogN(1, 0.7) % with a fixed seed
              +-- c6 --+

single     everything takes the path by c1
random     every packet takes one of N paths, drawn for itself
livelive   every packet takes all N paths and is delivered once
nodedup    every packet takes all N paths and every copy is delivered

single and livelive are the controller's; random and nodedup, which nobody wants, are made of nftables and the kernel's
seg6, over the same uSIDs. Then the same without loss, delay and cap.
"""

import contextlib
import csv
import functools
import json
import math
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
from .lab import Instance, Lab
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
# Two-sided 95 % of Student's t by degrees of freedom.
_STUDENT = {1: 12.706, 2: 4.303, 3: 3.182, 4: 2.776}


@dataclass(frozen=True)
class Size:
    """How long and how often."""

    capped_seconds: int
    uncapped_seconds: int
    repetitions: int


FULL = Size(4, 2, 5)
QUICK = Size(3, 2, 2)


@dataclass(frozen=True)
class Run:
    """One run of iperf3."""

    kind: str
    scheme: str
    paths: int
    gso: bool
    mbps: float
    retransmits: int
    congestion_window_bytes: float


def losses() -> list[float]:
    """Percent per path; the same every time."""
    chance = random.Random(_SEED)
    return [round(chance.lognormvariate(1, 0.7), 2) for _ in range(max(PATHS))]


def run(size: Size) -> Iterator[list[Run]]:
    """Both halves of the experiment, each in a lab of its own; yields the runs of one cell after the other."""
    for name, wanted in (("iperf3", "iperf3"), ("nft", "nftables")):
        if subprocess.run(["which", name], capture_output=True, check=False).returncode != 0:
            raise UserError(f"{name} is not on PATH: apt-get install {wanted}")
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
                yield experiment.measure("capped", scheme, paths, size, gso=False)


def _uncapped(size: Size) -> Iterator[list[Run]]:
    with _running(Lab(_TOPOLOGY, Instance.free())) as experiment:
        for paths in PATHS:
            for scheme in SCHEMES:
                yield experiment.measure("uncapped", scheme, paths, size, gso=True)
            yield experiment.measure("uncapped", "livelive", paths, size, gso=False)


def report(runs: Sequence[Run]) -> dict[str, list[dict[str, Any]]]:
    """Means with the half width of their 95 % confidence intervals. Uncapped: with offload at the hosts."""
    rows: dict[str, list[dict[str, Any]]] = {"capped": [], "uncapped": []}
    for kind in rows:
        for paths in PATHS:
            for scheme in SCHEMES:
                mbps = [
                    one.mbps for one in runs
                    if (one.kind, one.paths, one.scheme, one.gso) == (kind, paths, scheme, kind == "uncapped")
                ]  # fmt: skip
                if mbps:
                    mean, half = interval(mbps)
                    rows[kind].append({"scheme": scheme, "paths": paths, "mbps": round(mean, 3), "ci": round(half, 3)})
    return rows


def interval(samples: Sequence[float]) -> tuple[float, float]:
    """Mean and half width of the 95 % confidence interval; 0 for one sample, which says nothing about its spread."""
    mean = statistics.fmean(samples)
    if len(samples) < 2:
        return mean, 0.0
    factor = _STUDENT.get(len(samples) - 1, 1.96)
    return mean, factor * statistics.stdev(samples) / math.sqrt(len(samples))


def save(runs: Sequence[Run], file: Path) -> None:
    """Every run, for the plots."""
    with file.open("w", newline="") as out:
        table = csv.writer(out, lineterminator="\n")
        table.writerow(["kind", "scheme", "paths", "gso", "mbps", "retransmits", "congestion_window_bytes"])
        for one in runs:
            table.writerow([
                one.kind, one.scheme, one.paths, "on" if one.gso else "off", f"{one.mbps:.3f}", one.retransmits,
                f"{one.congestion_window_bytes:.0f}",
            ])  # fmt: skip


@contextlib.contextmanager
def _running(lab: Lab) -> Iterator["_Experiment"]:
    with lab, Controller(lab) as controller:
        for host in ("a", "b"):
            # What one run learned of the path must not help the next one.
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

    def measure(self, kind: str, scheme: str, paths: int, size: Size, *, gso: bool) -> list[Run]:
        """The repetitions of one cell."""
        offload = "" if kind == "capped" else f", GSO {'on' if gso else 'off'}"
        name = f"{kind} {scheme} over {paths} paths{offload}"
        seconds = size.capped_seconds if kind == "capped" else size.uncapped_seconds
        runs = []
        self._segment(gso)
        with step(name, lambda: f"{len(runs)} of {size.repetitions}"), self._schemes[scheme](paths):
            for _ in range(size.repetitions):
                runs.append(self._iperf(kind, scheme, paths, seconds, gso))
        return runs

    def _segment(self, gso: bool) -> None:
        """Whether hosts hand out segments larger than the MTU, which needs checksums that are filled in later."""
        for host in ("a", "b"):
            netns.inside(self._lab.namespace(host), functools.partial(bmv2.fill_checksums, "eth0", now=not gso))

    def _iperf(self, kind: str, scheme: str, paths: int, seconds: int, gso: bool) -> Run:
        address = self._lab.network.host("b").address(6)
        argv = ["iperf3", "-c", address, "-p", str(_IPERF_PORT), "-C", "cubic", "-t", str(seconds), "--json"]
        argv += ["-b", _CAP] if kind == "capped" else []
        for _ in range(_IPERF_ATTEMPTS):
            done = netns.run(self._lab.namespace("a"), *argv, timeout=seconds + 60)
            answer = json.loads(done.stdout) if done.stdout.startswith("{") else {}
            if "sum_received" in answer.get("end", {}):
                windows = [one["streams"][0].get("snd_cwnd", 0) for one in answer["intervals"]]
                return Run(
                    kind, scheme, paths, gso,
                    answer["end"]["sum_received"]["bits_per_second"] / 1e6,
                    answer["end"]["sum_sent"]["retransmits"],
                    statistics.fmean(windows),
                )  # fmt: skip
            time.sleep(1)
        raise UserError(f"iperf3: {answer.get('error', done.stderr.strip() or done.stdout[-300:])}")

    # --- schemes

    @contextlib.contextmanager
    def _single(self, paths: int) -> Iterator[None]:
        del paths
        yield from self._posted("policies", {"name": "single", "from": "a", "to": "b", "nodes": ["e1", "c1", "e2"]})

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
        """Spreads or copies what comes from a host over seg6 routes, in both directions."""
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
        """One veth pair per further copy: what goes in at one end arrives at the other as if from the host."""
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
    return json.loads(shown.stdout)[0]["address"]


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
