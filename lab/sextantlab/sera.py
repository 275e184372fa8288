# SPDX-License-Identifier: Apache-2.0
"""The experiments of ./sextant bench sera: their sizes, and the results that are kept.

The measurements are in conformance/sera.py (the SERA paper's Figures 6 to 9), sera_replace.py and sera_chain.py, which
speak P4Runtime.
"""

import csv
import statistics
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

TOPOLOGY = "sera"
FIGURES, REPLACE, CHAIN = "figures", "replace", "chain"
_AIMS = {
    FIGURES: "beside the other lines of this run",
    REPLACE: "1 s in all",
    CHAIN: "over 1000",
}


@dataclass(frozen=True)
class Size:
    """Numbers of rules, and how often."""

    rules: tuple[int, ...]
    rounds: int
    replaced: int
    replacements: int
    chain_seconds: int
    chain_rounds: int


FULL = Size(tuple(1 << n for n in range(13)), 30, 4096, 10, 3, 7)
QUICK = Size((1, 64, 512, 4096), 3, 4096, 1, 1, 1)


@dataclass(frozen=True)
class Part:
    """One program that measures, with its words. `rules` is 0 where their number does not matter."""

    name: str
    kind: str
    program: str
    words: tuple[str, ...]
    rules: int

    @property
    def aim(self) -> str:
        return _AIMS[self.kind]


@dataclass(frozen=True)
class Run:
    """One sample. Units: figures ns per packet, replace ms, chain Mb/s."""

    kind: str
    rules: int
    variant: str
    value: float
    load: float  # of the minute before its part


def parts(size: Size) -> Iterator[Part]:
    for rules in size.rules:
        words = (str(rules), "--rounds", str(size.rounds))
        yield Part(f"{rules} rules", FIGURES, "sera.py", words, rules)
    again = (str(size.replaced), "--rounds", str(size.replacements))
    yield Part(f"{size.replaced} rules replaced", REPLACE, "sera_replace.py", again, size.replaced)
    how_long = ("--seconds", str(size.chain_seconds), "--rounds", str(size.chain_rounds))
    yield Part("TCP through a chain", CHAIN, "sera_chain.py", how_long, 0)


def report(runs: Sequence[Run]) -> dict[str, list[dict[str, Any]]]:
    """Medians with the least and the most."""
    rows: dict[str, list[dict[str, Any]]] = {FIGURES: [], REPLACE: [], CHAIN: []}
    for kind, rules, variant in dict.fromkeys((one.kind, one.rules, one.variant) for one in runs):
        cell = [one for one in runs if (one.kind, one.rules, one.variant) == (kind, rules, variant)]
        values = [one.value for one in cell]
        rows[kind].append({
            "rules": rules, "variant": variant, "median": round(statistics.median(values), 3),
            "least": round(min(values), 3), "most": round(max(values), 3), "samples": len(values),
            "load": round(max(one.load for one in cell), 2),
        })  # fmt: skip
    return rows


def save(runs: Sequence[Run], file: Path) -> None:
    """Every sample, for the plots."""
    with file.open("w", newline="") as out:
        table = csv.writer(out, lineterminator="\n")
        table.writerow(["kind", "rules", "variant", "value", "load"])
        table.writerows([one.kind, one.rules, one.variant, f"{one.value:.2f}", f"{one.load:.2f}"] for one in runs)
