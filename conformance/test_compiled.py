# SPDX-License-Identifier: Apache-2.0
"""The output of p4c for pipeconfs/p4src is equal to the files in pipeconfs/p4info."""

import shutil
import subprocess

import pytest
from sextantlab.paths import ROOT


def test_the_committed_pipelines_are_those_of_the_sources() -> None:
    if shutil.which("p4c-bm2-ss") is None:
        pytest.skip("p4c-bm2-ss is not on PATH: build p4c (bmv2 back end) from github.com/p4lang/p4c")
    done = subprocess.run([ROOT / "pipeconfs/compile", "--check"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"run pipeconfs/compile and commit what it writes:\n{done.stdout}{done.stderr}"
    assert done.stderr == "", f"p4c warns:\n{done.stderr}"
