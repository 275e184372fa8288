# SPDX-License-Identifier: Apache-2.0
"""Reading the reports of Maven, pytest and Go: passed, failed and skipped tests; suites that run at once."""

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import pytest
from sextantlab import at_once, processes, reports, shares, steps, suites
from sextantlab.at_once import Suite
from sextantlab.errors import UserError
from sextantlab.paths import LAB
from sextantlab.reports import Result


def test_junit_reports_are_counted(tmp_path: Path) -> None:
    report = tmp_path / "TEST-a.xml"
    report.write_text("""<testsuite>
      <testcase classname="A" name="good" time="1,002.5"/>
      <testcase classname="A" name="bad"><failure message="expected 1&#10;got 2">stack</failure></testcase>
      <testcase classname="A" name="broken"><error>boom</error></testcase>
      <testcase classname="A" name="left_out"><skipped message="p4c is not on PATH: apt install p4c"/></testcase>
    </testsuite>""")
    result = reports.junit([report])
    assert result.passed == 1
    assert result.failures == ["A.bad: expected 1", "A.broken: boom"]
    assert result.skips == [("A.left_out", "p4c is not on PATH: apt install p4c")]
    assert result.seconds["A.good"] == 1002.5


def test_go_events_are_counted_by_leaf(tmp_path: Path) -> None:
    events = tmp_path / "events.json"
    lines = [
        {"Action": "pass", "Package": "p", "Test": "TestA/one", "Elapsed": 1.5},
        {"Action": "pass", "Package": "p", "Test": "TestA"},
        {"Action": "output", "Package": "p", "Test": "TestB", "Output": "    b_test.go:1: needs root: sudo\n"},
        {"Action": "skip", "Package": "p", "Test": "TestB"},
        {"Action": "output", "Package": "p", "Test": "TestC", "Output": "    c_test.go:1: got 2\n"},
        {"Action": "fail", "Package": "p", "Test": "TestC"},
        {"Action": "fail", "Package": "p"},
        {"Action": "output", "Package": "q", "Output": "undefined: x\n"},
        {"Action": "fail", "Package": "q"},
    ]
    events.write_text("".join(json.dumps(line) + "\n" for line in lines))
    result = reports.go_test(events)
    assert result.passed == 1
    assert result.failures == ["p.TestC: c_test.go:1: got 2", "q: undefined: x"]
    assert result.skips == [("p.TestB", "b_test.go:1: needs root: sudo")]
    assert result.seconds == {"p.TestA/one": 1.5, "p.TestB": 0.0, "p.TestC": 0.0}


def test_a_tool_that_fails_without_a_failed_test_is_a_failure() -> None:
    assert suites._checked(Result(passed=3), 1, "mvn verify").failures
    assert not suites._checked(Result(passed=3), 0, "mvn verify").failures


def test_the_summary_is_the_last_line(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    results = {
        "good": Result(passed=2, skips=[("a", "no p4c")], seconds={"c": 2.0, "d": 31.5}),
        "bad": Result(passed=1, failures=["b: broken"]),
        "empty": Result(),
    }
    monkeypatch.setattr(suites, "LISTED", [Suite(name, frozenset({"go"})) for name in results])
    monkeypatch.setattr(suites, "SUITES", {name: lambda terms, name=name: results[name] for name in results})
    assert suites.run(["good"], fast=False, jobs=1) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "2 passed, 0 failed, 1 skipped"
    assert suites.run(["empty", "bad", "good"], fast=False, jobs=2) == 1
    printed = capsys.readouterr()
    lines = printed.out.splitlines()
    assert lines[-1] == "3 passed, 2 failed, 1 skipped"
    assert lines[0] == "skipped: a: no p4c"
    assert lines[1:3] == ["longest:   31.5 s  d", "longest:    2.0 s  c"]
    assert lines[3:5] == ["failed: b: broken", "failed: empty: no test ran"]
    assert "  failed: b: broken\n" in printed.err, "it is said when its suite ends, too"


def test_a_suite_that_another_one_runs_too_is_not_run_twice(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    ran: list[tuple[str, frozenset[str]]] = []

    def runner(name: str) -> suites.Runner:
        def run(terms: suites.Terms) -> Result:
            ran.append((name, terms.run))
            return Result(passed=1)

        return run

    names = ("java", "onos")
    monkeypatch.setattr(suites, "LISTED", [Suite(name, frozenset({"maven"})) for name in names])
    monkeypatch.setattr(suites, "SUITES", {name: runner(name) for name in names})
    assert suites.run(["onos"], fast=False, jobs=1) == 0
    assert suites.run(["java", "onos"], fast=False, jobs=1) == 0
    assert ran == [("onos", frozenset({"onos"})), ("java", frozenset(names))]
    assert capsys.readouterr().out.splitlines()[-1] == "1 passed, 0 failed, 0 skipped"


@dataclass(frozen=True)
class _Item:
    path: Path


@pytest.mark.parametrize("count", [1, 2, 3])
def test_shares_have_every_test_once_and_whole_modules(count: int) -> None:
    items = [_Item(Path(name)) for name in ("c", "a", "a", "b", "d", "b")]
    parts = [shares.dealt(items, number, count) for number in range(1, count + 1)]
    assert sorted(item.path for part in parts for item in part) == sorted(item.path for item in items)
    assert all({item.path for item in one}.isdisjoint(item.path for item in other) for one, other in pairwise(parts))


def test_shares_have_as_many_tests_as_whole_modules_allow() -> None:
    items = [_Item(Path(name)) for name in "abbcccccdde"]
    assert [len(shares.dealt(items, number, 3)) for number in (1, 2, 3)] == [5, 3, 3]


@pytest.mark.parametrize(("jobs", "runs"), [(1, 2), (2, 1)])
def test_the_lab_runs_in_halves_that_share_no_instance_where_no_suite_is_beside_it(
    jobs: int, runs: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: list[tuple[set[int], list[str]]] = []

    def run(_name: str, _folder: str, terms: suites.Terms, *options: str) -> Result:
        given.append((set(terms.instances), [word for word in options if "/" in word and not word.startswith("--")]))
        return Result(passed=1)

    monkeypatch.setattr(suites, "pytest", run)
    result = suites.SUITES["lab"](suites.Terms(instances=(4, 3, 2, 1), jobs=jobs))
    assert result.passed == len(given) == runs
    assert set.union(*(instances for instances, _ in given)) == {1, 2, 3, 4}
    assert sum(len(instances) for instances, _ in given) == 4
    assert sorted(share for _, options in given for share in options) == (["1/2", "2/2"] if runs == 2 else [])


@pytest.mark.parametrize(("names", "jobs"), [(["a"], 1), (["a", "b"], 2)])
def test_a_suite_by_itself_has_no_other_beside_it(
    names: list[str], jobs: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    given: list[int] = []

    def run(terms: suites.Terms) -> Result:
        given.append(terms.jobs)
        return Result(passed=1)

    monkeypatch.setattr(suites, "LISTED", [Suite(name, frozenset()) for name in names])
    monkeypatch.setattr(suites, "SUITES", dict.fromkeys(names, run))
    assert suites.run(names, fast=False, jobs=2) == 0
    assert given == [jobs] * len(names)


def test_a_failed_step_shows_the_end_of_its_log(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(UserError, match=r"exit code 3.*a-failing-test-step\.log"):
        steps.command("a failing test step", ["sh", "-c", "echo the reason; exit 3"])
    shown = capsys.readouterr().err
    assert "| the reason" in shown
    assert "$ sh -c" in shown


def test_an_exit_code_may_be_fine(capsys: pytest.CaptureFixture[str]) -> None:
    assert steps.command("an empty part", ["sh", "-c", "exit 5"], fine=(0, 5)) == 5
    assert "✓ an empty part" in capsys.readouterr().err


_COMPILES = Suite("compiles", frozenset({"maven"}))
_LINTS = Suite("lints", frozenset({"maven", "go"}))
_NODES = Suite("nodes", frozenset({"go", "lab"}))
_STORIES = Suite("stories", frozenset({"maven", "go", "lab"}))
_BROWSES = Suite("browses", frozenset({"maven", "lab", "chromium"}))
_MEASURES = Suite("measures", frozenset({"go", "lab", "alone"}))
_BUSY = Suite("is busy", frozenset({"go", "busy"}))


@pytest.mark.parametrize(
    ("one", "other", "together"),
    [
        (_COMPILES, _NODES, True),
        (_STORIES, _BROWSES, True),
        (_NODES, _STORIES, True),
        (_COMPILES, _LINTS, False),  # both write Maven's output
        (_COMPILES, _STORIES, False),  # it would start a controller that is being written
        (_MEASURES, _NODES, False),
        (_MEASURES, _COMPILES, False),
        (_BUSY, _LINTS, False),
    ],
)
def test_what_would_disturb_each_other_is_not_run_at_once(one: Suite, other: Suite, together: bool) -> None:
    assert one.beside([other]) is together
    assert other.beside([one]) is together
    assert one.beside([])


def test_two_suites_run_at_once_and_have_no_instance_in_common() -> None:
    both = threading.Barrier(2, timeout=60)
    given: dict[str, set[int]] = {}
    order: list[str] = []

    def one(suite: Suite, instances: Sequence[int]) -> None:
        order.append(suite.name)
        given[suite.name] = set(instances)
        if suite is not _MEASURES:
            both.wait()

    at_once.run([_STORIES, _MEASURES, _BROWSES], 2, one)
    assert order[-1] == "measures"
    assert all(given.values())
    assert given["stories"].isdisjoint(given["browses"])


def test_one_by_one_they_keep_their_order_and_have_every_instance() -> None:
    seen = []
    at_once.run([_STORIES, _MEASURES, _BROWSES], 1, lambda suite, instances: seen.append((suite.name, len(instances))))
    assert seen == [("stories", 8), ("measures", 8), ("browses", 8)]


_INTERRUPTED = """
import sys
from sextantlab import __main__ as commands, suites
from sextantlab.at_once import Suite
from sextantlab.steps import command

folder = sys.argv[1]

def first(terms):
    try:
        command("interrupted", ["sh", "-c", f"echo $$ >{folder}/pid; sleep 60 & wait"], check=False)
        command("interrupted later", ["touch", f"{folder}/later-command"], check=False)
    finally:
        open(f"{folder}/undone", "w").close()
    return suites.Result(passed=1)

def second(terms):
    open(f"{folder}/later-suite", "w").close()
    return suites.Result(passed=1)

suites.LISTED = [Suite("first", frozenset({"go"})), Suite("second", frozenset({"alone"}))]
suites.SUITES = {"first": first, "second": second}
sys.exit(commands.guarded(["test", "--jobs", sys.argv[2], "first", "second"]))
"""


@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM], ids=lambda how: how.name)
def test_a_signal_ends_all_suites_with_what_they_started(tmp_path: Path, how: signal.Signals, jobs: str) -> None:
    env = os.environ | {"PYTHONPATH": str(LAB)}
    argv = [sys.executable, "-c", _INTERRUPTED, str(tmp_path), jobs]
    with subprocess.Popen(argv, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as runner:
        pid = tmp_path / "pid"
        assert processes.until(lambda: pid.exists() and pid.read_text().strip() != "", 60)
        runner.send_signal(how)
        said, _ = runner.communicate(timeout=60)
    assert runner.returncode == 128 + how, said
    assert sorted(file.name for file in tmp_path.iterdir()) == ["pid", "undone"], said
    assert processes.start_ticks(int(pid.read_text())) == 0
    assert "Traceback" not in said
    assert said.splitlines()[-1] == "sextant: interrupted; what it had started is stopped"
