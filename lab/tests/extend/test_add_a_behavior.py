# SPDX-License-Identifier: Apache-2.0
"""docs/extend/add-a-behavior.md, followed in a copy of this checkout: contract, controller, agent, packets."""

import shutil
from pathlib import Path

import pytest
from extend.worked import copy_checkout, edits, run, share
from sextantlab import build
from sextantlab.instance import Instance
from sextantlab.lab import need_root
from sextantlab.paths import ROOT, VENV

_P4INFO = "pipeconfs/p4info/linux.p4info.txtpb"
_END_X = "  action_refs {\n    id: 16777235\n  }\n"
_REFERENCE = "  action_refs {\n    id: 16777263\n  }\n"
_ACTION = r"""actions {
  preamble {
    id: 16777263
    name: "end_t"
    alias: "end_t"
    annotations: "@noWarn(\"unused\")"
  }
  params {
    id: 1
    name: "vrf"
    bitwidth: 16
  }
}
"""
# Rows that come back, and tables, actions and types of which none is forgotten.
_JAVA = "EndTTest,TableCodecTest,ContractTest"


def prepare(copy: Path) -> None:
    """This checkout with End.T in its contract and its sources, built and tested but for packets."""
    copy_checkout(copy)
    share(copy, "build/venv")
    shutil.copytree(ROOT / "docs/extend/end-t", copy, dirs_exist_ok=True)
    for edit in edits(ROOT / "docs/extend/add-a-behavior.md"):
        edit.apply(copy)
    _contract(copy)
    _controller(copy)
    _agent(copy)


def _compiles() -> bool:
    return shutil.which("p4c-bm2-ss") is not None


def _contract(copy: Path) -> None:
    """Compiles the contract if that can be done here."""
    path = copy / _P4INFO
    by_hand = path.read_text().replace(_END_X, _END_X + _REFERENCE, 1) + _ACTION
    if not _compiles():
        path.write_text(by_hand)
        return
    run(copy, "pipeconfs/compile")
    assert _parts(path.read_text()) == _parts(by_hand)


def _parts(p4info: str) -> list[str]:
    """Its tables, actions and so on, in no order: where an action stands in it depends on the others."""
    return sorted(p4info.split("\n}\n"))


def _controller(copy: Path) -> None:
    run(copy, *build.MAVEN, "-q", "-pl", "apps/srv6-core", "-am", "test", f"-Dtest={_JAVA}",
        "-Dsurefire.failIfNoSpecifiedTests=false")  # fmt: skip


def _agent(copy: Path) -> None:
    run(copy, "go", "generate", "./...", folder="agent")
    run(copy, "go", "test", "./internal/contract/...", folder="agent")
    run(copy, "go", "test", "./internal/p4rt", "-run", "Sample|Kind", folder="agent")
    run(copy, "go", "build", "-o", "bin/sextant-agent", "./cmd/sextant-agent", folder="agent", CGO_ENABLED="0")


@pytest.mark.slow
def test_the_example_is_a_behavior_everywhere(prepared: Path) -> None:
    need_root()
    targets = ["linux", "bmv2"] if _compiles() else ["linux"]
    said = run(prepared, VENV / "bin/python", "-m", "pytest", "-q", "-rs", "conformance/test_end_t.py",
               "-k", " or ".join(targets), SEXTANT_INSTANCE=str(Instance.free().number))  # fmt: skip
    assert "passed" in said
    if not _compiles():
        pytest.skip("p4c-bm2-ss is not on PATH: End.T was tried on Linux, and not on bmv2")
