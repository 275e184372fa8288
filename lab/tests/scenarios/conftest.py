# SPDX-License-Identifier: Apache-2.0
"""Figure 4 with eight real agents and the real controller, shared by all stories; each story removes its policies."""

from collections.abc import Iterator

import pytest
from sextantlab import build
from sextantlab.controller import Controller
from sextantlab.lab import Instance, Lab
from story import Story


@pytest.fixture(scope="session")
def running() -> Iterator[Story]:
    build.controller()
    build.agent()
    lab = Lab("fig4", Instance.free())
    with lab, Controller(lab) as controller:
        yield Story(lab, controller)


@pytest.fixture
def story(running: Story) -> Iterator[Story]:
    yield running
    running.clear()
