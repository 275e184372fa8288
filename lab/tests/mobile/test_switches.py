# SPDX-License-Identifier: Apache-2.0
"""A live slice whose gateways are bmv2 switches between Linux nodes: the same intents, the P4 program."""

from collections.abc import Iterator

import pytest
from sextantlab import bmv2
from sextantlab.ping import Pinger
from sextantlab.protocols.gtpu import Gtpu
from sextantlab.radio import Radio, Tunnel
from slices import Mobile, network

_UE, _UPF = "10.60.0.1", "198.51.100.1"
_REPLIES = 50

pytestmark = pytest.mark.skipif(bool(bmv2.missing()), reason=bmv2.missing())


@pytest.fixture(scope="module")
def switched() -> Iterator[Mobile]:
    with network(p4=["g1", "u1"]) as one:
        yield one


@pytest.mark.parametrize("hops", [[], ["b1", "b2"]], ids=["traditional", "enhanced"])
def test_a_ue_pings_the_data_network_through_switches(switched: Mobile, hops: list[str]) -> None:
    """GTP-U becomes SRv6 at one switch and ends at the other; the answer's tunnel is made the other way round."""
    switched.slice({
        "name": "embb", "access": {"gateway": "g1", "gnbs": ["192.0.2.0/24"]}, "core": {"anchor": "u1", "upfs": [_UPF]},
        "default": True, **({"mode": "enhanced", "uplink": {"hops": hops}} if hops else {}),
    })  # fmt: skip
    switched.sessions("embb", [{
        "id": "imsi-001-1", "ue": [f"{_UE}/32"], "qfi": 9, "uplink": {"endpoint": _UPF, "teid": 0x1001},
        "downlink": {"endpoint": "192.0.2.1", "teid": 0x2001},
    }])  # fmt: skip
    lab = switched.lab
    with Radio({"gnb1": (lab.namespace("gnb1"), "192.0.2.1")}) as radio:
        ue = radio.attach("gnb1", _UE, Tunnel(_UPF, 0x1001), 0x2001)
        with Pinger(ue.namespace, lab.network.host("dn").address(4), source=ue.address) as pinger:
            assert pinger.await_replies(_REPLIES, 20)
    assert ue.heard == Gtpu(255, 0x2001, None, 0, 9, False)
    counted = switched.rest.get("/srv6/slices/embb/sessions/imsi-001-1")["counters"]
    assert counted["downlink"]["packets"] >= _REPLIES
    switched.clear()
