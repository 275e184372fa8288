# SPDX-License-Identifier: Apache-2.0
"""./sextant bench: how fast, with the spread; medians say more than means on a machine that does other things too."""

import dataclasses
import json
import os
import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from . import build, demo, failover, livelive, mobile, sera
from .controller import Controller
from .errors import UsageError, UserError
from .lab import Lab
from .paths import BUILD, ROOT
from .ping import Pinger, until_answered
from .processes import until
from .steps import command, say, step

_RESULTS = BUILD / "bench"
_JMH = ROOT / "bench" / "target" / "benchmarks.jar"
_BOOTS = 3
_BULK_ROUNDS = 3
_BULK_POLICIES = 1000
_TRAFFIC_ROUNDS = 20
_FAILOVER_ROUNDS = 20
_NETWORK_ROUNDS = 5
_ENGINE_SIZES = (1000, 10_000, 100_000, 3)  # nodes, computed policies, policies of one list, rounds
_WITHOUT_CONTROLLER = frozenset({"sera", "edge"})


@dataclass(frozen=True)
class Measured:
    """Samples of one quantity beside its aim."""

    name: str
    unit: str
    samples: tuple[float, ...]
    aim: str

    def line(self) -> str:
        low, middle, high = min(self.samples), statistics.median(self.samples), max(self.samples)
        return (
            f"{self.name:<44} median {middle:10.2f} {self.unit:<4} (from {low:.2f} to {high:.2f}, "
            f"{len(self.samples)} samples; aim: {self.aim})"
        )


def known(name: str) -> str:
    """The name of a benchmark, if it is one."""
    if name not in (*BENCHMARKS, *EXPERIMENTS):
        raise UsageError(f"bench: unknown benchmark '{name}' (there are: {' '.join((*BENCHMARKS, *EXPERIMENTS))})")
    return name


def run(names: list[str], quick: bool, report_file: Path | None) -> int:
    """Runs the named benchmarks, all without a name, and prints a line per quantity.

    `quick` and `report_file` are for the papers' experiments; without a name these are quick.
    """
    if not names or not set(names) <= _WITHOUT_CONTROLLER:
        build.modules()
    build.agent()
    _RESULTS.mkdir(parents=True, exist_ok=True)
    measured: list[Measured] = []
    every: dict[str, Callable[[], Iterator[Measured]]] = BENCHMARKS | {
        "livelive": lambda: _livelive(quick or not names, report_file),
        "mobile": lambda: _mobile(quick or not names, report_file),
        "sera": lambda: _sera(quick or not names, report_file),
    }
    for name in names or every:
        say(f"\n{name}")
        for one in every[name]():
            measured.append(one)
            print(one.line(), flush=True)
    report = [{"name": one.name, "unit": one.unit, "samples": one.samples, "aim": one.aim} for one in measured]
    (_RESULTS / "results.json").write_text(json.dumps(report, indent=2) + "\n")
    return 0


def _pack() -> Iterator[Measured]:
    yield from _jmh("PackingBench", "us", "packing a 7-hop path under 1 us")


def _compile() -> Iterator[Measured]:
    yield from _jmh("CompileBench", "s", "10,000 policies on 1,000 nodes under 2 s on one core")


def _dynamic() -> Iterator[Measured]:
    yield from _jmh("DynamicBench", "s", "10,000 computed paths on 1,000 nodes under 1 s on one core")


def _engine() -> Iterator[Measured]:
    """How long the engine of a large network takes, and how long its thread is held; nodes and store are in memory."""
    _say_if_busy()
    report = _RESULTS / "engine.json"
    java: list[str | Path] = ["java", "-Xmx6g", "-cp", _JMH, "org.sextant.bench.EngineBench"]
    command("measure the engine", java + [str(size) for size in _ENGINE_SIZES], stdout=report)
    for name, samples in json.loads(report.read_text()).items():
        aim = "at most 50 ms" if "hold" in name else "beside the other lines of this run"
        yield Measured(name, "ms", tuple(samples), aim)


def _jmh(pattern: str, unit: str, aim: str) -> Iterator[Measured]:
    """The iterations of a benchmark under JMH, in the unit in which its aim is stated."""
    report = _RESULTS / f"{pattern}.json"
    command(f"JMH {pattern}", ["java", "-jar", _JMH, pattern, "-rf", "json", "-rff", report])
    for result in json.loads(report.read_text()):
        metric = result["primaryMetric"]
        scale = _UNIT_SECONDS[metric["scoreUnit"]] / _UNIT_SECONDS[f"{unit}/op"]
        samples = tuple(score * scale for fork in metric["rawData"] for score in fork)
        parameters = " ".join(f"{key}={value}" for key, value in result.get("params", {}).items())
        yield Measured(f"{result['benchmark'].rsplit('.', 1)[-1]} {parameters}".strip(), unit, samples, aim)


_UNIT_SECONDS = {"ns/op": 1e-9, "us/op": 1e-6, "ms/op": 1e-3, "s/op": 1.0}


def _boot() -> Iterator[Measured]:
    """From the start of the process to the first answer of REST, over a store that is empty."""
    seconds, mebibytes = [], []
    with Lab("fig4") as lab:
        for _ in range(_BOOTS):
            with _controller(lab) as (controller, took):
                seconds.append(took)
                mebibytes.append(_resident_mebibytes(controller))
    yield Measured("controller boot to REST", "s", tuple(seconds), "under 15 s")
    yield Measured("controller resident memory", "MiB", tuple(mebibytes), "under 512 MiB")


def _install() -> Iterator[Measured]:
    """1,000 policies in one POST, whose answer comes when they are installed and read back."""
    policies = [
        {"name": f"bulk-{n}", "headend": "l1", "hops": ["l2", "l3"], "steering": [f"2001:db8:0:{n:x}::/64"]}
        for n in range(_BULK_POLICIES)
    ]
    body, samples = json.dumps(policies).encode(), []
    with Lab("fig4") as lab, _controller(lab) as (controller, _):
        rest = controller.rest()
        for _ in range(_BULK_ROUNDS):
            with step(f"{_BULK_POLICIES} policies"):
                start = time.monotonic()
                rest.call("POST", "/srv6/policies", body, timeout=300).expect(200, 201)
                samples.append(time.monotonic() - start)
            _remove_all(controller)
    yield Measured(f"{_BULK_POLICIES} policies in one POST, installed", "s", tuple(samples), "under 10 s")


def _traffic() -> Iterator[Measured]:
    """From the POST of the paper's policy to the first answered ping, with a ping every 5 ms."""
    policy = json.loads((ROOT / "lab/policies/paper.json").read_text())
    samples = []
    with Lab("fig4") as lab, _controller(lab) as (controller, _):
        address = lab.network.host(policy["to"]).address(6)
        for _ in range(_TRAFFIC_ROUNDS):
            with Pinger(lab.namespace(policy["from"]), address, interval_seconds=0.005) as pinger:
                start = time.time()
                controller.rest().post("/srv6/policies", policy)
                if not pinger.await_replies(1, 20):
                    raise UserError("the policy is posted, but no ping was answered")
                samples.append((pinger.first_reply() - start) * 1000)
            _remove_all(controller)
    yield Measured("one POST to traffic flowing", "ms", tuple(samples), "under 150 ms median")


def _failover() -> Iterator[Measured]:
    """The cost of a cut link at a node that has a standby or watches it; and pings of a loose policy, which has
    neither.
    """
    _say_if_busy()
    yield from _measured(
        "failover-nodes", "failover.py", "median at most 5 ms where a carrier is lost, worst at most 50 ms"
    )
    yield from _failover_of_networks()
    yield from _failover_of_policies()


def _failover_of_networks() -> Iterator[Measured]:
    """The losses of a network under a controller that acts while kernels repair, and beside an agent that hangs."""
    with failover.network() as lab, _controller(lab) as (controller, _):
        lost = failover.measure(lab, controller, _NETWORK_ROUNDS)
    for case, gaps in lost.gaps.items():
        yield Measured(f"{case}: longest gap", "ms", tuple(gaps), "median at most 5, worst at most 50")
        yield Measured(f"{case}: lost", "%", tuple(lost.percent[case]), "below 1")
    for case, passes in lost.passes.items():
        yield Measured(f"{case}: busiest direction", "x", tuple(passes), "at most 1.05 times what was sent")


def _failover_of_policies() -> Iterator[Measured]:
    """How long no ping is answered when a link of a loose policy is cut, and when it comes back."""
    cuts, repairs = [], []
    with Lab("fig4") as lab, _controller(lab) as (controller, _):
        rest = controller.rest()
        for policy in demo.LOOSE:
            rest.post("/srv6/policies", policy)
        there, back = lab.network.host("h12"), lab.network.host("h33")
        if not until_answered(lab.namespace(there.name), back.address(6), 20):
            raise UserError("the policies are posted, but no ping was answered")
        for _ in range(_FAILOVER_ROUNDS):
            result = demo.cut_and_repair(lab, rest, there, back)
            if not result["ok"]:
                raise UserError("the policies found no way around a link that was cut, or not back")
            cuts.append(result["cutOutageMillis"])
            repairs.append(result["repairOutageMillis"])
        _remove_all(controller)
    yield Measured("a link is cut: no answers", "ms", tuple(cuts), "under 1 s")
    yield Measured("it is repaired: no answers", "ms", tuple(repairs), "none")


def _nodes() -> Iterator[Measured]:
    """The same packets and entries through every data plane that is on PATH."""
    return _measured("nodes", "measure.py", "the nodes beside each other")


def _dataplanes() -> Iterator[Measured]:
    """The paper's five experiments on every data plane that is on PATH, as shares of End."""
    return _measured("dataplanes", "dataplanes.py", "beside the paper's Table III")


def _measured(name: str, program: str, aim: str, *words: str) -> Iterator[Measured]:
    report = _RESULTS / f"{name}.json"
    python = build.python_tools() / "python"
    path = {"PYTHONPATH": os.pathsep.join([str(ROOT / "lab"), str(ROOT)])}
    command(f"measure {name}", [python, ROOT / "conformance" / program, *words], env=path, stdout=report)
    for one in json.loads(report.read_text()):
        yield Measured(one["name"], one["unit"], tuple(one["samples"]), aim)


def _edge() -> Iterator[Measured]:
    """The cost of the edge of the domain for a packet, and of a flood that it drops for other packets."""
    _say_if_busy()
    return _measured("edge", "edge.py", "beside the other lines of this run")


def _say_if_busy() -> None:
    if (load := os.getloadavg()[0]) > livelive.QUIET_LOAD:
        say(f"  the machine is busy (load {load:.1f}, above {livelive.QUIET_LOAD}): what comes out is not to be quoted")


def _livelive(quick: bool, report_file: Path | None) -> Iterator[Measured]:
    """The Live-Live paper's experiment; every run goes to build/bench/livelive.csv, for the plots."""
    runs: list[livelive.Run] = []
    for cell in livelive.run(livelive.QUICK if quick else livelive.FULL):
        runs += cell
        livelive.save(runs, _RESULTS / "livelive.csv")
    if report_file is not None:
        report_file.write_text(json.dumps(livelive.report(runs), indent=2) + "\n")
    busiest = max(one.load for one in runs)
    say(f"  the highest load before a run was {busiest:.1f}; uncapped runs make most of it themselves")
    aims = {
        "capped": "livelive 9.9 or more",
        "narrow": "livelive 9.9 or more, nodedup less from 3 paths on",
        "uncapped": "livelive over 6 above 1000, GSO on and off alike",
    }
    for key in dict.fromkeys((one.kind, one.scheme, one.paths, one.seconds, one.gso) for one in runs):
        samples = tuple(one.mbps for one in runs if (one.kind, one.scheme, one.paths, one.seconds, one.gso) == key)
        kind, scheme, paths, seconds, gso = key
        offload = f" GSO {'on' if gso else 'off'}" if kind == "uncapped" else ""
        yield Measured(f"{kind} {scheme} {paths} paths {seconds} s{offload}", "Mb/s", samples, aims[kind])


def _mobile(quick: bool, report_file: Path | None) -> Iterator[Measured]:
    """The mobile paper's Figures 5 and 6; every run goes to files of build/bench, for the plots."""
    runs: list[mobile.Run] = []
    for cell in mobile.run(mobile.QUICK if quick else mobile.FULL):
        runs += cell
        mobile.save(runs, _RESULTS / "mobile.csv")
    rounds = ["--rounds", "3"] if quick else []
    costs = list(_measured("mobile-segments", "mobile.py", "beside the other lines of this run", *rounds))
    mobile.save_costs([(one.name, one.samples) for one in costs], _RESULTS / "mobile-segments.csv")
    if report_file is not None:
        report = {"delivery": mobile.report(runs), "nanosPerPacket": {one.name: one.samples for one in costs}}
        report_file.write_text(json.dumps(report, indent=2) + "\n")
    say(f"  the highest load before a run was {max(one.load for one in runs):.1f}; the runs make some of it themselves")
    for short in mobile.short(runs):
        say(f"  {short}")
    for key in dict.fromkeys((one.plane, one.scheme, one.rate) for one in runs):
        samples = tuple(100 * one.delivered for one in runs if (one.plane, one.scheme, one.rate) == key)
        plane, scheme, rate = key
        yield Measured(
            f"{plane}: delivered of {rate} packets/s, {scheme}", "%", samples, "as the paper's Figure 5 has it"
        )
    yield from costs


def _sera(quick: bool, report_file: Path | None) -> Iterator[Measured]:
    """The SERA paper's Figures 6 to 9, a replacement and a chain; every sample goes to build/bench/sera.csv."""
    _say_if_busy()
    runs: list[sera.Run] = []
    for part in sera.parts(sera.QUICK if quick else sera.FULL):
        load = os.getloadavg()[0]
        for one in _measured(f"sera-{part.name.replace(' ', '-')}", part.program, part.aim, *part.words):
            runs += [sera.Run(part.kind, part.rules, one.name, value, load) for value in one.samples]
            yield dataclasses.replace(one, name=f"{part.name}: {one.name}")
        sera.save(runs, _RESULTS / "sera.csv")
    if report_file is not None:
        report_file.write_text(json.dumps(sera.report(runs), indent=2) + "\n")


@contextmanager
def _controller(lab: Lab) -> Iterator[tuple[Controller, float]]:
    """A fresh controller, and how many seconds it took to answer."""
    controller = Controller(lab)
    controller.install()
    try:
        start = time.monotonic()
        controller.start()
        controller.await_answer()
        took = time.monotonic() - start
        controller.await_ready()
        yield controller, took
    finally:
        controller.stop()


def _remove_all(controller: Controller) -> None:
    for policy in controller.rest().get("/srv6/policies"):
        controller.rest().delete(f"/srv6/policies/{policy['id']}")
    gone = until(lambda: controller.rest().get("/srv6/entries?state=pending") == [], 60)
    if not gone:
        raise UserError("the policies are deleted, but entries stay pending: ./sextant cli srv6:entries")


def _resident_mebibytes(controller: Controller) -> float:
    process = controller.process()
    if process is None:
        raise UserError("the controller is not running")
    status = Path(f"/proc/{process.pid}/status").read_text()
    fields: dict[str, Any] = dict(line.split(":", 1) for line in status.splitlines() if ":" in line)
    return int(fields["VmRSS"].split()[0]) / 1024


# With sizes of their own; the only ones that --quick and --json are for.
EXPERIMENTS = ("livelive", "mobile", "sera")

BENCHMARKS: dict[str, Callable[[], Iterator[Measured]]] = {
    "pack": _pack,
    "compile": _compile,
    "dynamic": _dynamic,
    "engine": _engine,
    "boot": _boot,
    "install": _install,
    "traffic": _traffic,
    "failover": _failover,
    "nodes": _nodes,
    "dataplanes": _dataplanes,
    "edge": _edge,
}
