# SPDX-License-Identifier: Apache-2.0
"""Figure 4 with measured delays (docs/reference/link-delay.md): the topology file has a wrong delay for the link from
l2 to l3.
"""

import json
from collections.abc import Iterator

import pytest
from described import checked
from sextantlab import build
from sextantlab.controller import Controller
from sextantlab.impaired import ImpairedLab
from sextantlab.instance import Instance
from sextantlab.paths import LAB
from sextantlab.processes import until
from sextantlab.relay import Impairment
from story import Json, Story

# Described as 8 ms over l2 and l3, and 5 ms over the nodes between.
_SHORT = ["l1", "l2", "l3"]
_WRONG = [("l2", "l3"), ("l3", "v4")]
_QUICK, _TEN_MILLIS = Impairment(0, 0, 1), Impairment(10, 0, 2)
# Three windows of 10 s, and the delays of a busy machine.
_PATIENCE_SECONDS = 180
_POLICY = {
    "name": "quickest", "headend": "l1", "endpoint": "l3", "steering": ["h31"], "family": "ipv6",
    "candidatePaths": [{"preference": 100, "dynamic": {"metric": "delay"}}],
}  # fmt: skip

_BACK = {
    "name": "back", "from": "h31", "to": "h11", "nodes": ["l3", "l2", "l1"], "symmetry": "one-way", "family": "ipv6",
}  # fmt: skip


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Story]:
    build.controller()
    build.agent()
    description = json.loads((LAB / "fig4.json").read_text())
    description["measuredDelay"] = True
    file = tmp_path_factory.mktemp("measured") / "measured.json"
    file.write_text(json.dumps(description))
    lab = ImpairedLab(str(file), {("l2", "l3"): _QUICK, ("l3", "v4"): _TEN_MILLIS}, Instance.free())
    with lab, Controller(lab) as controller, checked(controller.rest()) as described:
        yield Story(lab, controller, described)


def _way(story: Story, stored: Json) -> list[str]:
    """The nodes that the policy's packets pass, as it is installed."""
    hops = story.plan(stored)["directions"][0]["hops"]
    return list(dict.fromkeys(hop["node"] for hop in hops))


def _link(story: Story, one: str, other: str) -> Json:
    links: list[Json] = story.rest.get("/srv6/topology")["links"]
    return next(link for link in links if (link["from"]["node"], link["to"]["node"]) == (one, other))


def _measured(story: Story, one: str, other: str) -> int:
    """Microseconds; 0 while the link is not measured."""
    return int(_link(story, one, other).get("measuredDelayMicros", 0))


@pytest.mark.slow
def test_a_policy_goes_by_the_delay_that_is_measured(story: Story) -> None:
    story.install(_BACK)
    stored = story.install(_POLICY)

    # Either of the two links that are described wrongly takes the policy there, and one is measured before the other.
    assert until(
        lambda: _way(story, stored) == _SHORT and min(_measured(story, *ends) for ends in _WRONG) > 0,
        _PATIENCE_SECONDS,
    ), story.rest.get("/srv6/topology")["links"]
    assert _link(story, "l2", "l3")["delayMicros"] == 8000, "the described one is shown still"
    assert _measured(story, "l2", "l3") < 8000
    assert _measured(story, "l3", "v4") >= 10_000
    assert story.reaches("h11", "h31")
