# SPDX-License-Identifier: Apache-2.0
"""Figure 4 of the mobile paper under a controller, shared by all of these tests."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from sextantlab import peers
from sextantlab.errors import UserError
from slices import Mobile, network


@pytest.fixture(scope="session")
def running() -> Iterator[Mobile]:
    with network() as one:
        yield one


@pytest.fixture
def mobile(running: Mobile) -> Iterator[Mobile]:
    yield running
    running.clear()


@pytest.fixture(scope="session")
def smf_of_others() -> None:
    _needs("pfcpsim", peers.pfcpsim)


@pytest.fixture(scope="session")
def upf_of_others() -> None:
    _needs("eUPF", peers.eupf)


def _needs(what: str, built: Callable[[], Path]) -> None:
    try:
        built()
    except UserError as error:
        pytest.skip(f"needs {what} from a Go module proxy (GOPROXY): {error}")
