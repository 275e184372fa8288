# SPDX-License-Identifier: Apache-2.0
"""A trail is verified without the controller that wrote it."""

import hashlib
import hmac
import json
from pathlib import Path

import pytest
from sextantlab import trail

_KEY = bytes(range(32))
_NOTHING = "0" * 64


def line(seq: int, before: str, **said: object) -> tuple[str, str]:
    """A line and its hash, as docs/reference/audit-trail.md has it."""
    body = json.dumps({"seq": seq, "prev": before, **said}, separators=(",", ":"), ensure_ascii=False)[:-1]
    own = hashlib.sha256(body.encode()).hexdigest()
    return f'{body},"hash":"{own}"}}\n', own


def written(folder: Path, *sizes: int) -> list[str]:
    """Files of so many lines each, and the head; returns the hashes."""
    before, seq, hashes = _NOTHING, 1, []
    for size in sizes:
        with (folder / f"trail-{seq:012}.jsonl").open("w") as file:
            for _ in range(size):
                text, before = line(seq, before, event="change", user="a\u2028b")
                file.write(text)
                hashes.append(before)
                seq += 1
    head(folder, 1, seq - 1, before)
    return hashes


def head(folder: Path, first: int, last: int, own: str) -> None:
    mac = hmac.new(_KEY, f"{first} {last} {own}".encode(), "sha256").hexdigest()
    (folder / "trail.head").write_text(json.dumps({"first": first, "last": last, "hash": own, "mac": mac}) + "   \n")


def found(folder: Path, key: bytes | None = _KEY) -> trail.Report:
    return trail.verify(trail.files([folder]), folder / "trail.head", key)


def test_what_is_as_it_was_written_is_whole(tmp_path: Path) -> None:
    written(tmp_path, 3, 2, 4)
    report = found(tmp_path)
    assert (report.lines, report.problems, report.notes) == (9, [], [])
    assert found(tmp_path, None).notes == ["trail.head is believed: without --key its author is not verified"]


def edit(folder: Path, file: str, old: str, new: str) -> None:
    path = folder / file
    assert old in path.read_text()
    path.write_text(path.read_text().replace(old, new, 1))


def test_an_edited_line_is_seen(tmp_path: Path) -> None:
    written(tmp_path, 3, 3)
    edit(tmp_path, "trail-000000000004.jsonl", '"user":"a', '"user":"b')
    assert found(tmp_path).problems == ["trail-000000000004.jsonl, line 1: the line is not as it was written"]


def test_a_missing_line_is_seen_over_the_border_of_files(tmp_path: Path) -> None:
    written(tmp_path, 3, 3)
    file = tmp_path / "trail-000000000001.jsonl"
    file.write_text("".join(f"{text}\n" for text in file.read_text().split("\n")[:2]))
    assert found(tmp_path).problems == ["trail-000000000004.jsonl, line 1: line 4 does not follow line 2"]


@pytest.mark.parametrize("key", [_KEY, None])
def test_a_cut_end_is_seen(tmp_path: Path, key: bytes | None) -> None:
    written(tmp_path, 3, 3)
    (tmp_path / "trail-000000000004.jsonl").unlink()
    assert found(tmp_path, key).problems == ["line 6, which was the last one, is missing; the files end with line 3"]


def test_a_cut_beginning_is_seen_and_a_rotated_one_is_not(tmp_path: Path) -> None:
    hashes = written(tmp_path, 3, 3)
    (tmp_path / "trail-000000000001.jsonl").unlink()
    assert found(tmp_path).problems == ["lines 1 to 3 are missing at the beginning"]
    head(tmp_path, 4, 6, hashes[-1])
    assert found(tmp_path).problems == []


def test_a_head_of_somebody_else_is_seen(tmp_path: Path) -> None:
    written(tmp_path, 3)
    assert found(tmp_path, b"x" * 32).problems == ["trail.head: it was not made with this key"]


def test_a_chain_that_began_anew_says_why(tmp_path: Path) -> None:
    written(tmp_path, 2)
    text, own = line(3, _NOTHING, event="chain", because=["somebody cut it"])
    (tmp_path / "trail-000000000003.jsonl").write_text(text)
    head(tmp_path, 1, 3, own)
    (problem,) = found(tmp_path).problems
    assert problem.endswith("a new chain begins with line 3, because somebody cut it")


def test_what_a_kill_left_is_no_fault(tmp_path: Path) -> None:
    hashes = written(tmp_path, 3)
    head(tmp_path, 1, 2, hashes[1])
    with (tmp_path / "trail-000000000001.jsonl").open("a") as file:
        file.write('{"seq":4,"pr')
    report = found(tmp_path)
    assert report.problems == []
    assert len(report.notes) == 2


def kinds(report: trail.Report) -> list[str]:
    return [finding.kind.name for finding in report.findings]


def test_a_torn_end_a_cut_and_an_edit_have_their_own_sentence_and_exit_status(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    written(tmp_path, 3, 3)
    file = tmp_path / "trail-000000000004.jsonl"
    whole = file.read_text()
    assert trail.show(found(tmp_path)) == 0
    file.write_text(whole + '{"seq":7,"pr')
    assert trail.show(found(tmp_path)) == 3
    out = capsys.readouterr().out
    assert "TORN: trail-000000000004.jsonl, line 4: the line is not finished" in out
    assert "torn: the end is torn, as a crash leaves it; no line that was acknowledged is missing" in out
    file.write_text("".join(f"{text}\n" for text in (whole.split("\n")[0], whole.split("\n")[2])))
    assert trail.show(found(tmp_path)) == 4
    out = capsys.readouterr().out
    assert "CUT: trail-000000000004.jsonl, line 2: line 6 does not follow line 4" in out
    assert "cut: lines that were written are missing" in out
    file.write_text(whole.replace('"user":"a', '"user":"b', 1))
    assert trail.show(found(tmp_path)) == 5
    out = capsys.readouterr().out
    assert "EDITED: trail-000000000004.jsonl, line 1: the line is not as it was written" in out
    assert "edited: a line was changed after it was written" in out


def test_a_hole_behind_the_head_is_a_torn_end_and_one_before_it_is_an_edit(tmp_path: Path) -> None:
    hashes = written(tmp_path, 6)
    file = tmp_path / "trail-000000000001.jsonl"
    lines = file.read_text().split("\n")[:-1]
    lines[4] = "\0" * len(lines[4])
    file.write_text("".join(f"{text}\n" for text in lines))
    assert kinds(found(tmp_path)) == ["EDITED"]
    head(tmp_path, 1, 4, hashes[3])
    assert kinds(found(tmp_path)) == ["TORN"]


def test_an_edit_with_a_hash_of_its_own_is_no_cut(tmp_path: Path) -> None:
    hashes = written(tmp_path, 4)
    file = tmp_path / "trail-000000000001.jsonl"
    lines = [f"{text}\n" for text in file.read_text().split("\n")[:-1]]
    lines[1], _ = line(2, hashes[0], event="change", user="mallory")
    file.write_text("".join(lines))
    assert kinds(found(tmp_path)) == ["EDITED"]


def test_a_new_chain_fixes_the_lines_before_it(tmp_path: Path) -> None:
    hashes = written(tmp_path, 3)
    text, own = line(4, _NOTHING, event="chain", because=["cut"], bound=[{"seq": 3, "hash": hashes[2]}])
    (tmp_path / "trail-000000000004.jsonl").write_text(text)
    head(tmp_path, 1, 4, own)
    assert kinds(found(tmp_path)) == ["OTHER"]
    (tmp_path / "trail-000000000001.jsonl").unlink()
    written(tmp_path, 2)
    head(tmp_path, 1, 4, own)
    report = found(tmp_path)
    assert kinds(report) == ["OTHER", "EDITED"]
    assert "the lines before this chain are not those that it found: look at line 3" in report.problems[1]


def anchor(file: Path, seq: int, own: str, before: str = "") -> None:
    mac = hmac.new(_KEY, f"anchor {seq} {own}".encode(), "sha256").hexdigest()
    said = {"event": "anchor", "time": "2026-11-26T00:00:00.000Z", "seq": seq, "hash": own, "mac": mac}
    with file.open("a") as out:
        out.write(before + json.dumps(said, separators=(",", ":")) + "\n")


def anchored(folder: Path, file: Path) -> trail.Report:
    return trail.verify(trail.files([folder]), folder / "trail.head", _KEY, file)


def test_an_anchor_shows_an_older_copy_of_all_files_and_the_head(tmp_path: Path) -> None:
    anchors = tmp_path / "anchors"
    hashes = written(tmp_path, 3, 3)
    anchor(anchors, 4, hashes[3])
    anchor(anchors, 6, hashes[5], before="<109>1 2026-11-26T00:00:00Z host sextant 1 anchor - ")
    assert anchored(tmp_path, anchors).status == 0
    (tmp_path / "trail-000000000004.jsonl").unlink()
    head(tmp_path, 1, 3, hashes[2])
    assert found(tmp_path).status == 0
    report = anchored(tmp_path, anchors)
    assert report.status == 4
    assert report.problems[0] == (
        "line 4, which was there at 2026-11-26T00:00:00.000Z, is missing; the files end with line 3"
    )
    with (tmp_path / "trail-000000000001.jsonl").open("a") as file:
        text, own = line(4, hashes[2], event="change", user="mallory")
        file.write(text)
    head(tmp_path, 1, 4, own)
    assert anchored(tmp_path, anchors).problems[0].startswith("line 4 is not the one that was there at")


def test_an_anchor_of_another_key_and_a_file_without_any_are_said(tmp_path: Path) -> None:
    hashes = written(tmp_path, 3)
    empty = tmp_path / "empty"
    empty.write_text("")
    assert anchored(tmp_path, empty).problems == ["empty: there is no anchor in it"]
    anchors = tmp_path / "anchors"
    anchor(anchors, 2, hashes[1])
    anchors.write_text(anchors.read_text().replace('"seq":2', '"seq":3'))
    assert anchored(tmp_path, anchors).problems[0] == "anchors, line 1: the anchor was not made with this key"
