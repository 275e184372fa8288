# SPDX-License-Identifier: Apache-2.0
"""How processes ended, and the sentence about those that should not have."""

import os
import signal
import subprocess
from pathlib import Path

import pytest
from sextantlab import processes


def _ended(tmp_path: Path, script: str) -> processes.Started:
    started = processes.start(["sh", "-c", script], tmp_path / "log")
    assert processes.until(lambda: not started.alive, 10)
    return started


@pytest.mark.parametrize(
    ("script", "sentence"),
    [("exit 3", "exit status 3"), ("kill -SEGV $$", "signal 11 (SIGSEGV)"), ("", "exit status 0")],
)
def test_how_a_process_ended_is_known_until_it_is_stopped(tmp_path: Path, script: str, sentence: str) -> None:
    started = _ended(tmp_path, script)
    subprocess.run(["true"], check=True)  # which reaps the processes that subprocess has found ended
    assert processes.ending(started) == sentence
    assert processes.ending(started) == sentence
    processes.stop(started)
    assert processes.ending(started) == ""


def test_what_runs_has_not_ended(tmp_path: Path) -> None:
    started = processes.start(["sleep", "60"], tmp_path / "log")
    assert processes.ending(started) == ""
    processes.stop(started)


def test_what_is_no_child_has_not_ended() -> None:
    assert processes.ending(processes.Started(1, processes.start_ticks(1))) == ""


def test_a_stopped_process_leaves_no_zombie(tmp_path: Path) -> None:
    started = processes.start(["sleep", "60"], tmp_path / "log")
    processes.stop(started)
    assert not Path(f"/proc/{started.pid}").exists()


def test_a_failure_names_the_signal_and_the_last_lines(tmp_path: Path) -> None:
    started = _ended(tmp_path, "echo out; echo err >&2; kill -SEGV $$")
    text = str(processes.fail_with_log("it does not serve", tmp_path / "log", started))
    assert text.startswith("it does not serve (signal 11 (SIGSEGV)); the end of ")
    assert "| out" in text
    assert "| err" in text
    processes.stop(started)


def test_a_failure_without_a_line_says_so(tmp_path: Path) -> None:
    started = _ended(tmp_path, "exit 1")
    text = str(processes.fail_with_log("it does not serve", tmp_path / "log", started))
    assert "(exit status 1)" in text
    assert "(empty)" in text
    processes.stop(started)


def test_the_kernel_is_asked_about_a_crash(tmp_path: Path) -> None:
    """A program that writes into its own code: the kernel says where, the program nothing."""
    crash = "import ctypes; ctypes.string_at(0)"
    started = processes.start([os.environ.get("PYTHON", "python3"), "-c", crash], tmp_path / "log")
    assert processes.until(lambda: not started.alive, 30)
    assert processes.ending(started) == f"signal {int(signal.SIGSEGV)} (SIGSEGV)"
    said = processes._kernel_lines(started)
    processes.stop(started)
    if not Path("/proc/sys/debug/exception-trace").exists() or not said:
        pytest.skip("this kernel logs no crashes (debug.exception-trace), or dmesg may not be read")
    assert "segfault" in said[-1]
