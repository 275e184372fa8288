# SPDX-License-Identifier: Apache-2.0
"""The results of failover.py for a stream: packets lost, and an outage by when they were sent."""

import pytest
from failover import Loss, Stamped, loss

_SENT = [Stamped(number, 1_000_000_000 + number * 500_000) for number in range(10)]


@pytest.mark.parametrize(
    ("lost", "expected"),
    [
        (set(), Loss(0, 0.0)),
        ({4}, Loss(1, 0.5)),
        ({4, 5, 6}, Loss(3, 1.5)),
        ({4, 6}, Loss(2, 1.5)),  # from the first to the last, whatever came between
        ({0}, Loss(1, 0.5)),
        ({8, 9}, Loss(2, 0.5)),  # nothing came afterwards: up to the last one sent
        (set(range(10)), Loss(10, 4.5)),
    ],
    ids=str,
)
def test_an_outage_is_from_the_first_packet_lost_to_the_first_that_arrives_again(
    lost: set[int], expected: Loss
) -> None:
    assert loss(_SENT, set(range(10)) - lost) == expected


def test_nothing_sent_is_nothing_lost() -> None:
    assert loss([], set()) == Loss(0, 0.0)
