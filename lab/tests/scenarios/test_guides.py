# SPDX-License-Identifier: Apache-2.0
"""The guides of docs/guide: each command of a console block runs, and prints the lines below it."""

from pathlib import Path

import pytest
from guide import GUIDES, OF_THE_LAB, Command, commands, follow, run
from sextantlab import build
from sextantlab.instance import Instance
from sextantlab.paths import ROOT
from story import Story

# These guides bring up a network of their own, which no other test has.
_OWN_NETWORK = ("topology-file.md",)
# The tests of lab/tests/mobile follow this one.
_ELSEWHERE = ("slice.md",)
_SHARED_NETWORK = sorted({one.name for one in GUIDES.glob("*.md")} - {"README.md", *_OWN_NETWORK, *_ELSEWHERE})


@pytest.mark.parametrize("name", _SHARED_NETWORK)
def test_commands_of_a_guide_print_the_lines_below_them(name: str, story: Story) -> None:
    followed = [one for one in commands(GUIDES / name) if not one.words.startswith(OF_THE_LAB)]
    before = story.lab.network_file.read_text()
    try:
        follow(name, followed, story.lab.instance)
    finally:
        if story.lab.network_file.read_text() != before:
            story.lab.network_file.write_text(before)


@pytest.mark.parametrize("name", _OWN_NETWORK)
def test_commands_of_a_guide_with_a_network_of_its_own_print_the_lines_below_them(name: str) -> None:
    instance = Instance.free()
    build.controller()
    build.agent()
    try:
        follow(name, list(commands(GUIDES / name)), instance)
    finally:
        run("./sextant lab down", instance)


def test_guides_and_readme_lead_to_every_guide() -> None:
    readme = (ROOT / "README.md").read_text()
    index = (GUIDES / "README.md").read_text()
    assert "docs/guide" in readme
    for guide in GUIDES.glob("*.md"):
        assert guide.name == "README.md" or f"({guide.name})" in index


def test_a_block_with_a_title_is_written_to_the_file(tmp_path: Path) -> None:
    page, file = tmp_path / "guide.md", tmp_path / "a.json"
    page.write_text(f'```json title="{file}"\n{{\n}}\n```\n\n```console\n$ true\n```\n')
    first, second = commands(page)
    run(first.words, Instance())
    assert file.read_text() == "{\n}\n"
    assert second.words == "true"


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
