# SPDX-License-Identifier: Apache-2.0
"""Nodes that differ from the topology file: named with the reason, while the rest of the network works."""

import json
from collections.abc import Iterator

import pytest
from described import checked
from sextantlab import build
from sextantlab.controller import Controller
from sextantlab.instance import Instance
from sextantlab.lab import Lab
from sextantlab.processes import until
from story import Json, Story, example

_PATIENCE_SECONDS = 30


@pytest.fixture(scope="module")
def story() -> Iterator[Story]:
    """p6 is said to be a P4 switch and is a Linux node; v8 is said to have a host at a port that its agent lacks."""
    build.controller()
    build.agent()
    with Lab("fig4", Instance.free()) as lab:
        description = json.loads(lab.network_file.read_text())
        lab.network_file.write_text(json.dumps(_misfitting(description)))
        controller = Controller(lab)
        try:
            controller.install()
            controller.start()
            controller.await_answer()
            with checked(controller.rest()) as described:
                yield Story(lab, controller, described)
        finally:
            controller.stop()


def _misfitting(description: Json) -> Json:
    description["devices"]["device:p6"]["basic"]["pipeconf"] = "org.sextant.bmv2"
    description["ports"]["device:v8/9"] = {
        "interfaces": [{"name": "v8-h99", "mac": "02:00:00:00:09:09", "ips": ["fd00:0:99::1/64"]}]
    }
    description["hosts"]["02:00:00:00:00:63/None"] = {
        "basic": {"name": "h99", "ips": ["fd00:0:99::2"], "locations": ["device:v8/9"]}
    }
    return description


def test_a_pipeline_that_is_not_the_nodes_is_the_nodes_own_words(story: Story) -> None:
    def p6() -> Json:
        return next(node for node in story.rest.get("/srv6/nodes") if node["name"] == "p6")

    assert until(lambda: "P4Info" in p6().get("reason", ""), _PATIENCE_SECONDS), p6()
    assert p6()["state"] != "SYNCED"


def test_a_port_that_a_node_lacks_is_the_reason_of_the_entries_that_need_it(story: Story) -> None:
    def refused() -> list[Json]:
        return [entry for entry in story.rest.get("/srv6/entries?node=v8") if entry["state"] != "INSTALLED"]

    assert until(lambda: any("port 9" in entry.get("reason", "") for entry in refused()), _PATIENCE_SECONDS), refused()


def test_the_rest_of_the_network_works(story: Story) -> None:
    around = {**example("paper"), "nodes": ["l1", "l2", "l3"]}
    assert story.install(around)["state"] == "INSTALLED"
    assert story.reaches("h11", "h31")
