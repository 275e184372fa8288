# SPDX-License-Identifier: Apache-2.0
"""Draws Figures 6 to 9 of the SERA paper from sera.csv, and prints the tables of sera.md.

sera.csv holds every sample of ./sextant bench sera (build/bench). Lines are medians, with the quartiles around them.
The paper counts packets a second on one core; that is the inverse of the processor time that is measured here.

Usage: python3 docs/papers/sera-figures.py        (needs matplotlib)
"""

import csv
import statistics
from pathlib import Path

import matplotlib.pyplot as plt
from matplotlib.ticker import FuncFormatter

HERE = Path(__file__).parent
NANOS_PER_MILLI = 1e6
# The paper's own numbers, in 1,000 packets a second; it gives no others than those of one rule.
PAPER = {6: "911 (iptables), 875, 873", 7: "875, 857", 8: "none given", 9: "none given"}
FIGURES = {
    6: ["ip6tables, plain packet", "Sextant basic, encap", "Sextant basic, insert"],
    7: ["Sextant basic, encap", "Sextant advanced, encap", "Sextant advanced, insert"],
    8: ["ip6tables -m rt, encap", "ip6tables -m srh, encap", "Sextant advanced, encap"],
    9: ["ip6tables, plain packet", "nft, plain packet", "nft map, plain packet", "nft, raw bytes inside, encap",
        "Sextant basic, encap"],
}  # fmt: skip
COLORS = {
    "ip6tables, plain packet": "#d29922",
    "ip6tables -m rt, encap": "#8b949e",
    "ip6tables -m srh, encap": "#cf222e",
    "nft, plain packet": "#8250df",
    "nft, raw bytes inside, encap": "#bf3989",
    "nft map, plain packet": "#6e7781",
    "Sextant basic, encap": "#1f6feb",
    "Sextant basic, insert": "#54aeff",
    "Sextant advanced, encap": "#2da44e",
    "Sextant advanced, insert": "#7ee787",
}
Samples = dict[tuple[str, int, str], list[float]]


def samples() -> Samples:
    found: Samples = {}
    with (HERE / "sera.csv").open() as file:
        for row in csv.DictReader(file):
            found.setdefault((row["kind"], int(row["rules"]), row["variant"]), []).append(float(row["value"]))
    return found


def quartiles(values: list[float]) -> tuple[float, float, float]:
    low, middle, high = statistics.quantiles(values, n=4) if len(values) > 1 else values * 3
    return low, middle, high


def costs(found: Samples) -> None:
    """The table of all variants."""
    numbers = sorted({rules for kind, rules, _ in found if kind == "figures"})
    print("| ns per packet: median (quartiles) | " + " | ".join(f"{n:,}" for n in numbers) + " |")
    print("|---" * (len(numbers) + 1) + "|")
    for variant in COLORS:
        cells = []
        for rules in numbers:
            low, middle, high = quartiles(found["figures", rules, variant])
            cells.append(f"{middle:,.0f} ({low:,.0f} – {high:,.0f})")
        print(f"| {variant} | " + " | ".join(cells) + " |")


def figure(found: Samples, number: int, variants: list[str]) -> None:
    shown, axes = plt.subplots(figsize=(6, 3.5))
    for variant in variants:
        numbers = sorted(rules for kind, rules, name in found if (kind, name) == ("figures", variant))
        # More time is fewer packets: the quartiles change places.
        rates = [tuple(NANOS_PER_MILLI / nanos for nanos in quartiles(found["figures", n, variant])) for n in numbers]
        axes.plot(numbers, [middle for _, middle, _ in rates], label=variant, color=COLORS[variant], marker="o",
                  markersize=3)  # fmt: skip
        axes.fill_between(numbers, [high for _, _, high in rates], [low for low, _, _ in rates], alpha=0.2,
                          color=COLORS[variant], linewidth=0)  # fmt: skip
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    axes.xaxis.set_major_formatter(FuncFormatter(lambda rules, _: f"{rules:,.0f}"))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda rate, _: f"{rate:,.0f}"))
    axes.set_xlabel("rules, of which the last one drops")
    axes.set_ylabel("1,000 packets/s of one core")
    axes.grid(linewidth=0.3)
    axes.legend(frameon=False, fontsize=8)
    shown.tight_layout()
    shown.savefig(HERE / f"sera-figure-{number}.svg", metadata={"Date": None})
    plt.close(shown)
    print(f"Figure {number}: the paper with one rule: {PAPER[number]} (1,000 packets/s)")


def crossing(found: Samples) -> None:
    """From how many rules on the firewall is cheaper than each of the kernel's filters."""
    numbers = sorted({rules for kind, rules, _ in found if kind == "figures"})
    for variant in COLORS:
        if variant.startswith("Sextant"):
            continue
        beside = "Sextant advanced, encap" if "-m" in variant else "Sextant basic, encap"
        cheaper = [
            n for n in numbers
            if statistics.median(found["figures", n, beside]) < statistics.median(found["figures", n, variant])
        ]  # fmt: skip
        least = next((n for n in numbers if all(m in cheaper for m in numbers if m >= n)), None)
        where = f"from {least:,} rules on" if least else "at no number of rules"
        print(f"{beside} is cheaper than {variant} {where}")


def others(found: Samples, kind: str, unit: str) -> None:
    print(f"\n| {kind} | {unit}: median | least – most | samples |\n|---|---|---|---|")
    for (of_kind, _, variant), values in found.items():
        if of_kind == kind:
            spread = f"{min(values):,.1f} – {max(values):,.1f}"
            print(f"| {variant} | {statistics.median(values):,.1f} | {spread} | {len(values)} |")


if __name__ == "__main__":
    plt.rcParams["svg.hashsalt"] = "sera"
    every = samples()
    costs(every)
    for place, names in FIGURES.items():
        figure(every, place, names)
    crossing(every)
    others(every, "replace", "ms")
    others(every, "chain", "Mb/s")
