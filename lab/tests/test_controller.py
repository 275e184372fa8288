# SPDX-License-Identifier: Apache-2.0
"""How long a controller is waited for, and the error if it does not come up."""

import contextlib
import dataclasses
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from sextantlab import controller as module
from sextantlab import demo, processes
from sextantlab.controller import Controller
from sextantlab.errors import UserError
from sextantlab.instance import Instance
from sextantlab.lab import Lab
from sextantlab.release import THIS


def test_what_makes_progress_is_waited_for() -> None:
    steps = iter(range(100))
    assert processes.until_stalled(lambda: next(steps) >= 8, lambda: next(steps), 0.2, most=10, interval=0.1)


def test_what_stalls_is_not() -> None:
    assert not processes.until_stalled(lambda: False, lambda: "the same", 0.2, most=10, interval=0.05)


def test_what_only_looks_busy_is_not_waited_for_for_ever() -> None:
    steps = iter(range(1000))
    assert not processes.until_stalled(lambda: False, lambda: next(steps), 10, most=0.3, interval=0.05)


def test_a_process_that_ended_before_it_was_looked_at_is_not_alive() -> None:
    assert not processes.Started(os.getpid(), 0).alive
    gone = subprocess.Popen(["true"])
    gone.wait()
    assert not processes.Started(gone.pid, processes.start_ticks(gone.pid)).alive


@contextlib.contextmanager
def starting(tmp_path: Path, script: str) -> Iterator[Controller]:
    """A controller whose program is this script of a shell; it never answers."""
    karaf = tmp_path / "installation" / "bin" / "karaf"
    karaf.parent.mkdir(parents=True)
    karaf.write_text(f"#!/bin/sh\n{script}\n")
    karaf.chmod(0o755)
    lab = Lab("fig4", Instance.free(), plain=True)
    lab.directory = tmp_path / "lab"
    one = Controller(lab, THIS)
    one._release = _Unpacked(tmp_path / "installation")  # type: ignore[assignment]
    one.unpack = lambda: None  # type: ignore[method-assign]
    try:
        yield one
    finally:
        one.stop()


@dataclasses.dataclass(frozen=True)
class _Unpacked:
    installation: Path


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_BOOT_SECONDS", 1)


@pytest.mark.usefixtures("impatient")
def test_one_that_goes_on_writing_has_more_time_and_its_last_words_are_told(tmp_path: Path) -> None:
    script = "mkdir -p $SEXTANT_DATA/log; for i in 1 2 3 4 5; do echo bundle $i >>$SEXTANT_DATA/log/sextant.log;"
    with starting(tmp_path, f"{script} sleep 0.6; done; sleep 60") as one:
        one.install()
        one.start()
        with pytest.raises(UserError, match=r"does not answer after [3-9] s, 1 s without progress") as failed:
            one.await_answer()
    assert "| bundle 5" in str(failed.value)


@pytest.mark.usefixtures("impatient")
def test_an_empty_log_is_no_cause_another_one_is_shown(tmp_path: Path) -> None:
    script = 'mkdir -p $SEXTANT_DATA/log; : >$SEXTANT_DATA/log/sextant.log; echo "no Java here" >&2; sleep 60'
    with starting(tmp_path, script) as one:
        one.install()
        one.start()
        with pytest.raises(UserError, match=r"\| no Java here"):
            one.await_answer()


@pytest.mark.usefixtures("impatient")
def test_one_that_says_nothing_at_all_is_told_so(tmp_path: Path) -> None:
    with starting(tmp_path, "sleep 60") as one:
        one.install()
        one.start()
        with pytest.raises(UserError, match=r"it runs as process \d+, and wrote nothing to"):
            one.await_answer()


def test_one_that_ends_is_told_at_once_with_what_it_said(tmp_path: Path) -> None:
    with starting(tmp_path, "echo out of memory; exit 1") as one:
        one.install()
        one.start()
        with pytest.raises(UserError, match=r"the controller ended[^|]*\| out of memory"):
            one.await_answer()


def test_where_it_does_not_start_the_lab_stays(tmp_path: Path) -> None:
    undone: list[str] = []
    with starting(tmp_path, "echo out of memory; exit 1") as one:
        undo = contextlib.ExitStack()
        undo.callback(undone.append, "the lab")
        with pytest.raises(UserError, match=r"out of memory[^|]*The lab stays") as failed, undo:
            demo.begin(one, undo)
        assert undone == []
        assert "lab down fig4" in str(failed.value)
