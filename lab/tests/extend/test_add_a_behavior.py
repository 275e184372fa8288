# SPDX-License-Identifier: Apache-2.0
"""docs/extend/add-a-behavior.md, followed in a copy of this checkout: contract, controller, agent, packets."""

import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from extend.worked import copy_checkout, edits, run, share
from sextantlab import build
from sextantlab.lab import Instance, need_root
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


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """This checkout with End.T in its contract and its sources."""
    need_root()
    build.python_tools()
    copy_checkout(tmp_path)
    share(tmp_path, "build/venv")
    shutil.copytree(ROOT / "docs/extend/end-t", tmp_path, dirs_exist_ok=True)
    for edit in edits(ROOT / "docs/extend/add-a-behavior.md"):
        edit.apply(tmp_path)
    return tmp_path


def _contract(copy: Path) -> tuple[str, ...]:
    """Compiles the contract if that can be done here; returns the data planes that the behavior can be tried on."""
    path = copy / _P4INFO
    by_hand = path.read_text().replace(_END_X, _END_X + _REFERENCE, 1) + _ACTION
    if shutil.which("p4c-bm2-ss") is None:
        path.write_text(by_hand)
        return ("linux",)
    run(copy, "pipeconfs/compile")
    assert _parts(path.read_text()) == _parts(by_hand)
    return ("linux", "bmv2")


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
def test_the_example_is_a_behavior_everywhere(copy: Path) -> None:
    targets = _contract(copy)
    with ThreadPoolExecutor() as pool:
        for done in [pool.submit(_controller, copy), pool.submit(_agent, copy)]:
            done.result()

    instance = str(Instance.free().number)
    said = run(copy, VENV / "bin/python", "-m", "pytest", "-q", "-rs", "conformance/test_end_t.py",
               "-k", " or ".join(targets), SEXTANT_INSTANCE=instance)  # fmt: skip
    assert "passed" in said
    if "bmv2" not in targets:
        pytest.skip("p4c-bm2-ss is not on PATH: End.T was tried on Linux, and not on bmv2")
