# SPDX-License-Identifier: Apache-2.0
"""Figures 5 and 6 of the mobile paper: the plots and the numbers of mobile.md.

mobile.csv and mobile-segments.csv hold every run of ./sextant bench mobile (build/bench), mobile-demo.csv one run of
./sextant demo mobile. Error bars are 95 % confidence intervals (Student), in Figure 6 the quartiles of the samples.

Usage: python3 docs/papers/mobile-figures.py [--text]        (plots need matplotlib)
"""

import csv
import re
import statistics
from typing import TYPE_CHECKING

import page

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

PAGE = page.HERE / "mobile.md"
# Quantities of the page that no run measured: the paper's and the set-up's.
GIVEN = {
    "10 ms": "between pings",
    "20 Mb/s": "of the link, and of the paper's Figure 5",
    "30 Mb/s": "the paper, Figure 5",
    "50 Mb/s": "pfcpsim's sessions",
    "95 %": "confidence",
}
SCHEMES = {"gtp": "GTP", "traditional": "SRv6, traditional", "enhanced": "SRv6, enhanced"}
COLORS = {"gtp": "#d29922", "traditional": "#1f6feb", "enhanced": "#2da44e"}
DROPS_BELOW = 0.98  # share of packets delivered
# Names of the CSV file: lines of the page.
WORK = {
    "sent and ignored": "sent and discarded (included in all other lines)",
    "IPv6 forwarded": "IPv6 forwarded by the kernel",
    "GTP to another tunnel": "GTP to another GTP tunnel (`bench/gtp`)",
    "GTP ended by eUPF": "GTP decapsulated by eUPF v0.7.1 (XDP, generic mode)",
    "SRv6 to GTP": "SRv6 to GTP (through the veth pair)",
    "SRv6 ended (uDT4)": "SRv6 decapsulated by the kernel (uDT4)",
}
Rows = list[dict[str, str]]


def rows(name: str) -> Rows:
    with (page.HERE / name).open(newline="") as file:
        return list(csv.DictReader(file))


def quoted(plane: str) -> Rows:
    return [row for row in rows("mobile.csv") if row["plane"] == plane and float(row["load"]) <= page.MOST_LOAD]


def delivered(runs: Rows, scheme: str, rate: int) -> tuple[float, float] | None:
    return page.interval([float(r["delivered"]) for r in runs if (r["scheme"], int(r["rate"])) == (scheme, rate)])


def rates(runs: Rows) -> list[int]:
    every = sorted({int(row["rate"]) for row in runs})
    return [rate for rate in every if all(delivered(runs, scheme, rate) for scheme in SCHEMES)]


def figure_5(runs: Rows) -> str:
    lines = []
    for rate in rates(runs):
        cells = [delivered(runs, scheme, rate) or (0.0, 0.0) for scheme in SCHEMES]
        lines.append([f"{rate:,}", *(f"{100 * mean:.1f} ± {100 * half:.1f} %" for mean, half in cells)])
    return page.table(["packets/s", *SCHEMES.values()], lines)


def drops_from(runs: Rows, scheme: str) -> int:
    """The least rate from which on the scheme loses packets at every rate."""
    every = rates(runs)
    kept = [rate for rate in every if (delivered(runs, scheme, rate) or (0.0, 0.0))[0] >= DROPS_BELOW]
    return next(rate for rate in every if not kept or rate > max(kept))


def segments() -> dict[str, list[float]]:
    found: dict[str, list[float]] = {}
    for row in rows("mobile-segments.csv"):
        plane, _, name = row["variant"].partition(": ")
        if plane == "linux":
            found.setdefault(name, []).append(float(row["nanos"]))
    # The baseline, which is in all others, leads.
    return dict(sorted(found.items(), key=lambda one: one[0] != "sent and ignored"))


def figure_6(samples: dict[str, list[float]]) -> str:
    lines = []
    for name, nanos in samples.items():
        low, middle, high = page.quartiles(nanos)
        lines.append([WORK.get(name, name), f"{middle:,.0f}", f"{low:,.0f} – {high:,.0f}"])
    return page.table(["work of a gateway", "ns per packet: median", "quartiles"], lines)


def values() -> dict[str, str]:
    runs, samples = quoted("linux"), segments()
    medians = {name: statistics.median(nanos) for name, nanos in samples.items()}
    pushes = [middle for name, middle in medians.items() if name.startswith("GTP to SRv6")]
    tunnel = medians["GTP to another tunnel"]
    loads = [float(row["load"]) for row in rows("mobile.csv") if row["plane"] == "bmv2"]
    linux = [row for row in rows("mobile.csv") if row["plane"] == "linux"]
    return {
        "left-out": str(len(linux) - len(runs)),
        "runs": str(len(linux)),
        "bmv2-load": f"{statistics.median(loads):.1f}",
        "bmv2-loads": page.span(loads, 1),
        "figure-5": figure_5(runs),
        "short-run": f"{max(100 * (1 - int(row['offered']) / int(row['rate'])) for row in runs):.0f}",
        "enhanced-drops": f"{drops_from(runs, 'enhanced'):,}",
        "traditional-drops": f"{drops_from(runs, 'traditional'):,}",
        "figure-6": figure_6(samples),
        "push-more": f"{pushes[0] - tunnel:.0f}",
        "six-more": f"{pushes[-1] - pushes[0]:.0f}",
        "six-more-percent": f"{100 * (pushes[-1] / pushes[0] - 1):.0f}",
        **{f"demo-{row['figure']}": row["value"] for row in rows("mobile-demo.csv")},
    }


def draw_5(runs: Rows) -> None:
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(6, 3.5))
    for scheme, label in SCHEMES.items():
        cells = [delivered(runs, scheme, rate) or (0.0, 0.0) for rate in rates(runs)]
        offered = [
            statistics.fmean(float(r["offered"]) for r in runs if (r["scheme"], int(r["rate"])) == (scheme, rate))
            for rate in rates(runs)
        ]
        axes.errorbar([rate / 1000 for rate in offered], [mean for mean, _ in cells], yerr=[half for _, half in cells],
                      label=label, color=COLORS[scheme], marker="o", markersize=3, capsize=2)  # fmt: skip
    axes.set_xlabel("offered, 1,000 packets/s")
    axes.set_ylabel("packet delivery ratio")
    axes.set_ylim(0, 1.05)
    axes.legend(frameon=False)
    _save(figure, axes, "mobile-figure-5")


def draw_6(samples: dict[str, list[float]]) -> None:
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(6, 3.5))
    for place, (name, nanos) in enumerate(samples.items()):
        low, middle, high = page.quartiles(nanos)
        color = "#1f6feb" if "SRv6" in name else "#d29922" if "GTP" in name else "#8b949e"
        axes.bar(place, middle, 0.8, color=color, yerr=[[middle - low], [high - middle]], capsize=2)
    axes.set_xticks(range(len(samples)), [re.sub(r"GTP to SRv6, (\d) .*", r"\1", name) for name in samples],
                    rotation=20, ha="right")  # fmt: skip
    axes.set_xlabel("segments, and others")
    axes.set_ylabel("ns of processor per packet")
    _save(figure, axes, "mobile-figure-6")


def _save(figure: "Figure", axes: "Axes", name: str) -> None:
    axes.grid(axis="y", linewidth=0.3)
    figure.tight_layout()
    figure.savefig(page.HERE / f"{name}.svg", metadata={"Date": None})


def draw() -> None:
    import matplotlib.pyplot as plt

    plt.rcParams["svg.hashsalt"] = "mobile"
    draw_5(quoted("linux"))
    draw_6(segments())


if __name__ == "__main__":
    page.main(PAGE, values(), draw)
