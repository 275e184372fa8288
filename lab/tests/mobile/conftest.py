# SPDX-License-Identifier: Apache-2.0
"""Figure 4 of the mobile paper under a controller, shared by all of these tests."""

from collections.abc import Iterator

import pytest
from slices import Mobile, network


@pytest.fixture(scope="session")
def running() -> Iterator[Mobile]:
    with network() as one:
        yield one


@pytest.fixture
def mobile(running: Mobile) -> Iterator[Mobile]:
    yield running
    running.clear()
