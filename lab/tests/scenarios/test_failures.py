# SPDX-License-Identifier: Apache-2.0
"""Failures, and their effect on traffic."""

import json
import os
import re
import signal
import subprocess
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from sextantlab import netns, processes
from sextantlab.demo import LOOSE
from sextantlab.paths import ROOT
from sextantlab.ping import ping
from sextantlab.processes import until
from story import Story, example

_PATIENCE_SECONDS = 60


def test_a_loose_policy_finds_another_way_when_a_link_fails(story: Story) -> None:
    for policy in LOOSE:
        story.install(policy)
    assert story.reaches("h12", "h33")
    before = story.via(LOOSE[0])
    assert before[:4] == ["l1", "l2", "p7", "v8"]
    with story.pinging("h12", "h33") as pings:
        assert pings.await_replies(10, 10)
        cut = time.time()
        story.lab.set_link("p7", "v8", up=False)
        try:
            assert until(lambda: story.via(LOOSE[0])[:5] == ["l1", "l2", "p7", "p6", "v8"], _PATIENCE_SECONDS)
            assert pings.await_replies(100, _PATIENCE_SECONDS)
            assert pings.outage_millis(cut) < 10_000
        finally:
            story.lab.set_link("p7", "v8", up=True)
        assert until(lambda: story.via(LOOSE[0]) == before, _PATIENCE_SECONDS)
        assert pings.await_replies(50, _PATIENCE_SECONDS)


def test_a_strict_policy_says_which_link_it_lacks_and_comes_back(story: Story) -> None:
    stored = story.install(example("paper"))
    assert story.reaches("h11", "h31")
    story.lab.set_link("v5", "v4", up=False)
    try:
        assert until(lambda: story.state(stored["id"]) != "INSTALLED" or _rerouted(story), _PATIENCE_SECONDS)
    finally:
        story.lab.set_link("v5", "v4", up=True)
    assert story.await_state(stored["id"], "INSTALLED")
    assert story.reaches("h11", "h31")
    assert until(lambda: _as_planned(story, stored), _PATIENCE_SECONDS)


def _as_planned(story: Story, stored: dict[str, Any]) -> bool:
    """The first packets after the link is back may still take the repair of the node beside it."""
    try:
        story.check_walks(stored, "h11", "h31")
    except AssertionError:
        return False
    return True


def _rerouted(story: Story) -> bool:
    """The paper's form names nodes, not links: another way between two of them is as good."""
    return story.via(example("paper")) != example("paper")["nodes"] and ping(
        story.namespace("h11"), story.address("h31"), count=1
    )


@pytest.mark.slow
def test_kill_9_of_the_controller_loses_no_policy_and_stops_no_traffic(story: Story) -> None:
    stored = [story.install(example(name)) for name in ("paper", "numbering")]
    assert story.reaches("h11", "h31")
    with story.pinging("h11", "h31") as pings:
        assert pings.await_replies(10, 10)
        story.controller.kill()
        assert pings.await_replies(100, 10)
        story.controller.start()
        story.controller.await_ready()
        assert pings.await_replies(100, 10)
        assert pings.lost() == 0
    after = {policy["id"]: policy for policy in story.rest.get("/srv6/policies")}
    assert set(after) == {policy["id"] for policy in stored}
    for policy in stored:
        assert after[policy["id"]]["policy"] == policy["policy"]
        assert story.await_state(policy["id"], "INSTALLED")
    story.check_walks(stored[0], "h11", "h31")


def test_an_agent_that_is_killed_and_started_again_stops_no_traffic(story: Story) -> None:
    stored = story.install(example("paper"))
    assert story.reaches("h11", "h31")
    with story.pinging("h11", "h31") as pings:
        assert pings.await_replies(10, 10)
        processes.kill(story.lab.agent("p6"))
        assert until(lambda: story.node_state("p6") == "LOST", _PATIENCE_SECONDS)
        story.lab.start_agent("p6")
        assert until(lambda: story.node_state("p6") == "SYNCED", _PATIENCE_SECONDS)
        assert pings.await_replies(100, 10)
        assert pings.lost() == 0
    assert story.await_state(stored["id"], "INSTALLED")


def test_an_audit_repairs_a_route_that_somebody_deleted(story: Story) -> None:
    story.install(example("paper"))
    assert story.reaches("h11", "h31")
    netns.ip("-6", "route", "del", "fcbb:bbbb:700::/48", namespace=story.namespace("p7"))
    report = story.rest.post("/srv6/audit", {})
    drift = report["drift"]
    assert [one["node"] for one in drift if one["table"] == "my_sid"] in (["p7"], [])
    assert story.reaches("h11", "h31")
    assert ping(story.namespace("h11"), story.address("h31"), count=5)


def test_a_node_that_dies_between_the_first_and_the_last_entry(story: Story) -> None:
    """l3 accepts requests but answers none, then dies: whatever l1 got by then must not stay alone."""
    agent = story.lab.agent("l3")
    answers: list[object] = []
    os.kill(agent.pid, signal.SIGSTOP)
    posting = threading.Thread(target=lambda: answers.append(story.post(example("paper"))))
    posting.start()
    assert until(lambda: _policies(story) == ["paper"], _PATIENCE_SECONDS)
    processes.kill(agent)
    posting.join(_PATIENCE_SECONDS)
    assert answers
    assert story.state("paper") in ("PENDING", "DEGRADED")
    wanting = story.rest.get("/srv6/policies/paper")["troubles"]
    assert "l3" in {trouble["node"] for trouble in wanting}
    story.lab.start_agent("l3")
    assert story.await_state("paper", "INSTALLED")
    assert story.reaches("h11", "h31")


def _policies(story: Story) -> list[str]:
    return [policy["id"] for policy in story.rest.get("/srv6/policies")]


@pytest.mark.slow
def test_what_was_deleted_while_its_headend_was_away_feeds_no_other_policy(story: Story) -> None:
    """l1 stops answering; its policy is deleted, the controller dies and starts again, another policy enters at l1."""
    steering = {"headend": "l1", "hops": ["l2", "l3"], "steering": ["2001:db8:77::/64"], "name": "before"}
    story.install(steering)
    agent = story.lab.agent("l1")
    os.kill(agent.pid, signal.SIGSTOP)
    try:
        answer = story.rest.call("DELETE", "/srv6/policies/before")
        assert answer.status == 202, answer.body
        assert answer.body["state"] == "REMOVING"
        assert {trouble["node"] for trouble in answer.body["troubles"]} == {"l1"}
        story.controller.kill()
        recording = _record(story)
        story.controller.start()
        story.controller.await_answer()
        assert story.state("before") == "REMOVING"
        other = {"headend": "l1", "hops": ["l2"], "steering": ["2001:db8:88::/64"], "name": "after"}
        assert story.post(other).status == 202
    finally:
        os.kill(agent.pid, signal.SIGCONT)
    seen = []

    def gone() -> bool:
        routes = netns.ip("-6", "route", "show", "2001:db8:77::/64", namespace=story.namespace("l1"))
        if routes:
            seen.append(routes)
        return not routes

    assert until(gone, _PATIENCE_SECONDS)
    assert all("fcbb:bbbb:200:300:f00d::" in routes for routes in seen), seen
    assert story.await_state("after", "INSTALLED")
    assert "before" not in _policies(story)
    assert until(lambda: _replay(recording)["intents"]["policy"] == {"INSTALLED": 1}, _PATIENCE_SECONDS)


def _record(story: Story) -> Path:
    """Has the engine recorded when the controller starts, as docs/reference/recording.md says."""
    settings = story.controller.data / "etc" / "org.sextant.cfg"
    recording = story.lab.directory / "recording.jsonl"
    settings.write_text(re.sub(r"(?m)^recording =.*$", f"recording = {recording}", settings.read_text()))
    return recording


def _replay(recording: Path) -> Any:
    done = subprocess.run(
        [ROOT / "sextant", "replay", "--json", recording], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return json.loads(done.stdout)


def test_a_policy_over_a_dead_node_is_not_half_installed(story: Story) -> None:
    """The direction that needs l3 as headend cannot be; when l3 is back, both are."""
    processes.kill(story.lab.agent("l3"))
    try:
        assert until(lambda: story.node_state("l3") == "LOST", _PATIENCE_SECONDS)
        answer = story.post(example("paper"))
        assert answer.status in (202, 422), answer.body
    finally:
        story.lab.start_agent("l3")
    assert until(lambda: story.node_state("l3") == "SYNCED", _PATIENCE_SECONDS)
    if answer.status == 202:
        assert story.await_state("paper", "INSTALLED")
        assert story.reaches("h11", "h31")
    else:
        assert json.loads(json.dumps(story.rest.get("/srv6/policies"))) == []
