# SPDX-License-Identifier: Apache-2.0
"""Draws Figures 5 and 6 of the mobile paper from mobile.csv and mobile-segments.csv, and prints their tables.

Both hold every run of ./sextant bench mobile (build/bench). Error bars are 95 % confidence intervals (Student), in
Figure 6 the quartiles of the samples.

Usage: python3 docs/papers/mobile-figures.py        (needs matplotlib)
"""

import csv
import math
import re
import statistics
from pathlib import Path

import matplotlib.pyplot as plt

HERE = Path(__file__).parent
STUDENT = {2: 4.303, 3: 3.182, 4: 2.776}  # two-sided 95 %
LEAST_SAMPLES = 3
PLANES = {"linux": "Linux", "bmv2": "bmv2"}
SCHEMES = {"gtp": "GTP", "traditional": "SRv6, traditional", "enhanced": "SRv6, enhanced"}
COLORS = {"gtp": "#d29922", "traditional": "#1f6feb", "enhanced": "#2da44e"}
Rows = list[dict[str, str]]


def rows(name: str) -> Rows:
    with (HERE / name).open() as file:
        return list(csv.DictReader(file))


def interval(samples: list[float]) -> tuple[float, float]:
    """Mean and half width; 0 of too few samples."""
    if len(samples) < LEAST_SAMPLES:
        return statistics.fmean(samples), 0.0
    half = STUDENT.get(len(samples) - 1, 1.96) * statistics.stdev(samples) / math.sqrt(len(samples))
    return statistics.fmean(samples), half


def figure_5(plane: str, every: Rows) -> None:
    runs = [row for row in every if row["plane"] == plane]
    figure, axes = plt.subplots(figsize=(6, 3.5))
    rates = sorted({int(row["rate"]) for row in runs})
    print(f"\n{PLANES[plane]}\n\n| packets/s | " + " | ".join(SCHEMES.values()) + " |\n|" + "---|" * (len(SCHEMES) + 1))
    lines: dict[int, list[str]] = {rate: [] for rate in rates}
    for scheme, label in SCHEMES.items():
        cells = [
            interval([float(row["delivered"]) for row in runs if (row["scheme"], int(row["rate"])) == (scheme, rate)])
            for rate in rates
        ]
        for rate, (mean, half) in zip(rates, cells, strict=True):
            lines[rate].append(f"{100 * mean:.1f} ± {100 * half:.1f} %")
        offered = [
            statistics.fmean(
                float(row["offered"]) for row in runs if (row["scheme"], int(row["rate"])) == (scheme, rate)
            )
            for rate in rates
        ]
        axes.errorbar([rate / 1000 for rate in offered], [mean for mean, _ in cells], yerr=[half for _, half in cells],
                      label=label, color=COLORS[scheme], marker="o", markersize=3, capsize=2)  # fmt: skip
    for rate, cells_of_rate in lines.items():
        print(f"| {rate:,} | " + " | ".join(cells_of_rate) + " |")
    axes.set_xlabel("offered, 1,000 packets/s")
    axes.set_ylabel("packet delivery ratio")
    axes.set_ylim(0, 1.05)
    loads = [float(row["load"]) for row in runs]
    print(f"load: median {statistics.median(loads):.1f}, from {min(loads):.1f} to {max(loads):.1f}")
    finish(figure, axes, f"mobile-figure-5-{plane}")


def figure_6(samples: Rows) -> None:
    for plane in sorted({row["variant"].partition(":")[0] for row in samples}):
        of_plane = [row for row in samples if row["variant"].startswith(f"{plane}:")]
        names = list(dict.fromkeys(row["variant"].partition(": ")[2] for row in of_plane))
        print(f"\n| {plane} | ns per packet: median | quartiles |\n|---|---|---|")
        figure, axes = plt.subplots(figsize=(6, 3.5))
        for place, name in enumerate(names):
            nanos = [float(row["nanos"]) for row in of_plane if row["variant"] == f"{plane}: {name}"]
            low, middle, high = statistics.quantiles(nanos, n=4) if len(nanos) > 1 else (nanos[0],) * 3
            print(f"| {name} | {middle:,.0f} | {low:,.0f} to {high:,.0f} |")
            color = "#1f6feb" if "SRv6" in name else "#d29922" if "GTP" in name else "#8b949e"
            axes.bar(place, middle, 0.8, color=color, yerr=[[middle - low], [high - middle]], capsize=2)
        axes.set_xticks(range(len(names)), [re.sub(r"GTP to SRv6, (\d) .*", r"\1", name) for name in names],
                        rotation=20, ha="right")  # fmt: skip
        axes.set_xlabel("segments, and others")
        axes.set_ylabel("ns of processor per packet")
        finish(figure, axes, f"mobile-figure-6-{plane}", legend=False)


def finish(figure: plt.Figure, axes: plt.Axes, name: str, *, legend: bool = True) -> None:
    axes.grid(axis="y", linewidth=0.3)
    if legend:
        axes.legend(frameon=False)
    figure.tight_layout()
    figure.savefig(HERE / f"{name}.svg", metadata={"Date": None})
    plt.close(figure)


if __name__ == "__main__":
    plt.rcParams["svg.hashsalt"] = "mobile"
    for data_plane in PLANES:
        figure_5(data_plane, rows("mobile.csv"))
    figure_6(rows("mobile-segments.csv"))
