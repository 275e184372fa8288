# SPDX-License-Identifier: Apache-2.0
"""Which data planes the packet tests run on: one skip for each that this machine has not, not one per case."""

import pytest
from nodes.target import TARGETS, missing


@pytest.mark.parametrize("name", sorted(TARGETS))
def test_the_packet_tests_run_on(request: pytest.FixtureRequest, name: str) -> None:
    if missing(name):
        pytest.skip(f"no packet test runs on {name}: {missing(name)}")
    run_on = {item.callspec.params.get("target") for item in request.session.items if hasattr(item, "callspec")}
    assert name in run_on
