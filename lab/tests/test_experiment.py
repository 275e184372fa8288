# SPDX-License-Identifier: Apache-2.0
"""The parts of the Live-Live experiment, without running it."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from sextantlab import livelive, netns, processes, relay
from sextantlab.livelive import Run
from sextantlab.paths import LAB
from sextantlab.processes import until
from sextantlab.relay import Ends, Impairment


def test_losses_are_the_same_every_time() -> None:
    assert livelive.losses() == [3.16, 3.06, 3.39, 2.82, 8.08, 2.23]


def test_an_interval_is_that_of_student() -> None:
    mean, half = livelive.interval([9.8, 9.9, 10.0, 9.9, 9.9])
    assert mean == pytest.approx(9.9)
    assert half == pytest.approx(2.776 * 0.0707107 / 5**0.5, rel=1e-4)


@pytest.mark.parametrize("samples", [[3.0], [2.0, 4.0]])
def test_two_samples_have_no_interval(samples: list[float]) -> None:
    assert livelive.interval(samples) == (3.0, None)


def test_single_takes_the_path_that_loses_least_of_those_there_are() -> None:
    assert [livelive.best(paths) for paths in livelive.PATHS] == [2, 2, 4, 4, 6]


def _run(kind: str, scheme: str, gso: bool, mbps: float, seconds: int = 4, load: float = 0.5) -> Run:
    return Run(kind, scheme, 2, seconds, gso, mbps, 0, 1000, load)


def test_the_report_has_a_row_per_cell_and_only_hosts_as_they_come_when_uncapped(tmp_path: Path) -> None:
    runs = [
        _run("capped", "single", False, 1.0, load=1.75),
        _run("capped", "single", False, 1.0),
        _run("capped", "single", False, 1.0),
        _run("capped", "single", False, 0.7, seconds=30),
        _run("narrow", "nodedup", False, 8.0),
        _run("uncapped", "livelive", True, 2000.0),
        _run("uncapped", "livelive", False, 1000.0),
    ]

    def row(scheme: str, mbps: float, ci: float | None, seconds: int = 4, load: float = 0.5) -> dict[str, object]:
        return {"scheme": scheme, "paths": 2, "seconds": seconds, "mbps": mbps, "ci": ci, "load": load}

    assert livelive.report(runs) == {
        "capped": [row("single", 1.0, 0.0, load=1.75), row("single", 0.7, None, seconds=30)],
        "narrow": [row("nodedup", 8.0, None)],
        "uncapped": [row("livelive", 2000.0, None)],
    }
    livelive.save(runs, tmp_path / "runs.csv")
    lines = (tmp_path / "runs.csv").read_text().splitlines()
    assert lines[0] == "kind,scheme,paths,seconds,gso,mbps,retransmits,congestion_window_bytes,load"
    assert lines[1] == "capped,single,2,4,off,1.000,0,1000,1.75"
    assert len(lines) == 8


@pytest.fixture
def ends() -> Iterator[tuple[str, str, str]]:
    """Two namespaces and one between them."""
    left, right, middle = names = ("sxtest-left", "sxtest-right", "sxtest-relay")
    try:
        netns.ip_batch(f"netns add {name}" for name in names)
        _join(left, right, middle)
        yield names
    finally:
        netns.ip_batch(f"netns del {name}" for name in names if netns.exists(name))


def _join(left: str, right: str, middle: str) -> None:
    for name, own, address in ((left, "a", "fd00::1/64"), (right, "b", "fd00::2/64")):
        netns.ip("link", "add", "eth0", "netns", name, "type", "veth", "peer", "name", own, "netns", middle)
        netns.ip("addr", "add", address, "dev", "eth0", "nodad", namespace=name)
        netns.ip("link", "set", "eth0", "up", namespace=name)
        netns.ip("link", "set", "dev", own, "up", namespace=middle)


def _pings(namespace: str) -> list[float]:
    """Round trips in milliseconds."""
    done = netns.run(namespace, "ping", "-n", "-i", "0.02", "-c", "20", "-W", "1", "fd00::2")
    return [float(line.split("time=")[1].split()[0]) for line in done.stdout.splitlines() if "time=" in line]


@pytest.mark.parametrize(("delay_millis", "loss_percent", "least", "most"), [(15, 0, 20, 20), (1, 50, 0, 15)])
def test_a_link_takes_its_time_and_loses_its_share(
    ends: tuple[str, str, str], tmp_path: Path, delay_millis: float, loss_percent: float, least: int, most: int
) -> None:
    left, _, middle = ends
    link = Ends("a", "b", Impairment(delay_millis, loss_percent, 7))
    process = processes.start(relay.command(middle, [link]), tmp_path / "log", {"PYTHONPATH": str(LAB)})
    try:
        assert until(lambda: bool(_pings(left)), 20), (tmp_path / "log").read_text()
        answered = _pings(left)
        assert least <= len(answered) <= most
        assert min(answered) >= 2 * delay_millis
    finally:
        processes.stop(process)
