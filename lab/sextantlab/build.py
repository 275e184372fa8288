# SPDX-License-Identifier: Apache-2.0
"""Building the controller and the agent, only when something changed."""

import hashlib
import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from .errors import UserError
from .paths import AGENT, AGENT_DIR, BUILD, EXPLAIN_JAR, GO_TOOLS_DIR, ROOT, VENV, WEB
from .steps import command, say

MAVEN = ["mvn", "-B", "-Dstyle.color=never"]
_NOT_SOURCES = {"target", "build", ".git", "node_modules", "__pycache__", "bin"}


def controller() -> None:
    """Builds all Maven modules; the assembly is under platforms/karaf/distribution/target."""
    _maven(
        "build the controller",
        [],
        [ROOT / "pom.xml", ROOT / "apps", ROOT / "platforms", ROOT / "pipeconfs", WEB],
        BUILD / "stamps" / "controller",
    )


def explain() -> None:
    """Builds the jar behind `./sextant explain`, without the rest of the controller."""
    if not EXPLAIN_JAR.exists():
        say("The first explain builds the planner: a minute, or some more where Maven has to fetch its libraries.")
    _maven(
        "build explain",
        ["-pl", "apps/srv6-usid", "-am"],
        [ROOT / "pom.xml", ROOT / "apps", ROOT / "pipeconfs"],
        BUILD / "stamps" / "explain",
        [EXPLAIN_JAR],
    )


def agent() -> None:
    """Builds the static binary agent/bin/sextant-agent; Go's cache knows what is up to date."""
    if not (AGENT_DIR / "cmd/sextant-agent").is_dir():
        raise UserError("agent/cmd/sextant-agent is missing in this checkout")
    agent_constants()
    command(
        "build the agent", ["go", "build", "-o", AGENT, "./cmd/sextant-agent"], cwd=AGENT_DIR, env={"CGO_ENABLED": "0"}
    )


def agent_constants() -> None:
    """Generates the agent's Go constants from P4Info; nothing in agent/ compiles without them."""
    command("generate the agent's constants", ["go", "generate", "./..."], cwd=AGENT_DIR)


def go_tools() -> Path:
    """The Go linters that agent/tools/lint/go.mod pins, built if that changed; returns their folder."""
    folder, pins = BUILD / "go-tools", (GO_TOOLS_DIR / "go.mod").read_text() + (GO_TOOLS_DIR / "go.sum").read_text()
    stamp = folder / "go.installed"
    if not stamp.exists() or stamp.read_text() != pins:
        folder.mkdir(parents=True, exist_ok=True)
        # Into a folder: the names of the commands are those of their packages.
        command(
            "build the Go linters",
            ["go", "build", "-o", f"{folder}/", "tool"],
            cwd=GO_TOOLS_DIR,
            env={"CGO_ENABLED": "0"},
        )
        stamp.write_text(pins)
    return folder


def web_tools() -> None:
    """What web/package-lock.json names, installed if that changed."""
    command("install the web tools", ["node", "scripts/build.mjs", "--install"], cwd=WEB)


def python_tools() -> Path:
    """The virtual environment with the pinned tools of lint and the Python tests; returns its bin folder."""
    wanted = sorted([*ROOT.glob("lab/requirements.txt"), *ROOT.glob("conformance/requirements.txt")])
    pins = "".join(file.read_text() for file in wanted)
    stamp = VENV / "requirements.installed"
    if not stamp.exists() or stamp.read_text() != pins:
        command("make the Python environment", ["python3", "-m", "venv", VENV])
        command(
            "install the Python tools",
            [
                VENV / "bin/pip",
                "install",
                "--disable-pip-version-check",
                "--no-input",
                *(word for file in wanted for word in ("-r", os.fspath(file))),
            ],
        )
        stamp.write_text(pins)
    return VENV / "bin"


def _maven(name: str, options: list[str], sources: Iterable[Path], stamp: Path, products: Iterable[Path] = ()) -> None:
    # Taken before the build, so that what is edited meanwhile is built the next time.
    state = _fingerprint(sources)
    if stamp.exists() and stamp.read_text() == state and all(product.exists() for product in products):
        say(f"  ✓ {name}: up to date")
        return
    command(name, [*MAVEN, *options, "package", "-DskipTests"])
    stamp.parent.mkdir(parents=True, exist_ok=True)
    stamp.write_text(state)


def _fingerprint(roots: Iterable[Path]) -> str:
    """Names, sizes and times of all sources: what changes when one of them does."""
    digest = hashlib.sha256()
    for file in sorted(_files(roots)):
        stat = file.stat()
        digest.update(f"{file} {stat.st_size} {stat.st_mtime_ns}\n".encode())
    return digest.hexdigest()


def _files(roots: Iterable[Path]) -> Iterator[Path]:
    for root in roots:
        if root.is_file():
            yield root
        for folder, subfolders, names in os.walk(root):
            subfolders[:] = [name for name in subfolders if name not in _NOT_SOURCES]
            # What a build generates is no reason to build again.
            yield from (Path(folder, name) for name in names if ".gen." not in name)
