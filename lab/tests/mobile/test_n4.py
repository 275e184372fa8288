# SPDX-License-Identifier: Apache-2.0
"""sextant-n4 under a controller, when it dies: pfcpsim's sessions stay, and are its own again."""

from pathlib import Path

import pytest
from sextantlab import build, n4, peers, processes
from sextantlab.processes import until
from slices import Mobile

_UPF, _SESSIONS = "198.51.100.1", "/srv6/slices/mbb/sessions"


@pytest.mark.usefixtures("smf_of_others")
def test_a_killed_n4_costs_no_session(mobile: Mobile, tmp_path: Path) -> None:
    mobile.slice({
        "name": "mbb", "access": {"gateway": "g1", "gnbs": ["192.0.2.0/24"]}, "core": {"anchor": "u1", "upfs": [_UPF]},
        "mode": "enhanced", "uplink": {"hops": ["b1", "b2"]},
    })  # fmt: skip
    build.n4()
    namespace, state = mobile.lab.namespace("upf"), tmp_path / "n4"
    words = ["--netns", namespace, "--listen", "127.0.0.1:8805", "--slice", "mbb=default",
             "--ignore", "qer-rates,urr", *n4.controller_words(mobile.controller)]  # fmt: skip

    def stored() -> list[tuple[str, str, str]]:
        sessions = mobile.rest.get(_SESSIONS)
        return [(one["id"], one["state"], one["session"]["downlink"]["endpoint"]) for one in sessions]

    with n4.running(state, words) as first, peers.Smf(namespace, "eth0", _UPF, tmp_path) as smf:
        smf.session(1, "10.60.0.0/24", "192.0.2.1")
        before = stored()
        assert [one[1:] for one in before] == [("INSTALLED", "192.0.2.1")]
        processes.kill(first.process)
        with n4.running(state, words) as second:
            assert until(lambda: second.status()["slices"] == [{"name": "mbb", "sessions": 1}], 10), second.status()
            assert stored() == before
            smf.release(1)
            assert until(lambda: stored() == [], 10), second.status()
