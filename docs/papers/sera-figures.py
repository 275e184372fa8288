# SPDX-License-Identifier: Apache-2.0
"""Figures 6 to 9 of the SERA paper: the plots and the numbers of sera.md.

sera.csv holds every sample of ./sextant bench sera (build/bench). Lines are medians, with the quartiles around them.
The paper counts packets a second on one core; that is the inverse of the processor time that is measured here.
sera-puts.csv holds changes by REST of the same day.

Usage: python3 docs/papers/sera-figures.py [--text]        (plots need matplotlib)
"""

import csv
import statistics
from collections.abc import Sequence

import page

PAGE = page.HERE / "sera.md"
# Quantities of the page that no run measured: the paper's and the set-up's.
GIVEN = {
    "10 Gb/s": "the paper's card",
    "911,000 packets a second": "the paper, one rule",
}
NANOS_PER_MILLI = 1e6
SHOWN = (1, 8, 32, 64, 128, 512, 1024, 4096)
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
BASIC = ["ip6tables, plain packet", "nft, plain packet", "nft map, plain packet", "nft, raw bytes inside, encap",
         "Sextant basic, encap", "Sextant basic, insert"]  # fmt: skip
ADVANCED = ["ip6tables -m rt, encap", "ip6tables -m srh, encap", "Sextant advanced, encap", "Sextant advanced, insert"]
# Names of the CSV file: lines of the page.
STEPS = {
    "new rows written": "new entries written",
    "SID led to them": "SID entry changed",
    "old rows deleted": "old entries deleted",
    "in all": "total",
}
Samples = dict[tuple[str, int, str], list[float]]


def samples() -> Samples:
    found: Samples = {}
    with (page.HERE / "sera.csv").open(newline="") as file:
        for row in csv.DictReader(file):
            if float(row["load"]) <= page.MOST_LOAD:
                found.setdefault((row["kind"], int(row["rules"]), row["variant"]), []).append(float(row["value"]))
    return found


class Costs:
    """Median processor time of a dropped packet in ns, by variant and number of rules."""

    def __init__(self, found: Samples) -> None:
        self._of = {(name, n): statistics.median(v) for (kind, n, name), v in found.items() if kind == "figures"}
        self.rules = sorted({n for _, n in self._of})

    def at(self, variant: str, rules: int) -> float:
        return self._of[variant, rules]

    def ns(self, variant: str, rules: int) -> str:
        return f"{self.at(variant, rules):,.0f}"

    def span(self, variants: Sequence[str], least: int, most: int) -> str:
        return page.span([self.at(v, n) for v in variants for n in self.rules if least <= n <= most])

    def ratio(self, variant: str, one: int, other: int) -> str:
        return f"{self.at(variant, one) / self.at(variant, other):.2f}"

    def growth(self, variant: str) -> str:
        """The dearest set, in times of a single rule."""
        return f"{max(self.at(variant, n) for n in self.rules) / self.at(variant, 1):.2f}"

    def dearer_from(self, variant: str, beside: str) -> str:
        """From how many rules on ``variant`` costs more than ``beside``."""
        cheaper = [n for n in self.rules if self.at(variant, n) <= self.at(beside, n)]
        return f"{next(n for n in self.rules if not cheaper or n > max(cheaper)):,}"

    def table(self, variants: Sequence[str]) -> str:
        lines = [[variant, *(self.ns(variant, n) for n in SHOWN)] for variant in variants]
        return page.table(["rules", *(f"{n:,}" for n in SHOWN)], lines)


def others(found: Samples, kind: str, head: str, unit: str) -> str:
    lines = [
        [STEPS.get(name, name), f"{statistics.median(v):,.1f}", f"{min(v):,.1f} – {max(v):,.1f}", str(len(v))]
        for (of_kind, _, name), v in found.items()
        if of_kind == kind
    ]
    return page.table([head, f"{unit}: median", "minimum – maximum", "samples"], lines)


def steps(found: Samples) -> dict[str, float]:
    return {name: statistics.median(v) / 1000 for (kind, _, name), v in found.items() if kind == "replace"}


def values() -> dict[str, str]:
    found = samples()
    costs, replace = Costs(found), steps(found)
    basic, advanced = "Sextant basic, encap", "Sextant advanced, encap"
    modes = [("Sextant basic, encap", advanced), ("Sextant basic, insert", "Sextant advanced, insert")]
    with (page.HERE / "sera-puts.csv").open(newline="") as file:
        puts = {row["figure"]: row["value"] for row in csv.DictReader(file)}
    return {
        "basic": costs.table(BASIC),
        "basic-small": costs.span([basic], 1, 32),
        "basic-large": costs.span([basic], 64, 4096),
        "basic-4096-64": costs.ratio(basic, 4096, 64),
        "basic-4096-1": costs.ratio(basic, 4096, 1),
        "basic-growth": costs.growth(basic),
        "basic-1": costs.ns(basic, 1),
        "basic-512": costs.ns(basic, 512),
        "ip6tables-1": costs.ns("ip6tables, plain packet", 1),
        "ip6tables-512": costs.ns("ip6tables, plain packet", 512),
        "ip6tables-dearer": costs.dearer_from("ip6tables, plain packet", basic),
        "basic-share-512": f"{costs.at('ip6tables, plain packet', 512) / costs.at(basic, 512):.0f}",
        "basic-share-4096": f"{costs.at('ip6tables, plain packet', 4096) / costs.at(basic, 4096):.0f}",
        "map": costs.span(["nft map, plain packet"], 1, 4096),
        "raw-dearer": costs.dearer_from("nft, raw bytes inside, encap", basic),
        "insert-less": page.span([costs.at(basic, n) - costs.at("Sextant basic, insert", n) for n in costs.rules]),
        "advanced": costs.table(ADVANCED),
        "advanced-more": page.span([costs.at(a, n) - costs.at(b, n) for b, a in modes for n in costs.rules]),
        "advanced-growth": costs.growth(advanced),
        "srh-512": f"{costs.at('ip6tables -m srh, encap', 512) / 1000:.1f}",
        "srh-4096": f"{costs.at('ip6tables -m srh, encap', 4096) / 1000:.0f}",
        "advanced-512": f"{costs.at(advanced, 512) / 1000:.2f}",
        "advanced-4096": f"{costs.at(advanced, 4096) / 1000:.2f}",
        "rate-plain": f"{1000 / costs.at('ip6tables, plain packet', 1):.1f}",
        "rate-basic": f"{1000 / costs.at(basic, 1):.1f}",
        "replace": others(found, "replace", "step", "ms"),
        "judged-after": f"{replace['new rows written'] + replace['SID led to them']:.2f}",
        "gone-after": f"{replace['old rows deleted']:.1f}",
        "chain": others(found, "chain", "chain", "Mb/s"),
        **puts,
    }


def figure(found: Samples, number: int, variants: list[str]) -> None:
    import matplotlib.pyplot as plt
    from matplotlib.ticker import FuncFormatter

    shown, axes = plt.subplots(figsize=(6, 3.5))
    for variant in variants:
        numbers = sorted(rules for kind, rules, name in found if (kind, name) == ("figures", variant))
        # More time is fewer packets: the quartiles change places.
        rates = [
            tuple(NANOS_PER_MILLI / nanos for nanos in page.quartiles(found["figures", n, variant])) for n in numbers
        ]
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
    shown.savefig(page.HERE / f"sera-figure-{number}.svg", metadata={"Date": None})
    plt.close(shown)


def draw() -> None:
    import matplotlib.pyplot as plt

    plt.rcParams["svg.hashsalt"] = "sera"
    found = samples()
    for place, names in FIGURES.items():
        figure(found, place, names)


if __name__ == "__main__":
    page.main(PAGE, values(), draw)
