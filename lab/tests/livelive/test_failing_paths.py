# SPDX-License-Identifier: Apache-2.0
"""What a flow feels when its paths fail: nothing, as long as one is left."""

import pytest
from flows import Flows
from sextantlab import bmv2
from sextantlab.controller import Controller
from sextantlab.lab import Instance, Lab
from sextantlab.processes import until

_PATHS = 4
_WARM_UP = 200


def given(count: int = _PATHS) -> dict[str, object]:
    """Paths that nothing replaces."""
    return {
        "name": "given",
        "from": "a",
        "to": "b",
        "paths": [["e1", f"c{number}", "e2"] for number in range(1, count + 1)],
    }


@pytest.mark.parametrize("survivor", range(1, _PATHS + 1))
def test_all_paths_but_one_fail_silently_and_no_packet_is_lost_or_repeated(flows: Flows, survivor: int) -> None:
    flows.install(given())
    others = [number for number in range(1, _PATHS + 1) if number != survivor]
    with flows.stream() as stream:
        assert stream.await_more(_WARM_UP)
        for number in others:
            flows.silence(f"c{number}")
            assert stream.await_more(_WARM_UP)
        for number in others:
            flows.unsilence(f"c{number}")
            assert stream.await_more(_WARM_UP)
    assert stream.sent > 7 * _WARM_UP
    assert stream.lost() == []
    assert stream.repeated() == []


@pytest.mark.parametrize("version", [6, 4])
def test_links_of_all_paths_but_one_are_cut_and_the_controller_follows_without_a_loss(
    flows: Flows, version: int
) -> None:
    flows.install(given(3))
    with flows.stream(version) as stream:
        assert stream.await_more(_WARM_UP)
        for number in (1, 3):
            flows.lab.set_link("e1", f"c{number}", up=False)
            assert until(lambda number=number: number not in flows.paths("given"), 20)
            assert stream.await_more(_WARM_UP)
        assert list(flows.paths("given")) == [2]
        for number in (1, 3):
            flows.lab.set_link("e1", f"c{number}", up=True)
        assert until(lambda: list(flows.paths("given")) == [1, 2, 3], 20)
        assert stream.await_more(_WARM_UP)
    assert flows.view("given")["directions"][0]["lost"] == 0
    assert stream.lost() == []
    assert stream.repeated() == []


def test_a_path_that_fails_is_replaced_and_the_flow_does_not_feel_it(flows: Flows) -> None:
    flows.install({"name": "found", "from": "a", "to": "b", "paths": 3})
    assert list(flows.paths("found")) == [1, 2, 3]
    with flows.stream() as stream:
        assert stream.await_more(_WARM_UP)
        flows.lab.set_link("e1", "c2", up=False)
        assert until(lambda: list(flows.paths("found")) == [1, 3, 4], 20)
        assert until(lambda: flows.view("found")["state"] == "INSTALLED", 20)
        before = flows.paths("found")[4]["first"] + flows.paths("found")[4]["duplicate"]
        assert stream.await_more(_WARM_UP)
        assert until(lambda: flows.paths("found")[4]["first"] + flows.paths("found")[4]["duplicate"] > before, 20)
    assert stream.lost() == []
    assert stream.repeated() == []


def test_a_path_that_fell_silent_is_reported_although_the_flow_does_not_feel_it(flows: Flows) -> None:
    flows.install(given(3))
    with flows.stream() as stream:
        assert until(lambda: {one["state"] for one in flows.paths("given").values()} == {"DELIVERING"}, 20)
        flows.silence("c2")
        assert until(lambda: flows.paths("given")[2]["state"] == "SILENT", 20)
        view = flows.view("given")
        assert view["state"] == "INSTALLED"
        assert "path 2 from e1 to e2 delivered none of the last" in view["events"][-1]["message"]
        flows.unsilence("c2")
        assert until(lambda: flows.paths("given")[2]["state"] == "DELIVERING", 20)
        assert flows.view("given")["events"][-1]["message"] == "path 2 from e1 to e2 delivers again"
    assert stream.lost() == []
    assert stream.repeated() == []


def test_what_the_paths_deliver_adds_up(flows: Flows) -> None:
    flows.install(given(3))
    with flows.stream() as stream:
        assert stream.await_more(500)
    view = flows.view("given")["directions"][0]
    assert view["packets"] == view["delivered"] == stream.sent
    assert view["lost"] == 0
    for path in view["paths"]:
        assert path["sent"] == stream.sent
        assert path["first"] + path["duplicate"] + path["late"] == stream.sent
        assert path["lost"] == 0
    assert sum(path["first"] for path in view["paths"]) == stream.sent
    assert sum(path["winShare"] for path in view["paths"]) == pytest.approx(1, abs=0.01)


def test_a_killed_controller_comes_back_to_the_same_flow_and_no_packet_misses_it(flows: Flows) -> None:
    stored = flows.install(given(3))
    with flows.stream() as stream:
        assert stream.await_more(_WARM_UP)
        flows.controller.kill()
        assert stream.await_more(_WARM_UP)
        flows.controller.start()
        flows.controller.await_ready()
        assert until(lambda: flows.view("given")["state"] == "INSTALLED", 20)
        assert stream.await_more(_WARM_UP)
    again = flows.view("given")
    for key in ("flowId", "group", "window"):
        assert again["directions"][0][key] == stored["directions"][0][key]
    assert stream.lost() == []
    assert stream.repeated() == []


def test_a_flow_whose_ingress_moves_is_installed_at_once(flows: Flows) -> None:
    """At the egress it is another flow, with the window of the one that is to go."""
    seen = []
    for ingress in ("c1", "c2", "c1"):
        flow = {"name": "moves", "from": "fd00:0:9::/64", "to": "b", "paths": 2, "ingress": ingress}
        (way,) = flows.install(flow)["directions"]
        seen.append((way["flowId"], way["window"]))
    assert seen[0] == seen[2]
    assert seen[0][0] != seen[1][0]
    assert seen[0][1] == seen[1][1]


def test_a_removed_flow_leaves_nothing(flows: Flows) -> None:
    stored = flows.install(given(2))
    assert flows.post({"from": "a", "to": "b", "paths": 2}).status == 409
    flows.controller.rest().delete(f"/srv6/livelive/{stored['id']}")
    tables = {entry["table"] for entry in flows.controller.rest().get("/srv6/entries")}
    assert not tables & {"flow_v6", "flow_v4", "copy", "dedup_flow", "sid_list"}
    assert flows.install(given(2))["state"] == "INSTALLED"


@pytest.mark.parametrize("switch", ["e1", "e2"])
@pytest.mark.slow
def test_a_switch_at_one_end_and_linux_at_the_other_understand_each_other(built: None, switch: str) -> None:
    if bmv2.missing():
        pytest.skip(bmv2.missing())
    lab = Lab("livelive", Instance.free(), [switch])
    with lab, Controller(lab) as controller:
        flows = Flows(lab, controller)
        flows.install(given(3) | {"symmetry": "symmetric"})
        with flows.stream(interval_seconds=0.01) as stream:
            assert stream.await_more(100)
            for number in (1, 2):
                flows.silence(f"c{number}")
                assert stream.await_more(100)
        assert stream.lost() == []
        assert stream.repeated() == []
