# SPDX-License-Identifier: Apache-2.0
"""Figure 4 with eight real agents and the real controller, shared by all stories; each story removes its policies."""

from collections.abc import Iterator

import pytest
from story import Story, network


@pytest.fixture(scope="session")
def running() -> Iterator[Story]:
    with network() as story:
        yield story
