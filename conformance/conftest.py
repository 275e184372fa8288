# SPDX-License-Identifier: Apache-2.0
"""The node under test, for every packet test; parametrized by kind of data plane."""

from collections.abc import Iterator

import pytest
from nodes.bench import Bench
from nodes.p4runtime import Client
from nodes.target import Target, linux_target
from nodes.wire import Wires

TARGETS = {"linux": linux_target}


@pytest.fixture(scope="session", params=sorted(TARGETS))
def target(request: pytest.FixtureRequest) -> Iterator[Target]:
    with TARGETS[request.param]() as node:
        yield node


@pytest.fixture(scope="session")
def client(target: Target) -> Iterator[Client]:
    with Client(target.address, target.device_id, target.p4info, election_id=10) as primary:
        primary.set_pipeline()
        yield primary


@pytest.fixture(scope="session")
def wires(target: Target) -> Iterator[Wires]:
    with Wires(
        target.wire_namespace,
        {number: port.far_interface for number, port in target.ports.items()},
    ) as far:
        yield far


@pytest.fixture
def empty(target: Target, client: Client, wires: Wires) -> Iterator[Bench]:
    """A node without entries."""
    bench = Bench(target, client, wires)
    yield bench
    bench.forget()


@pytest.fixture
def node(empty: Bench) -> Bench:
    """A node with neighbors and routes."""
    empty.underlay()
    return empty
