# SPDX-License-Identifier: Apache-2.0
"""Worked examples of docs/extend: a copy of this checkout, in which a page is followed letter by letter."""

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from sextantlab.lint import tracked
from sextantlab.paths import ROOT

# "In `file`, below `anchor`:" and a block, as pages say it; lines may be broken anywhere.
_EDIT = re.compile(
    r"In\s+`(?P<file>[^`]+)`,\s+(?P<where>above|below)\s+`(?P<anchor>[^`]+)`:\n\n```\w+\n(?P<lines>.*?)```\n", re.DOTALL
)

# Modules that are large, and made anew in a moment.
_PACKED = {"platforms/karaf/distribution", "platforms/karaf/itest"}


@dataclass(frozen=True)
class Edit:
    """Lines that a page adds to a file, above or below the line that begins with the anchor."""

    file: str
    where: str
    anchor: str
    lines: str

    def apply(self, root: Path) -> None:
        path = root / self.file
        lines = path.read_text().splitlines(keepends=True)
        at = [number for number, line in enumerate(lines) if self._names(line)]
        assert len(at) == 1, f"{self.file}: {len(at)} lines begin with {self.anchor!r}, which the page names"
        place = at[0] + (self.where == "below")
        path.write_text("".join([*lines[:place], self.lines, *lines[place:]]))

    def _names(self, line: str) -> bool:
        """A line that is indented in the page is indented so in the file."""
        return (line if self.anchor[0].isspace() else line.lstrip()).startswith(self.anchor)


def edits(page: Path) -> Iterator[Edit]:
    """The additions of a page to files, in its order."""
    for match in _EDIT.finditer(page.read_text()):
        yield Edit(match["file"], match["where"], match["anchor"], match["lines"])


def copy_checkout(root: Path, without: str = "") -> None:
    """The files of the project, but for those of one folder."""
    for path in tracked():
        name = path.relative_to(ROOT)
        if not without or not name.is_relative_to(without):
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(path, root / name)


def copy_built(root: Path) -> None:
    """Maven's output for the modules, so that it makes only new ones, and those that depend on them.

    Times stay, and the lists of compiled files name those of the copy.
    """
    modules = [path.parent.relative_to(ROOT) for path in tracked() if path.name == "pom.xml"]
    for target in (module / "target" for module in modules if str(module) not in _PACKED):
        if (ROOT / target).is_dir():
            shutil.copytree(ROOT / target, root / target, symlinks=True)
            for listing in (root / target).glob("maven-status/**/*.lst"):
                listing.write_text(listing.read_text().replace(f"{ROOT}/", f"{root}/"))


def share(root: Path, *names: str) -> None:
    """Folders that are the same in the copy, and take long to make again."""
    for name in names:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).symlink_to(ROOT / name)


def run(root: Path, *words: str | Path, folder: str = ".", **environment: str) -> str:
    """The output of a command in the copy; fails the test with all of it if it does not end well."""
    own = {"PYTHONPATH": os.pathsep.join([str(root / "lab"), str(root)])}  # not this checkout's
    done = subprocess.run(
        words, cwd=root / folder, env={**os.environ, **own, **environment}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"{' '.join(map(str, words))}\n{done.stdout}\n{done.stderr}"
    return done.stdout
