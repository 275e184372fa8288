# SPDX-License-Identifier: Apache-2.0
"""How the words of comments and docs are counted and bounded."""

import json
from pathlib import Path

import pytest
from sextantlab import comments, words
from sextantlab.paths import ROOT

SOURCES = {
    "A.java": (
        "package a;\n"
        "/**\n * Of the forms, one. It is what it is:\n * a {@code what}.\n *\n * @param a what it takes\n */\n"
        'class A { String s = "// what is no comment"; } // Who runs it now\n'
    ),
    "a.go": "//go:build what is a directive\n\n// Those are lines.\n// Whether they are one\n// block is counted.\n"
    "var a = `// what`\n",
    "a.p4": "// Of a table.\n/* What it holds. */ table t {}\n",
    "a.h": "/*\n * Nobody knows what.\n */\nint a; // a way out\n",
    "a.py": '"""Who calls it."""\ndef f() -> str:\n    """Returns what it has."""\n    return "# what"  # noqa: what\n',
    "a.ts": "/** What is shown. */\nconst a = 'what // is text';\n",
    "a.sh": "#!/bin/sh\n# What it does.\ncat <<TEXT\n# What is printed\nTEXT\n",
    "a.md": "# Of it all\n\n- What is an item\n\n```\nWhat is code\n```\n\n| a what cell is | `what` |\n|---|---|\n",
}


def sentences(name: str) -> list[tuple[int, str]]:
    return [(one.line, one.text) for one in comments.sentences(Path(name), SOURCES[name])]


def test_sentences_have_the_line_where_they_begin() -> None:
    assert sentences("A.java") == [
        (3, "Of the forms, one."),
        (3, "It is what it is: a XXXXXXXXXXXX."),
        (6, "what it takes"),
        (8, "Who runs it now"),
    ]
    assert sentences("a.go") == [(3, "Those are lines."), (4, "Whether they are one block is counted.")]


@pytest.mark.parametrize(
    ("name", "openers", "what"),
    [
        ("A.java", 2, 2),
        ("a.go", 2, 0),
        ("a.p4", 2, 1),
        ("a.h", 0, 1),
        ("a.py", 1, 1),
        ("a.ts", 1, 1),
        ("a.sh", 1, 1),
        ("a.md", 2, 2),
    ],
)
def test_openers_and_what_are_counted_in_comments_alone(name: str, openers: int, what: int) -> None:
    count = words.count(Path(name), SOURCES[name])
    assert (count.openers, count.what) == (openers, what)


def test_dialect_is_counted_per_word() -> None:
    count = words.count(Path("a.h"), SOURCES["a.h"])
    assert count.dialect == {"nobody": 1, "way": 1}
    assert json.dumps(count.row()["dialect"]) == (
        '{"nobody": {"count": 1, "instead": "no operator, no user, no client, no peer"}, '
        '"way": {"count": 1, "instead": "path"}}'
    )


def test_an_area_may_not_exceed_its_bounds(tmp_path: Path) -> None:
    files = []
    for folder in ("lab", "agent"):
        (tmp_path / folder).mkdir()
        files.append(tmp_path / folder / "a.p4")
        files[-1].write_text(SOURCES["a.p4"])
    (tmp_path / words.BOUNDS).write_text(json.dumps({"agent": [100, 50], "all": [100, 49.9]}))
    assert list(words.problems(tmp_path, files)) == [
        "lab: 100.0 % of its sentences begin with an opener, 1.5 % at most",
        'lab: "what" in 50.0 % of its sentences, 1.0 % at most',
        'all: "what" in 50.0 % of its sentences, 49.9 % at most',
    ]


def test_folders_that_vale_reads_have_no_bounds_above_the_aims() -> None:
    bounded = json.loads((ROOT / words.BOUNDS).read_text())
    assert [folder for folder in words.CLEAN if folder in bounded] == []


@pytest.mark.parametrize("subject", ["lab: bring up a node", "Pass the rest", "a, b: need less", "a: list files"])
def test_imperative_subjects_are_accepted(subject: str) -> None:
    assert list(words.about_subject(subject)) == []


@pytest.mark.parametrize(
    ("subject", "problem"),
    [
        ("lab: adds a node", '"adds" is not imperative'),
        ("lab: fixed it", '"fixed" is not imperative'),
        ("Adding nodes", '"adding" is not imperative'),
        ("lab: " + 65 * "x", "a subject of 70 characters, 69 at most"),
    ],
)
def test_other_subjects_are_refused(subject: str, problem: str) -> None:
    assert list(words.about_subject(subject)) == [problem]
