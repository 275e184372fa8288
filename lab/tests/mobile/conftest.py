# SPDX-License-Identifier: Apache-2.0
"""Figure 4 of the mobile paper, shared by all of these tests."""

from collections.abc import Iterator

import pytest
from sextantlab import build
from sextantlab.lab import Instance, Lab
from slice_rows import Rows, rows


@pytest.fixture(scope="session")
def running() -> Iterator[Rows]:
    build.agent()
    with Lab("slices", Instance.free()) as lab, rows(lab) as network:
        yield network


@pytest.fixture
def mobile(running: Rows) -> Iterator[Rows]:
    yield running
    running.clear()
