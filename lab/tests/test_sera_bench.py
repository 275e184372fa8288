# SPDX-License-Identifier: Apache-2.0
"""The parts of ./sextant bench sera, and its kept results, without running it."""

from pathlib import Path

import pytest
from sextantlab import sera
from sextantlab.paths import ROOT
from sextantlab.sera import Run, Size


@pytest.mark.parametrize("size", [sera.FULL, sera.QUICK])
def test_programs_that_measure_are_there(size: Size) -> None:
    for part in sera.parts(size):
        assert (ROOT / "conformance" / part.program).is_file()


def test_the_full_size_is_the_papers_and_goes_on_to_what_a_firewall_may_have() -> None:
    rules = [part.rules for part in sera.parts(sera.FULL) if part.kind == sera.FIGURES]
    assert rules == [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096]


def test_the_report_has_the_median_and_what_was_around_it(tmp_path: Path) -> None:
    runs = [
        Run("figures", 64, "nft, plain packet", 830.0, 0.5),
        Run("figures", 64, "nft, plain packet", 850.0, 0.5),
        Run("figures", 64, "nft, plain packet", 831.5, 2.25),
        Run("chain", 0, "no firewall", 9000.0, 0.5),
    ]
    figure = {"rules": 64, "variant": "nft, plain packet", "median": 831.5, "least": 830.0, "most": 850.0, "samples": 3,
              "load": 2.25}  # fmt: skip
    chain = {"rules": 0, "variant": "no firewall", "median": 9000.0, "least": 9000.0, "most": 9000.0, "samples": 1,
             "load": 0.5}  # fmt: skip
    assert sera.report(runs) == {"figures": [figure], "replace": [], "chain": [chain]}
    sera.save(runs, tmp_path / "runs.csv")
    assert (tmp_path / "runs.csv").read_text().splitlines()[:2] == [
        "kind,rules,variant,value,load", 'figures,64,"nft, plain packet",830.00,0.50',
    ]  # fmt: skip
