# SPDX-License-Identifier: Apache-2.0
"""Format and style of every source in the tree. A check yields problems; none means passed."""

import re
import subprocess
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from . import apps, build, java_packages, rooms, segments, words
from .paths import AGENT_DIR, LOGS, ROOT, WEB, relative
from .steps import command, say, tail

_SPDX = re.compile(r"SPDX-License-Identifier: (Apache-2\.0|GPL-2\.0-only OR Apache-2\.0)\b")
_SOURCES = {".java", ".go", ".p4", ".c", ".h", ".py", ".ts", ".tsx", ".sh", ".proto"}
_P4_WIDTH = 110  # as .editorconfig says


def run() -> Iterator[tuple[str, str]]:
    """Every check with its findings, "" for nothing; those of Go beside the others."""
    build.python_tools()
    with ThreadPoolExecutor(2) as beside:
        for found in beside.map(_found, (_go, _others)):
            yield from found


def _found(checks: Callable[[], Iterator[tuple[str, str]]]) -> list[tuple[str, str]]:
    return list(checks())


def _go() -> Iterator[tuple[str, str]]:
    build.agent_constants()
    go = build.go_tools()
    yield (
        "golangci-lint",
        _tool("golangci-lint", [go / "golangci-lint", "run", "--allow-parallel-runners", "./..."], AGENT_DIR),
    )
    _govulncheck(go)
    yield "vale", _tool("vale", [build.vale(), "--output", "line", f"--glob={words.WRITTEN_BY_HAND}", *words.CLEAN])


def _others() -> Iterator[tuple[str, str]]:
    tools = build.python_tools()
    scripts = (relative_to_root(path) for path in tracked() if path.suffix == ".sh")
    shell = ["sextant", ".ci/run", "scenarios/bin/sextant-step", *scripts]
    python = python_folders()
    yield "shellcheck", _tool("shellcheck", [tools / "shellcheck", *shell])
    yield "ruff check", _tool("ruff check", [tools / "ruff", "check", "--no-cache", *python])
    yield "ruff format", _tool("ruff format", [tools / "ruff", "format", "--no-cache", "--diff", *python])
    # Each of them has modules that are called conftest.
    for together in (["conformance"], [folder for folder in python if folder != "conformance"]):
        name = f"mypy {together[0]}"
        yield name, _tool(name, [tools / "python", "-m", "mypy", *together])
    java = "spotless and checkstyle"
    yield java, _tool(java, [*build.MAVEN, "-q", "--fail-at-end", "spotless:check", "checkstyle:check"])
    build.web_tools()
    yield "prettier", _tool("prettier", ["node_modules/.bin/prettier", "--check", "--log-level", "warn", "."], WEB)
    yield "java packages", _report("java packages", lambda: java_packages.problems(ROOT, tracked()))
    yield "apps", _report("apps", lambda: apps.problems(ROOT))
    yield "p4 style", _report("p4 style", lambda: p4_problems(tracked()))
    yield "engine rooms", _report("engine rooms", lambda: rooms.problems(ROOT))
    yield "p4 segments", _report("p4 segments", lambda: segments.problems(ROOT))
    yield "words", _report("words", lambda: words.problems(ROOT, tracked()))
    yield "commit subjects", _report("commit subjects", lambda: words.subject_problems(ROOT))
    yield "SPDX headers", _report("SPDX headers", spdx_problems)


def python_folders() -> list[str]:
    """The folders at the root that hold Python."""
    return [folder for folder in ("lab", "conformance", "bench", "scenarios") if any((ROOT / folder).rglob("*.py"))]


def relative_to_root(path: Path) -> str:
    return str(path.relative_to(ROOT))


def tracked() -> list[Path]:
    """The files of the project: those that git tracks or would track, or everything in an unpacked archive."""
    paths = _listed_by_git()
    if not paths:
        ignored = {"target", "build", "bin", "node_modules", ".git"}
        files = (path for path in ROOT.rglob("*") if not ignored.intersection(path.relative_to(ROOT).parts))
        paths = [path for path in files if ".gen." not in path.name]
    return sorted(path for path in paths if path.is_file())


def _listed_by_git() -> list[Path]:
    """Nothing where git is not installed or does not know the folder."""
    words = ["git", "-C", str(ROOT), "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    try:
        listing = subprocess.run(words, capture_output=True, text=True, check=False).stdout
    except FileNotFoundError:
        return []
    return [ROOT / name for name in listing.split("\0") if name]


def p4_problems(files: Iterable[Path]) -> Iterator[str]:
    """Width, tabs, trailing blanks; one control with tables per file, named as the file; conditions in targets only."""
    for path in files:
        if path.suffix != ".p4":
            continue
        text = path.read_text()
        for number, line in enumerate(text.splitlines(), 1):
            if "\t" in line:
                yield f"{relative(path)}:{number}: a tab"
            if len(line) > _P4_WIDTH:
                yield f"{relative(path)}:{number}: {len(line)} columns, {_P4_WIDTH} at most"
            if line != line.rstrip():
                yield f"{relative(path)}:{number}: trailing blanks"
        if "fixed" in path.parts:
            yield from _control_problems(path, text)
            yield from _condition_problems(path, text)


def _control_problems(path: Path, text: str) -> Iterator[str]:
    """A control may not have the name of its table, hence the suffix. Architectures want controls without tables."""
    blocks = re.split(r"^(?=control\s)", text, flags=re.MULTILINE)
    owners = [block.split("(")[0].split()[1] for block in blocks if re.search(r"^\s+table\s", block, re.MULTILINE)]
    if owners not in ([], [path.stem], [f"{path.stem}_control"]):
        yield f"{relative(path)}: tables in {', '.join(owners)}; one per file, named {path.stem}_control"


def _condition_problems(path: Path, text: str) -> Iterator[str]:
    """The program is one for all targets: the parts that one of them lacks, its WITH_… leaves out
    (pipeconfs/README.md).
    """
    for number, line in enumerate(text.splitlines(), 1):
        directive = re.match(r"\s*#\s*(if\w*|el\w+)\b\s*(.*)", line)
        if directive and directive.groups() != ("ifndef", f"{path.stem.upper()}_P4"):
            yield f"{relative(path)}:{number}: #{directive[1]}; wrap it in a WITH_… of targets.p4"


def spdx_problems() -> Iterator[str]:
    """Every source says its licence in the first lines."""
    for path in tracked():
        head = path.read_bytes()[:600].decode(errors="replace")
        is_source = path.suffix in _SOURCES or path.name == "pom.xml" or head.startswith("#!")
        if is_source and not _SPDX.search(head):
            yield f"{relative(path)}: no line SPDX-License-Identifier: Apache-2.0"


def _govulncheck(tools: Path) -> None:
    """Reports known vulnerabilities in libraries that the agent calls. The list of them changes without us, so it fails
    nothing.
    """
    say("  what govulncheck says fails nothing:")
    code = command("govulncheck", [tools / "govulncheck", "./..."], cwd=AGENT_DIR, check=False)
    log = LOGS / "govulncheck.log"
    if code and "fetching vulnerabilities" in log.read_text():
        say("  - govulncheck skipped: https://vuln.go.dev cannot be reached; set GOVULNDB to a copy of it")
    elif code:
        say(tail(log))


def _tool(name: str, argv: list[str | Path], folder: Path = ROOT) -> str:
    if command(name, argv, cwd=folder, check=False) == 0:
        return ""
    log = LOGS / (name.replace(" ", "-") + ".log")
    say(tail(log))
    return f"see {relative(log)}"


def _report(name: str, check: Callable[[], Iterator[str]]) -> str:
    problems = list(check())
    for problem in problems:
        say(f"    | {problem}")
    say(f"  {'✗' if problems else '✓'} {name}")
    return f"{len(problems)} problems, first: {problems[0]}" if problems else ""
