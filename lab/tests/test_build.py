# SPDX-License-Identifier: Apache-2.0
"""Builds are repeated when contents change, not when a tree is copied or moved."""

import re
import shutil
from pathlib import Path

import pytest
from sextantlab import build
from sextantlab.build import _files, _fingerprint
from sextantlab.paths import LAB, VENV


def _tree(root: Path) -> Path:
    (root / "apps/core").mkdir(parents=True)
    (root / "apps/core/Sid.java").write_text("record Sid() {}")
    (root / "apps/core/target").mkdir()
    (root / "apps/core/target/Sid.class").write_text("bytes")
    return root


def _state(root: Path) -> str:
    return _fingerprint(_files([root / "apps"]), root)


def test_a_copied_tree_is_up_to_date(tmp_path: Path) -> None:
    original = _tree(tmp_path / "original")
    copy = tmp_path / "elsewhere/copy"
    shutil.copytree(original, copy, copy_function=shutil.copyfile)
    assert _state(copy) == _state(original)


def test_a_changed_or_renamed_source_is_built_again(tmp_path: Path) -> None:
    root = _tree(tmp_path)
    before = _state(root)
    source = root / "apps/core/Sid.java"
    source.write_text("record Sig() {}")
    changed = _state(root)
    source.rename(root / "apps/core/Sig.java")
    assert len({before, changed, _state(root)}) == 3


def test_a_product_is_no_source(tmp_path: Path) -> None:
    root = _tree(tmp_path)
    before = _state(root)
    (root / "apps/core/target/Sid.class").write_text("other bytes")
    (root / "apps/core/.jqwik-database").write_text("what a test found")
    assert _state(root) == before


class _Maven:
    """A tree without classes, and the words of each run of Maven in it, which writes classes of one module."""

    def __init__(self, root: Path, patch: pytest.MonkeyPatch) -> None:
        self.classes, self.runs = root / "apps/core/target/classes", list[list[str]]()
        self.modules = build._Modules("some", ["-pl", "apps/core"], [])
        self.whole = build._Modules("all", [], [], whole=True)
        (root / "apps/core").mkdir(parents=True)
        (root / "apps/core/pom.xml").touch()
        for name, value in (
            ("ROOT", root), ("BUILD", root / "build"), ("command", self._run),
            ("_CLASSES", self.classes), ("_UNCHECKED", root / "build/stamps/unchecked"),
            ("_IN_ONE_TREE", (self.modules, self.whole)),
        ):  # fmt: skip
            patch.setattr(build, name, value)

    def _run(self, _: str, argv: list[str]) -> int:
        self.runs.append(argv)
        self.classes.mkdir(parents=True, exist_ok=True)
        return 0


def test_the_first_build_alone_comes_without_checkers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    maven = _Maven(tmp_path, monkeypatch)
    maven.modules.build()
    maven.modules.build()
    maven.modules.stamp.write_text("that of other sources")
    maven.modules.build()
    unchecked = build._WITHOUT_CHECKERS[0]
    assert [unchecked in run for run in maven.runs] == [True, False]


def test_classes_of_an_unchecked_build_are_compiled_again_with_all_modules(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    maven = _Maven(tmp_path, monkeypatch)
    maven.modules.build()
    (maven.classes / "Unchecked.class").touch()
    maven.whole.build()
    assert list(maven.classes.iterdir()) == []
    assert build._WITHOUT_CHECKERS[0] not in maven.runs[-1]
    (maven.classes / "Checked.class").touch()
    build.forget_unchecked()
    assert [file.name for file in maven.classes.iterdir()] == ["Checked.class"]


def test_a_build_leaves_no_stamp_of_other_sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    maven = _Maven(tmp_path, monkeypatch)
    maven.whole.build()
    maven.modules.build()
    assert maven.whole.built()
    for modules in (maven.whole, maven.modules):
        modules.stamp.write_text("that of other sources")
    maven.modules.build()
    assert maven.modules.built()
    assert not maven.whole.stamp.exists()


@pytest.mark.parametrize(
    "program",
    sorted(
        {
            name
            for source in (LAB / "sextantlab").glob("*.py")
            for name in re.findall(r'(?:tools|python_tools\(\)) / "([^"]+)"', source.read_text())
        }
        - {"golangci-lint", "govulncheck"}  # Go's, which are in no such folder
    ),
)
def test_what_is_called_of_the_python_tools_is_no_script_that_names_a_folder(program: str) -> None:
    """Such a script leads back to the tree that it was copied from, or nowhere if that was moved."""
    with (VENV / "bin" / program).open("rb") as file:
        assert file.read(4) == b"\x7fELF"
