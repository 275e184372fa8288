# SPDX-License-Identifier: Apache-2.0
"""The last release can be built from this checkout's history."""

from pathlib import Path

import pytest
from sextantlab import release


def test_a_history_without_the_commit_says_how_to_get_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "last-release"
    file.write_text("0123456789" * 4 + "\n")
    monkeypatch.setattr(release, "_LAST", file)
    assert release.missing() == "there is no commit 012345678901 (lab/last-release) here: git fetch --unshallow"


def test_where_git_is_not_there_is_no_history(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    assert release.missing() == "git is not installed, and the last release is in its history"


def test_the_file_names_one_whole_commit() -> None:
    assert len(release.last_commit()) == 40
