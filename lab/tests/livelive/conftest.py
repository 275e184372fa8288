# SPDX-License-Identifier: Apache-2.0
"""The Live-Live paper's network with six paths, real agents and the real controller, shared by all stories."""

from collections.abc import Iterator

import pytest
from described import checked
from flows import Flows
from sextantlab import build
from sextantlab.controller import Controller
from sextantlab.instance import Instance
from sextantlab.lab import Lab


@pytest.fixture(scope="session")
def built() -> None:
    build.controller()
    build.agent()


@pytest.fixture(scope="session")
def running(built: None) -> Iterator[Flows]:
    lab = Lab("livelive", Instance.free())
    with lab, Controller(lab) as controller, checked(controller.rest()):
        yield Flows(lab, controller)


@pytest.fixture
def flows(running: Flows) -> Iterator[Flows]:
    yield running
    running.clear()
