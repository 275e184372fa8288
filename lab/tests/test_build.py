# SPDX-License-Identifier: Apache-2.0
"""Builds are repeated when contents change, not when a tree is copied or moved."""

import shutil
from pathlib import Path

from sextantlab.build import _files, _fingerprint


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
    assert _state(root) == before
