# SPDX-License-Identifier: Apache-2.0
"""The findings of lint in the P4 program: conditions beside targets, and segments that were not generated again."""

import re
from pathlib import Path

from sextantlab import segments
from sextantlab.lint import p4_problems, tracked
from sextantlab.paths import ROOT


def _found(folder: Path, text: str) -> list[str]:
    path = folder / "fixed/steering.p4"
    path.parent.mkdir()
    path.write_text(text)
    return [problem.split(":", 1)[1] for problem in p4_problems([path])]


def test_a_guard_of_its_own_is_all_that_a_file_asks(tmp_path: Path) -> None:
    assert _found(tmp_path, "#ifndef STEERING_P4\n#define STEERING_P4\nWITH_LIVE_LIVE(flow.apply();)\n#endif\n") == []


def test_what_one_target_lacks_is_no_condition_of_the_program(tmp_path: Path) -> None:
    text = "table steering {\n#ifdef LIVE_LIVE\n    flow;\n# else\n#endif\n}\n"
    remedy = "wrap it in a WITH_… of targets.p4"
    assert _found(tmp_path, text) == [f"2: #ifdef; {remedy}", f"4: #else; {remedy}"]


def test_this_checkout_has_none() -> None:
    assert list(p4_problems(tracked())) == []


def test_an_edited_file_of_segments_is_stale_until_it_is_written_anew(tmp_path: Path) -> None:
    path = tmp_path / "pipeconfs/p4src/fixed/segments.p4"
    path.parent.mkdir(parents=True)
    stale = ["pipeconfs/p4src/fixed/segments.p4: not as it is written by ./sextant fmt"]
    assert list(segments.problems(tmp_path)) == stale
    segments.write(tmp_path)
    assert list(segments.problems(tmp_path)) == []
    path.write_text(path.read_text().replace("segment_3", "segment_2", 1))
    assert list(segments.problems(tmp_path)) == stale


def test_the_segments_of_this_checkout_are_as_they_are_written() -> None:
    assert list(segments.problems(ROOT)) == []


def test_whatever_is_left_out_somewhere_is_said_of_targets_that_there_are() -> None:
    """It would not compile; where there is no compiler, this says so."""
    sources = ROOT / "pipeconfs/p4src"
    used = {name for file in sources.glob("fixed/*.p4") for name in re.findall(r"\bWITH_\w+(?=\()", file.read_text())}
    said = re.findall(r"^#define (WITH_\w+)\(\.\.\.\) (.*)$", (sources / "targets.p4").read_text(), re.MULTILINE)
    assert sorted(name for name, _ in said) == sorted(used)
    targets = {f"ON_{file.stem.upper()}" for file in sources.glob("instantiations/*.p4")}
    assert len(targets) == 3
    assert {target for _, having in said for target in re.findall(r"ON_\w+", having)} <= targets
    for file in sources.glob("instantiations/*.p4"):
        ons = dict(re.findall(r"^#define (ON_\w+)\(\.\.\.\)(.*)$", file.read_text(), re.MULTILINE))
        assert ons == {on: " __VA_ARGS__" if on == f"ON_{file.stem.upper()}" else "" for on in targets}
