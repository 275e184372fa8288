# SPDX-License-Identifier: Apache-2.0
"""Draws Figure 3 of the uSID paper from usid-figure-3.csv, whose numbers EncapsulationTest holds.

Usage: python3 docs/papers/usid-figure-3.py        (needs matplotlib)
"""

import csv
from pathlib import Path

import matplotlib.pyplot as plt

HERE = Path(__file__).parent
SERIES = [("usidSaving", "uSID", "#1f6feb"), ("crh16Saving", "SRm6 CRH-16", "#8b949e"), ("crh32Saving", "SRm6 CRH-32", "#d0d7de")]


def main() -> None:
    with open(HERE / "usid-figure-3.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    plt.rcParams["svg.hashsalt"] = "sextant"
    figure, axes = plt.subplots(figsize=(8, 4))
    for index, (column, label, color) in enumerate(SERIES):
        places = [int(row["waypoints"]) + 0.27 * (index - 1) for row in rows]
        bars = axes.bar(places, [float(row[column]) for row in rows], 0.25, label=label, color=color)
        axes.bar_label(bars, fmt="%.0f", fontsize=7, padding=1)
    axes.set_xlabel("underlay waypoints per domain (SIDs: 3 per waypoint + 1)")
    axes.set_ylabel("encapsulation size saving, %")
    axes.set_xticks(range(1, 8), [f"{row['waypoints']}\n({row['sids']} SIDs)" for row in rows])
    axes.set_ylim(0, 85)
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False, ncols=3, loc="upper left")
    figure.tight_layout()
    figure.savefig(HERE / "usid-figure-3.svg", metadata={"Date": None})


if __name__ == "__main__":
    main()
