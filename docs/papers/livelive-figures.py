# SPDX-License-Identifier: Apache-2.0
"""Figures 4, 5a, 5b and 6 of the Live-Live paper, and the uncapped throughput: plots and numbers of livelive.md.

livelive.csv holds every run of ./sextant bench livelive (build/bench/livelive.csv).

Usage: python3 docs/papers/livelive-figures.py [--text]        (plots need matplotlib)
"""

import csv
import statistics
from collections.abc import Callable, Sequence

import page

PAGE = page.HERE / "livelive.md"
# Quantities of the page that no run measured: the paper's and the set-up's.
GIVEN = {
    "10 Mb/s": "the paper's cap (IV)",
    "2.23 %": "path c6",
    "2.82 %": "path c4",
    "3.06 %": "path c2",
    "3.16 %": "path c1",
    "3.39 %": "path c3",
    "8.08 %": "path c5",
    "40 ms": "each way",
    "80 ms": "round trip",
    "100 ms": "of the token bucket",
    "25 Mb/s": "of the narrow link",
    "2 s": "uncapped runs",
    "4 s": "capped runs",
    "30 s": "long capped runs",
    "500 times": "the paper, Figure 5b",
    "95 %": "confidence",
}
COLORS = {"single": "#8b949e", "random": "#d29922", "livelive": "#1f6feb", "nodedup": "#a371f7"}
LABELS = {"single": "single", "random": "random", "livelive": "Live-Live", "nodedup": "no de-duplication"}
PATHS = (2, 3, 4, 5, 6)
SHORT, MIDDLE, LONG = "4", "10", "30"  # seconds of capped runs
LOSS = (0.0316, 0.0306)  # of the paths c1 and c2: lab/livelive.json
ROUND_TRIP_SECONDS, SEGMENT_BYTES = 0.08, 1448
Rows = list[dict[str, str]]


def runs() -> Rows:
    with (page.HERE / "livelive.csv").open(newline="") as file:
        return list(csv.DictReader(file))


def quoted(row: dict[str, str]) -> bool:
    """Uncapped runs make their load themselves."""
    return row["kind"] == "uncapped" or float(row["load"]) <= page.MOST_LOAD


class Runs:
    """The runs that are quoted, by kind, scheme, number of paths, length and segmentation offload."""

    def __init__(self, rows: Rows) -> None:
        self.rows = [row for row in rows if quoted(row)]

    def samples(self, kind: str, scheme: str, paths: int, column: str, seconds: str, gso: str = "off") -> list[float]:
        wanted = {"kind": kind, "scheme": scheme, "paths": str(paths), "seconds": seconds, "gso": gso}
        return [float(row[column]) for row in self.rows if wanted.items() <= row.items()]


def cell(samples: Sequence[float], digits: int) -> str:
    found = page.interval(samples)
    return "–" if found is None else f"{found[0]:,.{digits}f} ± {found[1]:,.{digits}f}"


def by_paths(columns: dict[str, Callable[[int], list[float]]], digits: int, paths: Sequence[int] = PATHS) -> str:
    lines = [[str(n), *(cell(samples(n), digits) for samples in columns.values())] for n in paths]
    return page.table(["paths", *columns], lines)


def capped(found: Runs, column: str, digits: int) -> str:
    return by_paths(
        {
            LABELS[scheme]: lambda n, scheme=scheme: found.samples("capped", scheme, n, column, SHORT)
            for scheme in LABELS
        },
        digits,
    )


def lengths(found: Runs) -> str:
    columns = {
        f"{LABELS[scheme]}, {seconds} s": lambda n, scheme=scheme, seconds=seconds: found.samples(
            "capped", scheme, n, "mbps", seconds
        )
        for seconds in (MIDDLE, LONG)
        for scheme in ("single", "livelive")
    }
    return by_paths(columns, 2, (2, 3, 6))


def narrow(found: Runs) -> str:
    return by_paths(
        {
            LABELS[scheme]: lambda n, scheme=scheme: found.samples("narrow", scheme, n, "mbps", SHORT)
            for scheme in ("livelive", "nodedup")
        },
        2,
    )


def uncapped(found: Runs) -> str:
    columns = {
        LABELS[scheme]: lambda n, scheme=scheme: found.samples("uncapped", scheme, n, "mbps", "2", "on")
        for scheme in LABELS
    }
    columns["Live-Live, no GSO"] = lambda n: found.samples("uncapped", "livelive", n, "mbps", "2")
    return by_paths(columns, 0)


def window_ratios(found: Runs) -> list[float]:
    """The mean congestion window of Live-Live, in windows of a single path, for 3 to 6 paths."""

    def mean(scheme: str, n: int) -> float:
        return statistics.fmean(found.samples("capped", scheme, n, "congestion_window_bytes", SHORT))

    return [mean("livelive", n) / mean("single", n) for n in PATHS if n > 2]  # noqa: PLR2004


def values() -> dict[str, str]:
    rows = runs()
    found = Runs(rows)
    short = found.samples("capped", "livelive", 2, "mbps", SHORT)
    long = found.samples("capped", "livelive", 2, "mbps", LONG)
    later = [rate for n in PATHS if n > 2 for rate in found.samples("capped", "livelive", n, "mbps", SHORT)]  # noqa: PLR2004
    mathis = 1.22 * SEGMENT_BYTES * 8 / (ROUND_TRIP_SECONDS * (LOSS[0] * LOSS[1]) ** 0.5) / 1e6
    six = {gso: found.samples("uncapped", "livelive", 6, "mbps", "2", gso) for gso in ("on", "off")}
    apart = {
        n: abs(
            1
            - statistics.fmean(found.samples("uncapped", "livelive", n, "mbps", "2", "off"))
            / statistics.fmean(found.samples("uncapped", "livelive", n, "mbps", "2", "on"))
        )
        for n in PATHS
    }
    return {
        "left-out": str(len(rows) - len(found.rows)),
        "runs": str(len(rows)),
        "figure-4": capped(found, "mbps", 2),
        "lengths": lengths(found),
        "two-median": f"{statistics.median(short):.2f}",
        "two-worst": f"{min(short):.1f}",
        "two-long-best": f"{max(long):.1f}",
        "later-worst": f"{min(later):.2f}",
        "mathis": f"{mathis:.1f}",
        "figure-5a": capped(found, "retransmits", 0),
        "figure-5b": capped(found, "congestion_window_bytes", 0),
        "window-ratios": page.span(window_ratios(found)),
        "figure-6": narrow(found),
        "uncapped": uncapped(found),
        "six-gso": cell(six["on"], 0),
        "six-no-gso": cell(six["off"], 0),
        "gso-most-apart": f"{100 * max(apart.values()):.0f}",
    }


def bars(found: Runs, name: str, kind: str, schemes: list[str], column: str, label: str, scale: float = 1,
         log: bool = False) -> None:  # fmt: skip
    import matplotlib.pyplot as plt

    gso, seconds = ("on", "2") if kind == "uncapped" else ("off", SHORT)
    figure, axes = plt.subplots(figsize=(6, 3.5))
    width = 0.8 / len(schemes)
    for index, scheme in enumerate(schemes):
        cells = {n: page.interval(found.samples(kind, scheme, n, column, seconds, gso)) for n in PATHS}
        drawn = {n: one for n, one in cells.items() if one is not None}
        places = [n + width * (index - (len(schemes) - 1) / 2) for n in drawn]
        bars = axes.bar(places, [mean * scale for mean, _ in drawn.values()], width * 0.92, label=LABELS[scheme],
                        color=COLORS[scheme], yerr=[half * scale for _, half in drawn.values()], capsize=2,
                        error_kw={"linewidth": 0.8})  # fmt: skip
        axes.bar_label(bars, fmt="%.1f" if not log else "%.0f", fontsize=6, padding=1)
    if log:
        axes.set_yscale("log")
    axes.set_xlabel("paths")
    axes.set_ylabel(label)
    axes.set_xticks(PATHS)
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False, ncols=4, loc="upper center", bbox_to_anchor=(0.5, 1.15), fontsize=8)
    figure.tight_layout()
    figure.savefig(page.HERE / f"livelive-{name}.svg", metadata={"Date": None})
    plt.close(figure)


def draw() -> None:
    import matplotlib.pyplot as plt

    plt.rcParams["svg.hashsalt"] = "sextant"
    found = Runs(runs())
    three = ["single", "random", "livelive"]
    window = "mean congestion window, kB"
    bars(found, "figure-4", "capped", three, "mbps", "throughput, Mb/s")
    bars(found, "figure-5a", "capped", three, "retransmits", "TCP retransmissions")
    bars(found, "figure-5b", "capped", three, "congestion_window_bytes", window, scale=1e-3, log=True)
    bars(found, "figure-6", "narrow", ["livelive", "nodedup"], "mbps", "throughput, Mb/s")
    bars(found, "uncapped", "uncapped", list(LABELS), "mbps", "throughput, Gb/s", scale=1e-3)


if __name__ == "__main__":
    page.main(PAGE, values(), draw)
