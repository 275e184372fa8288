# SPDX-License-Identifier: Apache-2.0
"""Every change is recorded with its user, by every interface; and no log contains a secret."""

import json
import os
import subprocess
from pathlib import Path
from typing import Any

from sextantlab import trail
from sextantlab.paths import ROOT
from sextantlab.processes import until
from sextantlab.rest import Rest
from story import Story, example

_WRONG = "correct-horse-battery"


def lines(story: Story, query: str = "") -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = story.rest.get(f"/srv6/audit?limit=1000{query}")
    return found


def told(line: dict[str, Any]) -> tuple[str, ...]:
    return tuple(str(line.get(name, "")) for name in ("event", "user", "by", "method", "resource", "outcome", "status"))


def test_every_door_leaves_a_line(story: Story) -> None:
    before = lines(story)[0]["seq"]
    stored = story.install(example("paper"))
    viewer = story.controller.rest("viewer")
    assert viewer.call("DELETE", f"/srv6/policies/{stored['id']}").status == 403
    assert story.rest.call("POST", "/srv6/policies", b"{}").status == 400
    env = {**os.environ, "SEXTANT_INSTANCE": str(story.lab.instance.number)}
    removal = [ROOT / "sextant", "cli", "srv6:policy-remove", stored["id"]]
    subprocess.run(removal, env=env, check=True, capture_output=True)
    assert Rest(story.controller.url, ("eve", _WRONG)).call("GET", "/srv6/nodes").status == 401
    assert until(lambda: lines(story)[0]["event"] == "login", 5)
    found = [line for line in reversed(lines(story)) if line["seq"] > before]
    assert [told(line) for line in found] == [
        ("change", "admin", "rest", "POST", "policies", "done", "201"),
        ("change", "viewer", "rest", "DELETE", f"policies/{stored['id']}", "denied", "403"),
        ("change", "admin", "rest", "POST", "policies", "refused", "400"),
        ("change", "admin", "shell", "srv6:policy-remove", "policies", "done", "0"),
        ("login", "eve", "rest", "", "", "denied", "401"),
    ]
    (added,), (removed,) = (found[place]["changes"]["items"] for place in (0, 3))
    assert added["intent"] == removed["intent"] == f"policy/{stored['id']}"
    assert "before" not in added
    assert "after" not in removed
    assert removed["before"] == added["after"]
    assert found[0]["from"] == "127.0.0.1"


def test_who_may_not_know_is_not_told(story: Story) -> None:
    assert story.controller.rest("viewer").call("GET", "/srv6/audit").status == 403


def test_filters_and_pages(story: Story) -> None:
    story.install(example("paper"))
    assert {line["user"] for line in lines(story, "&user=admin")} == {"admin"}
    assert {line["resource"].partition("/")[0] for line in lines(story, "&resource=policies&outcome=done")} == {
        "policies"
    }
    answer = story.rest.call("GET", "/srv6/audit?limit=1")
    assert f"after={answer.body[0]['seq']}" in answer.headers["Link"]
    assert story.rest.call("GET", "/srv6/audit?since=yesterday").status == 400


def files(story: Story) -> list[Path]:
    return trail.files([story.controller.data / "audit"])


def test_the_trail_that_the_controller_writes_is_whole_to_others(story: Story) -> None:
    story.install(example("paper"))
    folder = story.controller.data / "audit"
    key = trail.key_of(story.controller.data / "etc/sextant/audit.key")
    assert trail.verify(files(story), folder / "trail.head", key).problems == []


def test_no_log_tells_a_secret(story: Story) -> None:
    admin, viewer = story.controller.password("admin"), story.controller.password("viewer")
    story.install(example("paper"))
    Rest(story.controller.url, ("admin", _WRONG)).call("POST", "/srv6/policies", b"{}")
    Rest(story.controller.url, ("admin", admin)).call("GET", "/srv6/nodes")
    logs = [*story.lab.directory.glob("log/*"), *(story.controller.data / "log").glob("*"), *files(story)]
    assert len(logs) > 3
    for log in logs:
        text = log.read_text(errors="replace") if log.is_file() else ""
        for secret in (admin, viewer, _WRONG, "Authorization: ", "Basic "):
            assert secret not in text, f"{log.name} tells a secret"


def test_a_list_is_one_line(story: Story) -> None:
    second = {"from": "h13", "to": "h32", "nodes": ["l1", "l2", "l3"]}
    body = json.dumps([example("paper"), second, {"colour": "red"}]).encode()
    before = lines(story)[0]["seq"]
    assert story.rest.call("POST", "/srv6/policies", body).status == 207
    (line,) = [one for one in lines(story) if one["seq"] > before]
    assert (line["outcome"], line["changes"]["count"]) == ("partly", 2)
