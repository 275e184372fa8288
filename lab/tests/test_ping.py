# SPDX-License-Identifier: Apache-2.0
"""The definition of an outage: the longest time without an answer, beyond the interval of the pings."""

import time

import pytest
from sextantlab.ping import Pinger


def pinger(*replies: tuple[float, int]) -> Pinger:
    return Pinger("nowhere", "::1", 0.01, list(replies))


def test_the_longest_gap_counts() -> None:
    now = time.time()
    replies = [(now - 1 + n / 100, n) for n in range(20)] + [(now - 0.5 + n / 100, 20 + n) for n in range(51)]
    assert pinger(*replies).outage_millis(now - 1) == pytest.approx(300, abs=5)


def test_no_answer_until_now_is_an_outage_until_now() -> None:
    now = time.time()
    assert pinger((now - 2, 1)).outage_millis(now - 1) == pytest.approx(990, abs=20)


def test_lost_counts_requests_between_answers() -> None:
    assert pinger((1.0, 1), (1.1, 2), (1.5, 6)).lost() == 3
    assert pinger().lost() == 0
