# SPDX-License-Identifier: Apache-2.0
"""Which data planes the packet tests run on: one skip for each that this machine has not, not one per case."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from nodes.given import COLLECTED
from nodes.target import TARGETS, missing
from sextantlab.paths import ROOT


@pytest.mark.parametrize("name", sorted(TARGETS))
def test_the_packet_tests_run_on(request: pytest.FixtureRequest, name: str) -> None:
    if request.config.getoption("--node"):
        pytest.skip("the node of the command line is tested, and no other")
    if missing(name):
        pytest.skip(f"no packet test runs on {name}: {missing(name)}")
    assert name in request.config.stash[COLLECTED]


def test_a_node_that_cannot_start_fails_once_and_says_why(tmp_path: Path) -> None:
    """A VPP that dies before it writes anything; the cases behind the first are not run."""
    for program in ("vpp", "vppctl"):
        fake = tmp_path / program
        fake.write_text("#!/bin/sh\nkill -SEGV $$\n")
        fake.chmod(0o755)
    # -rN: where the variable CI is set, pytest's summary repeats the whole error.
    words = ["-q", "-rN", "-p", "no:cacheprovider", "conformance/test_un.py", "--kind", "vpp"]
    argv = [sys.executable, "-m", "pytest", *words]
    names = {"PATH": f"{tmp_path}:{os.environ['PATH']}", "SEXTANT_INSTANCE": "9"}
    done = subprocess.run(argv, cwd=ROOT, capture_output=True, text=True, check=False, env={**os.environ, **names})
    assert done.stdout.count("UserError: VPP does not come up (signal 11 (SIGSEGV))") == 1, done.stdout
    assert re.search(r"\d+ skipped, .*1 error", done.stdout.splitlines()[-1]), done.stdout


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--node", "vax@127.0.0.1:1"], "KIND one of"),
        (["--node", "linux"], "expected KIND@HOST:PORT"),
        (["--node", "linux@127.0.0.1:1", "--port", "1=lo"], "expected N=INTERFACE,MAC"),
        (["--node", "linux@127.0.0.1:1", "--port", "1=lo,02:00:00:00:00:01"], "needs a --port for each of [2, 3, 4]"),
        (["--node", "linux@127.0.0.1:1", "--port", "1=absent,02:00:00:00:00:01"], "absent: No such device"),
    ],
)
def test_a_node_on_the_command_line_is_told_what_it_lacks(words: list[str], sentence: str) -> None:
    argv = [sys.executable, "-m", "pytest", "-q", "conformance/test_un.py", *words]
    done = subprocess.run(argv, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert sentence in done.stdout + done.stderr
