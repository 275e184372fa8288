# SPDX-License-Identifier: Apache-2.0
"""The demo's two acts, on the network of these stories."""

import json

import pytest
from sextantlab import demo
from story import Story


def test_the_paper_is_on_the_wire_as_planned(story: Story, capsys: pytest.CaptureFixture[str]) -> None:
    result = demo.paper(story.lab, story.rest)
    assert result["ok"], result
    assert [len(direction["nodes"]) for direction in result["directions"]] == [7, 7]
    assert json.loads(json.dumps(result)) == result
    assert capsys.readouterr().out.count(" ok") == 14


def test_a_link_fails_and_is_repaired(story: Story, capsys: pytest.CaptureFixture[str]) -> None:
    result = demo.failure(story.lab, story.rest)
    assert result["ok"], result
    assert result["link"] == "p7-v8"
    assert result["after"] != result["before"]
    assert f"{result['cutOutageMillis']:.0f} ms" in capsys.readouterr().out
