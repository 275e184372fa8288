# SPDX-License-Identifier: Apache-2.0
"""Building the controller and the agent, only when something changed."""

import functools
import hashlib
import os
import shutil
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from .errors import UserError
from .paths import AGENT, AGENT_DIR, BUILD, EXPLAIN_JAR, FLOOD, GO_TOOLS_DIR, N4, ROOT, VALE_DIR, VENV, WEB
from .steps import command, say
from .turns import Turns

MAVEN = ["mvn", "-B", "-Dstyle.color=never"]
_WITHOUT_TESTS = "-Dsextant.skipTestCompile=true"
# In the place of Error Prone and NullAway: an option that javac takes and nothing reads.
_WITHOUT_CHECKERS = ["-Derrorprone.plugin=-XDsextant.unchecked"]
# The first classes that any build writes; and whether some have been compiled without the checkers.
_CLASSES = ROOT / "apps/srv6-core/target/classes"
_UNCHECKED = BUILD / "stamps" / "unchecked"
_NOT_SOURCES = {"target", "build", ".git", "node_modules", "__pycache__", "bin"}
_WRITTEN_BY_TESTS = {".jqwik-database"}  # where they run in an IDE
# Suites that run at once want the same things built.
_BUILDING = Turns(BUILD / "building.lock")


@dataclass(frozen=True)
class _Modules:
    """Maven modules: the options that choose them, their sources, and the files that a build of them leaves."""

    name: str
    options: Sequence[str]
    sources: Sequence[Path]
    products: Sequence[Path] = ()
    whole: bool = False
    """All modules with their tests, checked."""

    @property
    def stamp(self) -> Path:
        return BUILD / "stamps" / self.name

    def built(self) -> bool:
        """If nothing changed since."""
        products = all(product.exists() for product in self.products)
        return products and self.stamp.exists() and self.stamp.read_text() == self.state()

    @_BUILDING.taken()
    def build(self) -> None:
        if self.built():
            say(f"  ✓ build the {self.name}: up to date")
            return
        # Taken before the build, so that files edited meanwhile are built the next time.
        state = self.state()
        forget_other_sources()
        command(f"build the {self.name}", [*MAVEN, *self.options, *self._prepare_checks(), "package", "-DskipTests"])
        self.mark_built(state)

    def _prepare_checks(self) -> Sequence[str]:
        """The first build of a controller does without the checkers of javac, which take half of its processor time."""
        if self.whole:
            forget_unchecked()
            return ()
        if _CLASSES.exists():
            return ()
        _UNCHECKED.parent.mkdir(parents=True, exist_ok=True)
        _UNCHECKED.touch()
        return _WITHOUT_CHECKERS

    def state(self) -> str:
        """A fingerprint of their sources."""
        return _fingerprint(_files(self.sources))

    def mark_built(self, state: str) -> None:
        self.stamp.parent.mkdir(parents=True, exist_ok=True)
        self.stamp.write_text(state)


_SOURCES = [ROOT / name for name in ("pom.xml", "apps", "platforms", "pipeconfs", "web")]
_CONTROLLER = _Modules("controller", ["-pl", "platforms/karaf/distribution", "-am", _WITHOUT_TESTS], _SOURCES)
_EVERYTHING = _Modules("modules", [], [*_SOURCES, ROOT / "bench", ROOT / "scenarios"], whole=True)
_PLANNER = _Modules(
    "planner",
    ["-pl", "apps/srv6-usid", "-am", _WITHOUT_TESTS],
    [ROOT / name for name in ("pom.xml", "apps", "pipeconfs")],
    [EXPLAIN_JAR],
)

_IN_ONE_TREE = (_CONTROLLER, _EVERYTHING, _PLANNER)


def controller() -> None:
    """Builds the stand-alone controller; its assembly is under platforms/karaf/distribution/target."""
    _CONTROLLER.build()


def modules() -> None:
    """Builds all Maven modules: the controller, its tests, the applications for ONOS, the benchmarks."""
    before = modules_state()
    _EVERYTHING.build()
    mark_modules_built(before)


@dataclass(frozen=True)
class ModulesState:
    """Fingerprints of the sources that the controller, and all modules, would be built from."""

    controller: str
    everything: str


def modules_state() -> ModulesState:
    return ModulesState(_CONTROLLER.state(), _EVERYTHING.state())


def mark_modules_built(state: ModulesState) -> None:
    """Records that a run of all Maven modules has built everything, from its sources before that run."""
    _CONTROLLER.mark_built(state.controller)
    _EVERYTHING.mark_built(state.everything)


def forget_other_sources() -> None:
    """Deletes the stamps of sources that changed: all runs of Maven write to the same folders, so that sources that
    change back are not built any more."""
    for modules in _IN_ONE_TREE:
        if not modules.built():
            modules.stamp.unlink(missing_ok=True)


def forget_unchecked() -> None:
    """Deletes classes that were compiled without the checkers: the next run of Maven compiles them again."""
    if not _UNCHECKED.exists():
        return
    for pom in (path for path in _files([ROOT]) if path.name == "pom.xml"):
        for folder in ("classes", "maven-status"):
            shutil.rmtree(pom.parent / "target" / folder, ignore_errors=True)
    _UNCHECKED.unlink()


def explain() -> None:
    """Builds the jar behind `./sextant explain`, without the rest of the controller if that is not built."""
    if EXPLAIN_JAR.exists() and _CONTROLLER.built():
        return
    if not EXPLAIN_JAR.exists():
        say("The first explain builds the planner: a minute, or some more where Maven has to fetch its libraries.")
    _PLANNER.build()


@functools.cache
@_BUILDING.taken()
def agent() -> None:
    """Builds the static binary agent/bin/sextant-agent; Go's cache knows the files that are up to date.

    Once, as a process that uses it does not change its sources: to find that nothing changed takes Go two seconds.
    """
    if not (AGENT_DIR / "cmd/sextant-agent").is_dir():
        raise UserError("agent/cmd/sextant-agent is missing in this checkout")
    agent_constants()
    command(
        "build the agent", ["go", "build", "-o", AGENT, "./cmd/sextant-agent"], cwd=AGENT_DIR, env={"CGO_ENABLED": "0"}
    )


@functools.cache
@_BUILDING.taken()
def n4() -> None:
    """Builds the static binary agent/bin/sextant-n4, which needs neither clang nor P4Info."""
    command("build n4", ["go", "build", "-o", N4, "./cmd/sextant-n4"], cwd=AGENT_DIR, env={"CGO_ENABLED": "0"})


@functools.cache
@_BUILDING.taken()
def flood() -> None:
    """Builds the attacker of agents for the suite security."""
    command("build flood", ["go", "build", "-o", FLOOD, "./tools/flood"], cwd=AGENT_DIR, env={"CGO_ENABLED": "0"})


@functools.cache
@_BUILDING.taken()
def agent_constants() -> None:
    """Generates the agent's Go constants from P4Info, and its eBPF; nothing in agent/ compiles without them.

    Not again where nothing changed: another process may be compiling the files that would be written.
    """
    stamp = BUILD / "stamps" / "constants"
    sources = [AGENT_DIR / name for name in ("go.mod", "internal", "tools")] + [ROOT / "pipeconfs/p4info"]

    state = _fingerprint(_files(sources))

    def generated() -> str:
        return _fingerprint((AGENT_DIR / "internal").rglob("*.gen.*"))

    if stamp.exists() and stamp.read_text() == state + generated():
        return
    command("generate the agent's constants", ["go", "generate", "./..."], cwd=AGENT_DIR)
    stamp.parent.mkdir(parents=True, exist_ok=True)
    stamp.write_text(state + generated())


@_BUILDING.taken()
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


@_BUILDING.taken()
def vale() -> Path:
    """Vale as agent/tools/words/go.mod pins it, built if that changed; its parsers of languages are C."""
    folder, pins = BUILD / "go-tools", (VALE_DIR / "go.mod").read_text() + (VALE_DIR / "go.sum").read_text()
    stamp = folder / "vale.installed"
    if not stamp.exists() or stamp.read_text() != pins:
        folder.mkdir(parents=True, exist_ok=True)
        command("build Vale", ["go", "build", "-o", f"{folder}/", "tool"], cwd=VALE_DIR, env={"CGO_ENABLED": "1"})
        stamp.write_text(pins)
    return folder / "vale"


@_BUILDING.taken()
def web_tools() -> None:
    """Installs the packages of web/package-lock.json if that changed."""
    command("install the web tools", ["node", "scripts/build.mjs", "--install"], cwd=WEB)


@_BUILDING.taken()
def python_tools() -> Path:
    """The virtual environment with the pinned tools of lint and the Python tests; returns its bin folder."""
    wanted = sorted([*ROOT.glob("lab/requirements.txt"), *ROOT.glob("conformance/requirements.txt")])
    pins = "".join(file.read_text() for file in wanted)
    stamp = VENV / "requirements.installed"
    if not stamp.exists() or stamp.read_text() != pins:
        if not (VENV / "bin/python").exists():
            command("make the Python environment", ["python3", "-m", "venv", VENV])
        command(
            "install the Python tools",
            [
                # Not bin/pip: scripts name the interpreter of the place where they were installed, and trees are moved.
                VENV / "bin/python",
                "-m",
                "pip",
                "install",
                "--disable-pip-version-check",
                "--no-input",
                *(word for file in wanted for word in ("-r", os.fspath(file))),
            ],
        )
        stamp.write_text(pins)
    return VENV / "bin"


def _fingerprint(files: Iterable[Path], root: Path = ROOT) -> str:
    """Digest of names below ``root`` and contents: a copied or moved tree is as built as its original."""
    digest = hashlib.sha256()
    for file in sorted(files):
        digest.update(f"{file.relative_to(root)} {hashlib.sha256(file.read_bytes()).hexdigest()}\n".encode())
    return digest.hexdigest()


def _files(roots: Iterable[Path]) -> Iterator[Path]:
    for root in roots:
        if root.is_file():
            yield root
        for folder, subfolders, names in os.walk(root):
            subfolders[:] = [name for name in subfolders if name not in _NOT_SOURCES]
            # Generated files are no reason to build again.
            yield from (Path(folder, name) for name in names if ".gen." not in name and name not in _WRITTEN_BY_TESTS)
