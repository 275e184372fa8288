# SPDX-License-Identifier: Apache-2.0
"""Rules and dashboard of platforms/monitoring: they are valid, and name metrics and runbooks that exist."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml
from sextantlab.paths import ROOT

_FOLDER = ROOT / "platforms" / "monitoring"
_RULES = _FOLDER / "sextant.rules.yml"
_DASHBOARD = _FOLDER / "sextant.dashboard.json"
_PAGE = ROOT / "docs" / "reference" / "metrics.md"
_METRIC = re.compile(r"\b(?:sextant|jvm|process)_\w+")
_PARTS = re.compile(r"_(?:bucket|sum|count)$")


def _documented() -> set[str]:
    """The metrics of the page: of histograms and summaries, and of the measurements of policies, by their names in
    queries.
    """
    page = _PAGE.read_text()
    measured = {name.replace("<kind>", "policy") for name in re.findall(r"sextant_<kind>_\w+", page)}
    shares = {name.replace("_part_", "_whole_") for name in measured} | {"sextant_policy_bytes_total"}
    return set(re.findall(r"^\| `(\w+)`", page, re.MULTILINE)) | measured | shares


def _rules() -> list[dict[str, object]]:
    return [rule for group in yaml.safe_load(_RULES.read_text())["groups"] for rule in group["rules"]]


def _expressions() -> dict[str, str]:
    panels = json.loads(_DASHBOARD.read_text())["panels"]
    shown = {f"panel {panel['title']}": target["expr"] for panel in panels for target in panel["targets"]}
    return shown | {f"alert {rule['alert']}": str(rule["expr"]) for rule in _rules()}


@pytest.mark.parametrize("where", _expressions())
def test_each_query_names_metrics_that_exist(where: str) -> None:
    used = {
        _PARTS.sub("", name) if "_hold_seconds" in name else name for name in _METRIC.findall(_expressions()[where])
    }
    assert used <= _documented(), used - _documented()


def test_each_alert_has_a_runbook() -> None:
    for rule in _rules():
        annotations = rule["annotations"]
        assert isinstance(annotations, dict)
        file, _, anchor = annotations["runbook_url"].partition("#")
        headings = [line[3:].lower() for line in (ROOT / file).read_text().splitlines() if line.startswith("## ")]
        assert anchor == str(rule["alert"]).lower(), rule["alert"]
        assert anchor in headings, f"{file} has no section {rule['alert']}"


def test_panels_do_not_overlap() -> None:
    taken: dict[tuple[int, int], str] = {}
    for panel in json.loads(_DASHBOARD.read_text())["panels"]:
        place = panel["gridPos"]
        for x in range(place["x"], place["x"] + place["w"]):
            for y in range(place["y"], place["y"] + place["h"]):
                assert x < 24, panel["title"]
                assert taken.setdefault((x, y), panel["title"]) == panel["title"]


@pytest.mark.parametrize(
    "words",
    [
        ["check", "rules", "sextant.rules.yml"],
        ["test", "rules", "sextant.rules.test.yml"],
        ["check", "config", "--syntax-only", "prometheus.yml"],
    ],
    ids=" ".join,
)
def test_promtool_accepts_the_files(words: list[str]) -> None:
    promtool = shutil.which("promtool")
    if promtool is None:
        pytest.skip("needs promtool; run: apt-get install prometheus")
    done = subprocess.run([promtool, *words], cwd=Path(_FOLDER), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
