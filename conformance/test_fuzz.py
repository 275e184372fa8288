# SPDX-License-Identifier: Apache-2.0
"""Thousands of packets, valid and mutated, through a node and through the model of the RFCs (model/): what leaves
is the same to the byte, but for the deviations that docs/reference/conformance.md lists.

The seeds are fixed, so that a run can be repeated; `--seed N` and `--packets N` try others. A packet that makes a
difference is printed with both results: mend it, or give it a name in model/deviations.py and a case in
test_deviations.py.
"""

from itertools import islice

import pytest
from model.deviations import DEVIATIONS
from model.differential import differences
from model.node import ReferenceNode
from model.wild import Wild
from nodes.bench import Bench

_SHOWN = 10


def test_packets_leave_as_the_rfcs_say(modelled: Bench, seed: int, request: pytest.FixtureRequest) -> None:
    """RFC 8200, 8754, 8986, 9800."""
    model = ReferenceNode(modelled.rows, modelled.target.ports, DEVIATIONS[modelled.target.name])
    count = request.config.getoption("--packets")
    found = list(islice(differences(modelled, model, Wild(modelled, seed).frames(count)), _SHOWN))
    if found:
        shown = "\n\n".join(map(str, found))
        most = f"{len(found)} or more" if len(found) == _SHOWN else str(len(found))
        pytest.fail(f"{most} of {count} packets differ (seed {seed}):\n{shown}", pytrace=False)
