# SPDX-License-Identifier: Apache-2.0
"""Thousands of packets, valid and mutated, through a node and through the model of the RFCs (model/): the outputs are
the same to the byte, but for the deviations that docs/reference/conformance.md lists.

The seeds are fixed, so that a run can be repeated; `--seed N` and `--packets N` try others. A packet that makes a
difference is printed with both results: mend it, or give it a name in model/deviations.py and a case in
test_deviations.py.
"""

from itertools import islice

import pytest
from model.deviations import DEVIATIONS
from model.differential import differences
from model.node import ReferenceNode
from model.wild import FIREWALLS, Wild, guard
from nodes.bench import Bench

_SHOWN = 10


def test_packets_leave_as_the_rfcs_say(modelled: Bench, seed: int, request: pytest.FixtureRequest) -> None:
    """RFC 8200, 8754, 8986, 9800."""
    _compare(modelled, Wild(modelled, seed), request.config.getoption("--packets"), seed)


def test_packets_are_judged_as_their_rules_say(modelled: Bench, seed: int, request: pytest.FixtureRequest) -> None:
    """SERA, among all the SIDs above."""
    if not modelled.client.offers("sera"):
        pytest.skip(f"{modelled.target.name}: its P4Info has no sera")
    guard(modelled)
    _compare(modelled, Wild(modelled, seed, FIREWALLS), request.config.getoption("--packets"), seed)


def _compare(bench: Bench, wild: Wild, count: int, seed: int) -> None:
    model = ReferenceNode(bench.rows, bench.target.ports, DEVIATIONS[bench.target.name])
    found = list(islice(differences(bench, model, wild.frames(count)), _SHOWN))
    if found:
        shown = "\n\n".join(map(str, found))
        most = f"{len(found)} or more" if len(found) == _SHOWN else str(len(found))
        pytest.fail(f"{most} of {count} packets differ (seed {seed}):\n{shown}", pytrace=False)
