# SPDX-License-Identifier: Apache-2.0
"""The pages of docs/papers show the values of their CSV files: a script writes every number that was measured."""

import importlib.util
import re
import sys
from pathlib import Path
from types import ModuleType

import pytest
from sextantlab.paths import ROOT

PAPERS = ROOT / "docs/papers"
SCRIPTS = sorted(PAPERS.glob("*-figures.py"))
# A quantity with the unit of a result. Quantities of the paper and the set-up are in the script's GIVEN, with their
# source.
QUANTITY = re.compile(r"\d[\d,.]*(?: ± [\d,.]+)? ?(?:%|times\b|[nµm]?s\b|[kMG]b/s|million|packets a second|sessions)")


def _module(script: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(script.stem.replace("-", "_"), script)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(autouse=True)
def _pages_importable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(PAPERS))
    monkeypatch.delitem(sys.modules, "page", raising=False)


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_the_script_writes_the_page_that_is_committed(script: Path) -> None:
    module = _module(script)
    page = sys.modules["page"]
    text = module.PAGE.read_text()
    assert page.fill(text, module.values()) == text, f"run python3 docs/papers/{script.name} --text"


def test_every_page_has_a_script() -> None:
    assert {_module(script).PAGE for script in SCRIPTS} == set(PAPERS.glob("*.md"))


def test_a_value_without_its_marker_is_an_error() -> None:
    _module(SCRIPTS[0])
    with pytest.raises(KeyError, match="no marker for b"):
        sys.modules["page"].fill("<!-- =a -->1<!-- / -->", {"a": "2", "b": "3"})


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_no_result_is_typed_by_hand(script: Path) -> None:
    module = _module(script)
    by_hand = sys.modules["page"].MARKED.sub(" ", module.PAGE.read_text())
    typed = {" ".join(match.group().split()) for match in QUANTITY.finditer(by_hand)}
    assert typed == set(module.GIVEN)
