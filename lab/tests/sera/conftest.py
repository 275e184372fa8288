# SPDX-License-Identifier: Apache-2.0
"""The chain of lab/sera.json under a controller, shared by all of these tests."""

from collections.abc import Iterator

import pytest
from fabric import Fabric, network


@pytest.fixture(scope="session")
def running() -> Iterator[Fabric]:
    with network() as one:
        yield one


@pytest.fixture
def fabric(running: Fabric) -> Iterator[Fabric]:
    yield running
    running.clear()
