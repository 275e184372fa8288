# SPDX-License-Identifier: Apache-2.0
"""The results of tests, as the reports of Maven, pytest, Vitest and Go have them."""

import json
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from .paths import relative


@dataclass
class Result:
    """The results of a suite. A suite that could not run at all has one failure that says why."""

    passed: int = 0
    failures: list[str] = field(default_factory=list)
    skips: list[tuple[str, str]] = field(default_factory=list)
    seconds: dict[str, float] = field(default_factory=dict)
    """How long each test took, shared work included where it was the first."""

    def add(self, other: "Result") -> None:
        self.passed += other.passed
        self.failures += other.failures
        self.skips += other.skips
        self.seconds |= other.seconds


def junit(reports: Iterable[Path]) -> Result:
    """Reads JUnit XML as Surefire, Failsafe and pytest write it."""
    result = Result()
    for report in sorted(reports):
        for case in ElementTree.parse(report).iter("testcase"):
            name = f"{case.get('classname')}.{case.get('name')}"
            result.seconds[name] = float((case.get("time") or "0").replace(",", ""))
            bad = case.find("failure") if case.find("failure") is not None else case.find("error")
            skipped = case.find("skipped")
            if bad is not None:
                first = (bad.get("message") or bad.text or "").strip().splitlines()[:1]
                result.failures.append(f"{name}: {first[0] if first else 'see ' + relative(report)}")
            elif skipped is not None:
                result.skips.append((name, (skipped.get("message") or skipped.text or "no reason given").strip()))
            else:
                result.passed += 1
    return result


def go_test(events: Path) -> Result:
    """Reads the events of `go test -json`: leaf tests count, and packages that failed without one."""
    result = Result()
    outcome: dict[tuple[str, str], str] = {}
    seconds: dict[tuple[str, str], float] = {}
    output: dict[tuple[str, str], list[str]] = {}
    with events.open(errors="replace") as lines:
        for line in lines:
            if not line.startswith("{"):
                continue
            event = json.loads(line)
            key = (event.get("Package", ""), event.get("Test", ""))
            if event["Action"] == "output":
                output.setdefault(key, []).append(event["Output"])
            elif event["Action"] in ("pass", "fail", "skip"):
                outcome[key] = event["Action"]
                seconds[key] = event.get("Elapsed", 0.0)
    parents = {(package, test[:cut]) for package, test in outcome for cut, char in enumerate(test) if char == "/"}
    failed_packages = {package for (package, test), action in outcome.items() if test and action == "fail"}
    for (package, test), action in sorted(outcome.items()):
        text = [
            line.strip() for line in output.get((package, test), []) if not line.lstrip().startswith(("===", "---"))
        ]
        if not test:
            if action == "fail" and package not in failed_packages:
                result.failures.append(f"{package}: {' '.join(text)[:300]}")
            continue
        if (package, test) in parents:
            continue
        result.seconds[f"{package}.{test}"] = seconds[package, test]
        if action == "pass":
            result.passed += 1
        elif action == "skip":
            result.skips.append((f"{package}.{test}", " ".join(text) or "no reason given"))
        else:
            result.failures.append(f"{package}.{test}: {' '.join(text)[:300]}")
    return result
