# SPDX-License-Identifier: Apache-2.0
"""Draws Figures 4, 5a, 5b and 6 of the Live-Live paper, and the uncapped throughput, from livelive.csv.

livelive.csv holds every run of ./sextant bench livelive (build/bench/livelive.csv). Also prints the tables of livelive.md.
One that was made before runs of several lengths and the narrow link were has figures and tables without them.

Usage: python3 docs/papers/livelive-figures.py        (needs matplotlib)
"""

import csv
import math
import statistics
from pathlib import Path

import matplotlib.pyplot as plt

HERE = Path(__file__).parent
STUDENT = {2: 4.303, 3: 3.182, 4: 2.776}  # two-sided 95 %
LEAST_SAMPLES = 3
COLORS = {"single": "#8b949e", "random": "#d29922", "livelive": "#1f6feb", "nodedup": "#a371f7"}
LABELS = {"single": "single", "random": "random", "livelive": "Live-Live", "nodedup": "no de-duplication"}
Rows = list[dict[str, str]]


def interval(samples: list[float]) -> tuple[float, float | None]:
    if len(samples) < LEAST_SAMPLES:
        return statistics.fmean(samples), None
    half = STUDENT.get(len(samples) - 1, 1.96) * statistics.stdev(samples) / math.sqrt(len(samples))
    return statistics.fmean(samples), half


def cell(rows: Rows, kind: str, scheme: str, paths: int, column: str, gso: str) -> tuple[float, float | None]:
    return interval([
        float(row[column]) for row in rows
        if (row["kind"], row["scheme"], int(row["paths"]), row["gso"]) == (kind, scheme, paths, gso)
    ])  # fmt: skip


def lengths(rows: Rows, kind: str) -> list[str]:
    """Of the runs of a kind, the shortest first; one without a name where there was only one."""
    return sorted({row.get("seconds", "") for row in rows if row["kind"] == kind}, key=lambda text: int(text or 0))


def of_length(rows: Rows, kind: str, seconds: str) -> Rows:
    return [row for row in rows if row["kind"] == kind and row.get("seconds", "") == seconds]


def draw(
    rows: Rows, name: str, kind: str, schemes: list[str], column: str, label: str, scale: float = 1, log: bool = False
) -> None:
    gso = "on" if kind == "uncapped" else "off"
    numbers = sorted({int(row["paths"]) for row in rows})
    figure, axes = plt.subplots(figsize=(6, 3.5))
    width = 0.8 / len(schemes)
    for index, scheme in enumerate(schemes):
        cells = [cell(rows, kind, scheme, paths, column, gso) for paths in numbers]
        places = [paths + width * (index - (len(schemes) - 1) / 2) for paths in numbers]
        bars = axes.bar(places, [mean * scale for mean, _ in cells], width * 0.92, label=LABELS[scheme],
                        color=COLORS[scheme], yerr=[(half or 0) * scale for _, half in cells], capsize=2,
                        error_kw={"linewidth": 0.8})  # fmt: skip
        axes.bar_label(bars, fmt="%.1f" if not log else "%.0f", fontsize=6, padding=1)
    if log:
        axes.set_yscale("log")
    axes.set_xlabel("paths")
    axes.set_ylabel(label)
    axes.set_xticks(numbers)
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False, ncols=4, loc="upper center", bbox_to_anchor=(0.5, 1.15), fontsize=8)
    figure.tight_layout()
    figure.savefig(HERE / f"livelive-{name}.svg", metadata={"Date": None})
    plt.close(figure)


def table(rows: Rows, kind: str, column: str, digits: int) -> None:
    numbers = sorted({int(row["paths"]) for row in rows})
    columns = [(scheme, "off" if kind != "uncapped" else "on") for scheme in LABELS]
    columns += [("livelive", "off")] if kind == "uncapped" else []
    there = {(row["scheme"], row["gso"]) for row in rows}
    columns = [one for one in columns if one in there]
    names = [LABELS[scheme] + (", no GSO" if (kind, gso) == ("uncapped", "off") else "") for scheme, gso in columns]
    seconds = rows[0].get("seconds", "")
    print(f"\n{kind} {column} {seconds and f'of runs of {seconds} s'}\n")
    print(f"| paths | {' | '.join(names)} |\n|---|{'---|' * len(names)}")
    for paths in numbers:
        cells = (cell(rows, kind, scheme, paths, column, gso) for scheme, gso in columns)
        print(f"| {paths} | {' | '.join(text(mean, half, digits) for mean, half in cells)} |")


def text(mean: float, half: float | None, digits: int) -> str:
    return f"{mean:,.{digits}f}" + ("" if half is None else f" ± {half:,.{digits}f}")


def main() -> None:
    with open(HERE / "livelive.csv", newline="") as file:
        every = list(csv.DictReader(file))
    plt.rcParams["svg.hashsalt"] = "sextant"
    capped = of_length(every, "capped", lengths(every, "capped")[0])
    uncapped = of_length(every, "uncapped", lengths(every, "uncapped")[0])
    narrow = [row for row in every if row["kind"] == "narrow"]
    three = ["single", "random", "livelive"]
    draw(capped, "figure-4", "capped", three, "mbps", "throughput, Mb/s")
    draw(capped, "figure-5a", "capped", three, "retransmits", "TCP retransmissions")
    window = "mean congestion window, kB"
    draw(capped, "figure-5b", "capped", three, "congestion_window_bytes", window, scale=1e-3, log=True)
    draw(narrow or capped, "figure-6", "narrow" if narrow else "capped", ["livelive", "nodedup"], "mbps",
         "throughput, Mb/s")  # fmt: skip
    draw(uncapped, "uncapped", "uncapped", list(LABELS), "mbps", "throughput, Gb/s", scale=1e-3)
    for seconds in lengths(every, "capped"):
        table(of_length(every, "capped", seconds), "capped", "mbps", 2)
    if narrow:
        table(narrow, "narrow", "mbps", 2)
    table(capped, "capped", "retransmits", 0)
    table(capped, "capped", "congestion_window_bytes", 0)
    table(uncapped, "uncapped", "mbps", 0)


if __name__ == "__main__":
    main()
