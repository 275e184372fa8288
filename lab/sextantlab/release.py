# SPDX-License-Identifier: Apache-2.0
"""Builds of Sextant: this checkout's, and the last release's, for tests of independent upgrades."""

import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from .build import MAVEN
from .paths import AGENT_DIR, BUILD, LAB, ROOT
from .steps import command

# The commit that was released last, or that is taken for it while there was none.
_LAST = LAB / "last-release"


@dataclass(frozen=True)
class Release:
    """A tree that is built: where its products are."""

    root: Path = ROOT

    @property
    def agent(self) -> Path:
        return self.root / "agent/bin/sextant-agent"

    @property
    def distribution(self) -> Path:
        """The folder with the controller's archive."""
        return self.root / "platforms/karaf/distribution/target"

    @property
    def installation(self) -> Path:
        """Where the controller is unpacked."""
        return self.root / "build/controller"


THIS = Release()


def last_commit() -> str:
    """The commit of the last release."""
    return _LAST.read_text().split()[0]


def missing() -> str:
    """Why the last release cannot be had here; "" if it can."""
    words = ["git", "-C", str(ROOT), "cat-file", "-e", last_commit() + "^{commit}"]
    try:
        there = subprocess.run(words, capture_output=True, check=False).returncode == 0
    except FileNotFoundError:
        return "git is not installed, and the last release is in its history"
    return "" if there else f"there is no commit {last_commit()[:12]} (lab/last-release) here: git fetch --unshallow"


def last() -> Release:
    """The last release, built from history; once, as it does not change."""
    root = BUILD / "releases" / last_commit()
    release = Release(root)
    _once(root / ".checked-out", lambda: _check_out(root))
    _once(root / ".built", lambda: _build(release))
    return release


def _once(stamp: Path, work: Callable[[], None]) -> None:
    if not stamp.exists():
        work()
        stamp.touch()


def _check_out(root: Path) -> None:
    """Its files, without a history of their own."""
    shutil.rmtree(root, ignore_errors=True)
    root.mkdir(parents=True)
    archive = subprocess.run(["git", "-C", str(ROOT), "archive", last_commit()], capture_output=True, check=True)
    subprocess.run(["tar", "-x", "-C", str(root)], input=archive.stdout, check=True)


def _build(release: Release) -> None:
    root = release.root
    # package-lock.json names the tools of the GUI's build; where it is the same, so are these.
    if (ROOT / "web/node_modules").is_dir() and not (root / "web/node_modules").exists():
        shutil.copytree(ROOT / "web/node_modules", root / "web/node_modules", symlinks=True)
    agent = root / AGENT_DIR.relative_to(ROOT)
    command("generate the last release's constants", ["go", "generate", "./..."], cwd=agent)
    command(
        "build the last release's agent", ["go", "build", "-o", release.agent, "./cmd/sextant-agent"],
        cwd=agent, env={"CGO_ENABLED": "0"},
    )  # fmt: skip
    command(
        "build the last release's controller",
        [*MAVEN, "package", "-DskipTests", "-pl", "platforms/karaf/distribution", "-am"],
        cwd=root,
    )
