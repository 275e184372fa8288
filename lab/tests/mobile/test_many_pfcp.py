# SPDX-License-Identifier: Apache-2.0
"""Many PFCP sessions at once, through sextant-n4, the controller and the agents, and packets of one of them."""

import contextlib
import ipaddress
from functools import partial
from pathlib import Path

from sextantlab import build, n4, netns
from sextantlab.ping import Pinger
from sextantlab.radio import Radio, Tunnel
from sextantlab.smf import Smf, Subscriber
from slices import Mobile

_UPF, _GNB = "198.51.100.1", "192.0.2.1"
_SESSIONS = 2000
_UES = ipaddress.IPv4Address("10.60.0.0")


def test_two_thousand_sessions_are_served_in_batches(mobile: Mobile, tmp_path: Path) -> None:
    """None is refused and none answered late: a request that was sent more than once had waited for three seconds."""
    mobile.slice({
        "name": "mbb", "access": {"gateway": "g1", "gnbs": ["192.0.2.0/24"]}, "core": {"anchor": "u1", "upfs": [_UPF]},
        "default": True,
    })  # fmt: skip
    build.n4()
    subscribers = [Subscriber(n, str(_UES + n), _UPF, _GNB) for n in range(1, _SESSIONS + 1)]
    namespace, lab = mobile.lab.namespace("upf"), mobile.lab
    words = ["--netns", namespace, "--listen", "127.0.0.1:8805", *n4.controller_words(mobile.controller)]
    with (
        n4.running(tmp_path / "n4", words) as process,
        contextlib.closing(netns.inside(namespace, partial(Smf.opened, "127.0.0.2", "127.0.0.1"))) as wire,
    ):
        smf = Smf(wire)
        smf.associate()
        assert len(smf.establish(subscribers).waits) == _SESSIONS
        assert len(smf.modify(subscribers).waits) == _SESSIONS
        assert process.status()["slices"] == [{"name": "mbb", "sessions": _SESSIONS}]
        last = subscribers[-1]
        with Radio({"gnb1": (lab.namespace("gnb1"), _GNB)}) as radio:
            ue = radio.attach("gnb1", last.ue, Tunnel(_UPF, last.number), last.number)
            with Pinger(ue.namespace, lab.network.host("dn").address(4), source=ue.address) as pinger:
                assert pinger.await_replies(10, 10)
        smf.delete(subscribers)
        assert mobile.rest.get("/srv6/slices/mbb/sessions") == []
