# SPDX-License-Identifier: Apache-2.0
"""Whether a trail is as it was written is found out without the controller that wrote it."""

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
    assert found(tmp_path, None).notes == ["trail.head is believed: without --key nobody knows who wrote it"]


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
