# SPDX-License-Identifier: Apache-2.0
"""docs/extend/add-a-back-end.md, followed in a copy of this checkout: packets pass the example's data plane."""

import shutil
from pathlib import Path

import pytest
from extend.worked import copy_checkout, edits, run, share
from sextantlab.instance import Instance
from sextantlab.lab import need_root
from sextantlab.paths import ROOT, VENV

# The features that it serves: routes, adjacencies, frames of the controller's, End, and End.X.
_CASES = {
    "test_route.py": "routed or longest or deleted or share_the_flows or lldp or controller_sends or last_hop",
    "test_end.py": "end_continues or end_accepts or end_does or end_x",
}


def prepare(copy: Path) -> None:
    """This checkout with the back end, built."""
    copy_checkout(copy)
    share(copy, "build/venv")
    shutil.copytree(ROOT / "docs/extend/iproute", copy, dirs_exist_ok=True)
    for edit in edits(ROOT / "docs/extend/add-a-back-end.md"):
        edit.apply(copy)
    run(copy, "go", "generate", "./...", folder="agent")
    run(copy, "go", "vet", "./internal/iproute", "./cmd/sextant-agent", folder="agent")
    run(copy, "go", "build", "-o", "bin/sextant-agent", "./cmd/sextant-agent", folder="agent", CGO_ENABLED="0")


@pytest.mark.slow
@pytest.mark.parametrize(("file", "cases"), _CASES.items())
def test_the_example_forwards_as_the_rfcs_say(prepared: Path, file: str, cases: str) -> None:
    need_root()
    said = run(prepared, VENV / "bin/python", "-m", "pytest", "-q", f"conformance/{file}",
               "-k", f"iproute and ({cases})", SEXTANT_INSTANCE=str(Instance.free().number))  # fmt: skip
    assert "passed" in said
