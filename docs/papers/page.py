# SPDX-License-Identifier: Apache-2.0
"""Pages whose numbers are written by a script, from a CSV file of measurements.

A value stands between markers, in a line or as a block of lines:

    worst run <!-- =worst -->3.2<!-- / --> Mb/s

A script has ``PAGE`` (the file), ``values()`` (name to text) and ``draw()`` (the plots; needs matplotlib).
lab/tests/test_papers.py writes every page anew and compares.
"""

import argparse
import re
import statistics
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

HERE = Path(__file__).parent
MARKED = re.compile(r"<!-- =([a-z0-9-]+) -->(.*?)<!-- / -->", re.DOTALL)
# A run that began at a higher load average than this is not quoted: other processes took part of its processor time.
MOST_LOAD = 1.5
# Two-sided 95 % quantiles of Student's distribution, by degrees of freedom.
STUDENT = {2: 4.303, 3: 3.182, 4: 2.776}
LEAST_SAMPLES = 3


def fill(text: str, values: Mapping[str, str]) -> str:
    """``text`` with each value in its markers. KeyError: a marker without a value, or a value without a marker."""
    used: set[str] = set()

    def value(match: re.Match[str]) -> str:
        name, old = match.groups()
        used.add(name)
        edge = "\n" if old.startswith("\n") else ""
        return f"<!-- ={name} -->{edge}{values[name]}{edge}<!-- / -->"

    filled = MARKED.sub(value, text)
    if unused := values.keys() - used:
        raise KeyError(f"no marker for {', '.join(sorted(unused))}")
    return filled


def interval(samples: Sequence[float]) -> tuple[float, float] | None:
    """Mean and half width of the 95 % confidence interval (Student); None for fewer than three samples."""
    if len(samples) < LEAST_SAMPLES:
        return None
    quantile = STUDENT.get(len(samples) - 1, 1.96)
    return statistics.fmean(samples), quantile * statistics.stdev(samples) / len(samples) ** 0.5


def quartiles(samples: Sequence[float]) -> tuple[float, float, float]:
    low, middle, high = statistics.quantiles(samples, n=4)
    return low, middle, high


def table(head: Sequence[str], lines: Sequence[Sequence[str]]) -> str:
    rows = [head, ["---"] * len(head), *lines]
    return "\n".join("| " + " | ".join(row) + " |" if row[0] != "---" else "|" + "---|" * len(row) for row in rows)


def span(values: Sequence[float], digits: int = 0) -> str:
    """The least and the greatest: "49 to 57"."""
    return f"{min(values):,.{digits}f} to {max(values):,.{digits}f}"


def main(page: Path, values: Mapping[str, str], draw: Callable[[], None]) -> None:
    parser = argparse.ArgumentParser(description=f"Writes the numbers of {page.name} and draws its plots.")
    parser.add_argument("--text", action="store_true", help="only the numbers: needs nothing but Python")
    options = parser.parse_args()
    page.write_text(fill(page.read_text(), values))
    if not options.text:
        draw()
