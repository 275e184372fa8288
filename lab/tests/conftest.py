# SPDX-License-Identifier: Apache-2.0
"""Fixtures of the lab's tests. They use instances of their own, so that a lab that is up is not in the way."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from sextantlab import build
from sextantlab.lab import Instance, Lab
from small import SMALL
from story import Story


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Lab]:
    """A lab of two nodes and a host that is not up yet, and is down afterwards."""
    build.agent()
    file = tmp_path / "small.json"
    file.write_text(json.dumps(SMALL))
    lab = Lab(str(file), Instance.free())
    lab.down()
    yield lab
    lab.down()


@pytest.fixture
def story(running: Story) -> Iterator[Story]:
    """The network of a module or folder, which `running` makes; afterwards without the test's policies."""
    yield running
    running.clear()
