# SPDX-License-Identifier: Apache-2.0
"""The commands of a guide of docs/guide, and the lines that each is to print."""

import os
import re
import shlex
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from sextantlab.instance import Instance
from sextantlab.paths import ROOT
from sextantlab.processes import until

GUIDES = ROOT / "docs" / "guide"
# A shared network is up, and stays.
OF_THE_LAB = ("./sextant lab up", "./sextant lab down")
_PATIENCE_SECONDS = 60
_COMMAND_SECONDS = 300
_ELLIPSIS = "…"
# A block with a title is the content of the file of this name.
_TITLE = re.compile(r'```\w+ title="(?P<file>[^"]+)"')
# These only read, and can be repeated until the network has followed.
_READING = re.compile(
    r"srv6:(?:nodes|policies|policy|entries|log|topology|policy-probe)\b|\bping\b"
    r"|srv6:(?:protection|livelive|edge|firewall-counters|slice|sessions?)(?= )"
)


@dataclass
class Command:
    """A command of a guide, with the lines that it is to print."""

    line: int
    words: str
    expected: list[str] = field(default_factory=list)

    def matches(self, output: str) -> bool:
        return re.fullmatch("".join(map(_pattern, self.expected)), _plain(output)) is not None


def _plain(output: str) -> str:
    """Columns depend on the longest cell: runs of blanks count as one."""
    return "".join(re.sub(r"[ \t]+", " ", line).strip() + "\n" for line in output.strip().splitlines())


def _pattern(line: str) -> str:
    """An ellipsis alone stands for any number of lines, within a line for any text."""
    if line.strip() == _ELLIPSIS:
        return r"(?:.*\n)*?"
    words = re.sub(r"[ \t]+", " ", line).strip()
    return ".*".join(re.escape(part) for part in words.split(_ELLIPSIS)) + r"\n"


def commands(guide: Path) -> Iterator[Command]:
    command: Command | None = None
    inside, file = False, ""
    for number, line in enumerate(guide.read_text().splitlines(), 1):
        if line.startswith("```"):
            inside = line == "```console"
            if command:
                yield command
            title = _TITLE.fullmatch(line)
            file = title["file"] if title else ""
            command = Command(number, f"cat > {shlex.quote(file)} <<'EOF'") if file else None
        elif command and file:
            command.words += f"\n{line}"
        elif inside and line.startswith("$ "):
            if command:
                yield command
            command = Command(number, line[2:])
        elif inside and command:
            command.expected.append(line)


def run(words: str, instance: Instance) -> str:
    here = re.sub(r"\bsx-", instance.prefix, words)
    here = here.replace("build/lab/fig4/", f"{instance.directory('fig4').relative_to(ROOT)}/")
    done = subprocess.run(
        ["bash", "-c", here],
        cwd=ROOT,
        env={**os.environ, "SEXTANT_INSTANCE": str(instance.number)},
        capture_output=True,
        text=True,
        check=False,
        timeout=_COMMAND_SECONDS,
    )
    return done.stdout + done.stderr


def follow(name: str, followed: list[Command], instance: Instance) -> None:
    """Runs the commands. Fails at the first that does not print the lines below it."""
    assert followed
    for command in followed:
        outputs: list[str] = []

        def printed(command: Command = command, outputs: list[str] = outputs) -> bool:
            outputs.append(run(command.words, instance))
            return not command.expected or command.matches(outputs[-1])

        patience = _PATIENCE_SECONDS if _READING.search(command.words) else 0
        assert until(printed, patience), f"{name}:{command.line}: {command.words}\n{outputs[-1]}"
