# SPDX-License-Identifier: Apache-2.0
"""The guides of docs/guide: each command of a console block runs, and prints the lines below it."""

import os
import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from sextantlab.paths import ROOT
from sextantlab.processes import until
from story import Story

_GUIDES = ROOT / "docs" / "guide"
_PATIENCE_SECONDS = 60
_ELLIPSIS = "…"
# The network of the scenarios is up, and stays.
_OF_THE_LAB = ("./sextant lab up", "./sextant lab down")
# These only read, and can be repeated until the network has followed.
_READING = re.compile(r"srv6:(?:nodes|policies|policy|entries|log|topology|policy-probe)\b|\bping\b")


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


def _commands(guide: Path) -> Iterator[Command]:
    command: Command | None = None
    inside = False
    for number, line in enumerate(guide.read_text().splitlines(), 1):
        if line.startswith("```"):
            inside = line == "```console"
            if command:
                yield command
            command = None
        elif inside and line.startswith("$ "):
            if command:
                yield command
            command = Command(number, line[2:])
        elif inside and command:
            command.expected.append(line)


def _run(words: str, story: Story) -> str:
    here = re.sub(r"\bsx-", story.lab.instance.prefix, words)
    done = subprocess.run(
        ["bash", "-c", here],
        cwd=ROOT,
        env={**os.environ, "SEXTANT_INSTANCE": str(story.lab.instance.number)},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    return done.stdout + done.stderr


@pytest.mark.parametrize("name", sorted(guide.name for guide in _GUIDES.glob("*.md") if guide.name != "README.md"))
def test_commands_of_a_guide_print_the_lines_below_them(name: str, story: Story) -> None:
    commands = [one for one in _commands(_GUIDES / name) if not one.words.startswith(_OF_THE_LAB)]
    assert commands
    for command in commands:
        outputs: list[str] = []

        def printed(command: Command = command, outputs: list[str] = outputs) -> bool:
            outputs.append(_run(command.words, story))
            return not command.expected or command.matches(outputs[-1])

        patience = _PATIENCE_SECONDS if _READING.search(command.words) else 0
        assert until(printed, patience), f"{name}:{command.line}: {command.words}\n{outputs[-1]}"


def test_guides_and_readme_lead_to_every_guide() -> None:
    readme = (ROOT / "README.md").read_text()
    index = (_GUIDES / "README.md").read_text()
    assert "docs/guide" in readme
    for guide in _GUIDES.glob("*.md"):
        assert guide.name == "README.md" or f"({guide.name})" in index


@pytest.mark.parametrize(
    ("expected", "output", "matches"),
    [
        (["a  b"], "a    b\n", True),
        (["a … c"], "a b c\n", True),
        (["a", "…"], "a\nb\nc\n", True),
        (["a"], "a\nb\n", False),
        (["…", "c"], "a\nb\n", False),
    ],
)
def test_expected_lines(expected: list[str], output: str, matches: bool) -> None:
    assert Command(1, "", expected).matches(output) is matches
