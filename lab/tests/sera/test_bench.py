# SPDX-License-Identifier: Apache-2.0
"""The programs behind ./sextant bench sera, in their shortest form: they refuse to measure a wrong state."""

import json
import os
import re
import subprocess
import sys

import pytest
from sextantlab import build, netns
from sextantlab.instance import Instance
from sextantlab.paths import LAB, ROOT

_SECONDS = 100


@pytest.fixture
def legacy_iptables() -> None:
    name = f"{Instance.free().prefix}iptables"
    netns.ip("netns", "add", name)
    try:
        done = netns.run(name, "ip6tables-legacy", "-t", "raw", "-L")
    finally:
        netns.ip("netns", "del", name)
    if done.returncode != 0:
        pytest.skip(f"needs ip6tables-legacy and a kernel with ip6table_raw: {done.stderr.strip()}")


def measured(program: str, *words: str) -> dict[str, list[float]]:
    build.agent()
    done = subprocess.run(
        [sys.executable, ROOT / "conformance" / program, *words],
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(LAB), str(ROOT)])},
        capture_output=True, text=True, check=False, timeout=_SECONDS,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    return {one["name"]: one["samples"] for one in json.loads(done.stdout)}


@pytest.mark.parametrize("rules", [1, 70])
def test_every_packet_is_dropped_by_the_last_rule_of_each_firewall(legacy_iptables: None, rules: int) -> None:
    samples = measured("sera.py", str(rules), "--rounds", "2")
    assert [re.split(r"\W", name)[0] for name in samples] == ["ip6tables"] * 3 + ["nft"] * 3 + ["Sextant"] * 4
    assert all(len(nanos) == 2 and min(nanos) > 0 for nanos in samples.values())


def test_rules_are_replaced_under_packets_and_none_is_judged_by_both() -> None:
    samples = measured("sera_replace.py", "1000", "--rounds", "2")
    steps = ["new rows written", "SID led to them", "old rows deleted"]
    assert list(samples) == [*steps, "in all", "processor time of the agent"]
    assert samples["in all"] == pytest.approx(
        [sum(one) for one in zip(*(samples[step] for step in steps), strict=True)]
    )


def test_tcp_passes_two_firewalls_there_and_back() -> None:
    samples = measured("sera_chain.py", "--seconds", "1", "--rounds", "1")
    assert list(samples) == ["no firewall", "one firewall", "two firewalls"]
    assert all(min(mbps) > 0 for mbps in samples.values())
