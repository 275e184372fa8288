# SPDX-License-Identifier: Apache-2.0
"""An agent under any flood: it takes no more memory than it has for it, answers other clients meanwhile, and traffic
that loses its link there is on another path within a second.
"""

import time
from collections.abc import Iterator

import grpc
import pytest
from p4.v1 import p4runtime_pb2, p4runtime_pb2_grpc
from sextantlab.channels import channel
from sextantlab.flood import Flood, Usage, flood_words
from sextantlab.ping import Pinger
from sextantlab.processes import until
from sextantlab.tls import Folder
from story import Story

_PATIENCE_SECONDS = 30
_MIB = 1 << 20
# More than before the attack; of its own an agent takes about 60 MiB.
_MORE_BYTES = 320 * _MIB
_ANSWER_SECONDS = 2
_OUTAGE_MILLIS = 1000
# Where it takes long without a flood, the machine has other things to do: a flood may make it so many times as long.
_SLOWER = 4

_ATTACKED = "p7"
# The answer that the attack must get at least once, some of them beside calls that are cut off without one.
ATTACKS = {
    "any-steps": "ResourceExhausted or OK",  # each in its turn, if it comes before the attack ends
    "wildcards": "ResourceExhausted",
    "deep-paths": "InvalidArgument",
    "samplers": "ResourceExhausted",
    "deaf-subscribers": "ResourceExhausted",
    "large-messages": "ResourceExhausted",
    "unfinished-messages": "Unknown",
    "streams": "ResourceExhausted",
    "connections": "Unknown",
    "silent-connections": "Unknown",
    "writes": "PermissionDenied",
    "reads": "OK",
    "deaf-readers": "ResourceExhausted",
    "garbage": "Internal",
    "elections": "NotFound",
    "deaf-backups": "ResourceExhausted",
}

# There by way of the attacked node and the link behind it, back another way.
_POLICIES = [
    {"name": "there", "headend": "l1", "steering": ["h52"], "family": "ipv6",
     "hops": [{"node": "p7", "loose": True}, {"node": "v5", "loose": True}]},
    {"name": "back", "headend": "v5", "steering": ["h12"], "family": "ipv6",
     "hops": [{"node": "l3", "loose": True}, {"node": "l1", "loose": True}]},
]  # fmt: skip


@pytest.fixture(scope="module")
def attacked(running: Story) -> Iterator[Story]:
    for policy in _POLICIES:
        running.install(policy)
    assert running.via(_POLICIES[0])[2:4] == ["p7", "p6"]
    yield running
    running.clear()


@pytest.fixture(scope="module")
def calm(attacked: Story) -> tuple[float, float]:
    """Without a flood: milliseconds without answers when the link is cut, seconds until a new client is answered."""
    node = attacked.lab.network.node(_ATTACKED)
    with attacked.pinging("h12", "h52") as pings:
        assert attacked.reaches("h12", "h52")
        assert pings.await_replies(10, _PATIENCE_SECONDS)
        return _outage_millis(attacked, pings), _answer_seconds(f"{node.host}:{node.port}", attacked.lab.tls)


@pytest.mark.parametrize("attack", ATTACKS)
def test_a_flood_stops_nobody_else(attacked: Story, calm: tuple[float, float], attack: str) -> None:
    node = attacked.lab.network.node(_ATTACKED)
    address = f"{node.host}:{node.port}"
    usage = Usage(attacked.lab.agent(_ATTACKED))
    assert _led_there(attacked)
    files, resident = usage.files(), usage.resident_bytes()
    usage.forget_peak()
    with attacked.pinging("h12", "h52") as pings:
        assert pings.await_replies(10, _PATIENCE_SECONDS)
        with Flood(attack, address, node.p4runtime_id, *flood_words(attacked.lab.tls, node.host)) as flood:
            slowest = max(_answer_seconds(address, attacked.lab.tls) for _ in range(3))
            limit = max(_OUTAGE_MILLIS, _SLOWER * calm[0])
            outage = _outage_millis(attacked, pings)
            if outage >= limit:  # once may be the machine, which has other things to do
                print(f"{attack}: {outage:.0f} ms without answers, again")
                assert _led_there(attacked)
                outage = _outage_millis(attacked, pings)
            peak = usage.peak_bytes()
    print(
        f"{attack}: {dict(flood.answers)}, {(peak - resident) / _MIB:.0f} MiB more, "
        f"{outage:.0f} ms without answers ({calm[0]:.0f} ms without a flood), "
        f"others answered within {slowest * 1000:.0f} ms ({calm[1] * 1000:.0f} ms)"
    )
    assert any(flood.answers[status] for status in ATTACKS[attack].split(" or ")), flood.answers
    assert peak - resident < _MORE_BYTES
    assert slowest < max(_ANSWER_SECONDS, _SLOWER * calm[1])
    assert outage < limit
    assert until(lambda: usage.files() <= files + 4, _PATIENCE_SECONDS), usage.files()


def _led_there(story: Story) -> bool:
    """Waits until all is in step and the pings go by the attacked node and the link behind it."""
    return until(lambda: story.whole() and story.via(_POLICIES[0])[2:4] == ["p7", "p6"], _PATIENCE_SECONDS)


def _outage_millis(story: Story, pings: Pinger) -> float:
    """How long there are no answers when the attacked node loses the link that the pings use."""
    cut = time.time()
    story.lab.set_link(_ATTACKED, "p6", up=False)
    try:
        assert pings.await_replies(50, _PATIENCE_SECONDS)
        return pings.outage_millis(cut)
    finally:
        story.lab.set_link(_ATTACKED, "p6", up=True)


def _answer_seconds(address: str, tls: Folder | None) -> float:
    """How long a client that connects now waits for an answer."""
    start = time.monotonic()

    def answered() -> bool:
        with channel(address, tls) as opened:
            stub = p4runtime_pb2_grpc.P4RuntimeStub(opened)
            try:
                stub.Capabilities(p4runtime_pb2.CapabilitiesRequest(), timeout=_PATIENCE_SECONDS, wait_for_ready=True)
            except grpc.RpcError:
                return False
            return True

    assert until(answered, _PATIENCE_SECONDS)
    return time.monotonic() - start
