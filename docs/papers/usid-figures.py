# SPDX-License-Identifier: Apache-2.0
"""Figure 3 of the uSID paper: plot and table of usid.md, from usid-figure-3.csv (EncapsulationTest checks it).

Usage: python3 docs/papers/usid-figures.py [--text]        (plots need matplotlib)
"""

import csv

import page

PAGE = page.HERE / "usid.md"
# Quantities of the page that no run measured: the paper's and the set-up's.
GIVEN = {
    "58 %": "the paper, IV-B",
    "70 %": "the paper, IV-B",
}
SERIES = [
    ("usidSaving", "uSID", "#1f6feb"),
    ("crh16Saving", "SRm6 CRH-16", "#8b949e"),
    ("crh32Saving", "SRm6 CRH-32", "#d0d7de"),
]
HEAD = ["waypoints per domain", "SIDs", "containers", "plain SRv6", "uSID", "CRH-16", "CRH-32", "uSID saves", "CRH-16",
        "CRH-32"]  # fmt: skip


def rows() -> list[dict[str, str]]:
    with (page.HERE / "usid-figure-3.csv").open(newline="") as file:
        return list(csv.DictReader(file))


def values() -> dict[str, str]:
    lines = [[f"{float(v):.1f} %" if "." in v else v for v in row.values()] for row in rows()]
    return {"figure-3": page.table(HEAD, lines)}


def draw() -> None:
    import matplotlib.pyplot as plt

    plt.rcParams["svg.hashsalt"] = "sextant"
    figure, axes = plt.subplots(figsize=(8, 4))
    for index, (column, label, color) in enumerate(SERIES):
        places = [int(row["waypoints"]) + 0.27 * (index - 1) for row in rows()]
        bars = axes.bar(places, [float(row[column]) for row in rows()], 0.25, label=label, color=color)
        axes.bar_label(bars, fmt="%.0f", fontsize=7, padding=1)
    axes.set_xlabel("underlay waypoints per domain (SIDs: 3 per waypoint + 1)")
    axes.set_ylabel("encapsulation size saving, %")
    axes.set_xticks(range(1, 8), [f"{row['waypoints']}\n({row['sids']} SIDs)" for row in rows()])
    axes.set_ylim(0, 85)
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False, ncols=3, loc="upper left")
    figure.tight_layout()
    figure.savefig(page.HERE / "usid-figure-3.svg", metadata={"Date": None})


if __name__ == "__main__":
    page.main(PAGE, values(), draw)
