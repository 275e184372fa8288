# SPDX-License-Identifier: Apache-2.0
"""The parts of Figure 5's experiment: its networks at a rate that all planes manage, and its tables."""

import contextlib
import socket
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from sextantlab import build, gtp, mobile, netns
from sextantlab.errors import UserError
from sextantlab.lab import Lab
from sextantlab.mobile import Run

# So few at once fit in any queue on the way, however busy the machine.
_FEW_A_SECOND, _SECONDS = 200, 0.2
_INNER_PORT, _INNER_BYTES = 9, 472


@pytest.fixture(scope="module", params=mobile.PLANES)
def plane(request: pytest.FixtureRequest) -> str:
    if request.param == "bmv2" and gtp.switch_lacks():
        pytest.skip(gtp.switch_lacks())
    return str(request.param)


@pytest.fixture(scope="module")
def labs(plane: str) -> Iterator[dict[str, Lab]]:
    build.controller()
    build.agent()
    with mobile.networks(plane) as found:
        yield found


def _bound(address: str) -> socket.socket:
    one = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    one.settimeout(10)
    one.bind((address, _INNER_PORT))
    return one


@pytest.mark.slow
@pytest.mark.parametrize("scheme", mobile.SCHEMES)
def test_what_the_ue_sent_comes_whole_and_all_of_it(labs: dict[str, Lab], plane: str, scheme: str) -> None:
    lab = labs[scheme]
    address = lab.network.host("dn").address(4)
    with contextlib.closing(netns.inside(lab.namespace("dn"), partial(_bound, address))) as server:
        run = mobile.delivery(lab, plane, scheme, _FEW_A_SECOND, _SECONDS)
        heard, (source, _) = server.recvfrom(65535)
    assert (run.plane, run.scheme, run.delivered) == (plane, scheme, 1.0)
    assert (source, heard) == ("10.60.0.1", bytes(_INNER_BYTES))


def _run(plane: str, scheme: str, delivered: float, offered: float = 1000.0, load: float = 0.5) -> Run:
    return Run(plane, scheme, 1000, offered, delivered, load)


def test_the_report_has_a_row_per_data_plane_scheme_and_rate(tmp_path: Path) -> None:
    runs = [
        _run("linux", "gtp", 1.0),
        _run("linux", "gtp", 1.0, load=2.5),
        _run("linux", "gtp", 1.0),
        _run("bmv2", "gtp", 0.5, offered=700.0),
    ]

    def row(plane: str, delivered: float, ci: float | None, offered: int, load: float) -> dict[str, object]:
        return {
            "plane": plane, "scheme": "gtp", "rate": 1000, "delivered": delivered, "ci": ci, "offered": offered,
            "load": load,
        }  # fmt: skip

    assert mobile.report(runs) == [row("linux", 1.0, 0.0, 1000, 2.5), row("bmv2", 0.5, None, 700, 0.5)]
    assert mobile.short(runs) == ["bmv2, gtp: of 1000 packets a second the sender managed 700"]
    mobile.save(runs, tmp_path / "runs.csv")
    lines = (tmp_path / "runs.csv").read_text().splitlines()
    assert lines[0] == "plane,scheme,rate,offered,delivered,load"
    assert lines[4] == "bmv2,gtp,1000,700,0.5000,0.50"


def test_both_sizes_have_rates_for_every_data_plane() -> None:
    for size in (mobile.QUICK, mobile.FULL):
        assert set(size.rates) == set(size.seconds) == set(mobile.PLANES)


def test_one_processor_is_too_few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.cpu_count", lambda: 1)
    with pytest.raises(UserError, match="two processors"):
        next(mobile.run(mobile.QUICK))
