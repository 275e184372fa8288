# SPDX-License-Identifier: Apache-2.0
"""The effect on a flow when its paths fail: none, as long as one is left."""

import shutil
from functools import partial

import pytest
from flows import Flows
from sextantlab import bmv2, netns, processes
from sextantlab.controller import Controller
from sextantlab.instance import Instance
from sextantlab.lab import Lab
from sextantlab.processes import until
from sextantlab.traffic import PORT, datagrams

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


def _gone(flows: Flows, path: int) -> bool:
    return path not in flows.paths("given")


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
            assert until(partial(_gone, flows, number), 20)
            assert stream.await_more(_WARM_UP)
        assert list(flows.paths("given")) == [2]
        for number in (1, 3):
            flows.lab.set_link("e1", f"c{number}", up=True)
        assert until(lambda: list(flows.paths("given")) == [1, 2, 3], 20)
        assert stream.await_more(_WARM_UP)
    assert flows.way("given")["lost"] == 0
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


def test_a_flow_of_which_nothing_arrives_is_down_until_something_does(flows: Flows) -> None:
    """All paths at once, without a report: the worst failure there is."""
    flows.install(given(3))
    with flows.stream() as stream:
        assert until(lambda: flows.way("given")["state"] == "DELIVERING", 20)
        for number in (1, 2, 3):
            flows.silence(f"c{number}")
        assert until(lambda: flows.way("given")["state"] == "DOWN", 20)
        assert {one["state"] for one in flows.paths("given").values()} == {"SILENT"}
        assert flows.view("given")["state"] == "INSTALLED"
        lost = flows.way("given")["lost"]
        assert lost > 500
        for number in (1, 2, 3):
            flows.unsilence(f"c{number}")
        assert until(lambda: flows.way("given")["state"] == "DELIVERING", 20)
    told = [event["message"] for event in flows.view("given")["events"] if "path" not in event]
    assert "over no path" in told[0]
    assert told[1:] == ["flow from e1 to e2 delivers again"]
    assert lost <= flows.way("given")["lost"] == len(stream.lost())


def test_a_path_that_loses_most_is_lossy_and_the_flow_is_not(flows: Flows) -> None:
    flows.install(given(3))
    flows.spoil("c2", 95)
    with flows.stream() as stream:
        assert until(lambda: flows.paths("given")[2]["state"] == "LOSSY", 40)
        assert flows.paths("given")[1]["state"] == flows.way("given")["state"] == "DELIVERING"
        flows.unsilence("c2")
        assert until(lambda: flows.paths("given")[2]["state"] == "DELIVERING", 40)
    assert stream.lost() == []
    path = flows.paths("given")[2]
    assert path["lost"] == path["sent"] - path["first"] - path["duplicate"] > 0


@pytest.mark.parametrize("version", [6, 4])
def test_datagrams_that_are_sent_in_fragments_arrive_over_a_flow_of_a_port(flows: Flows, version: int) -> None:
    flows.install(given(3) | {"protocol": "udp", "destinationPort": PORT})
    address = flows.lab.network.host("b").address(version)
    source, destination = (flows.lab.namespace(host) for host in ("a", "b"))
    assert datagrams(source, destination, address, range(40001, 40101), size_bytes=2000) == 100
    assert flows.way("given")["delivered"] == 200


def test_what_the_paths_deliver_adds_up(flows: Flows) -> None:
    flows.install(given(3))
    with flows.stream() as stream:
        assert stream.await_more(500)
    view = flows.way("given")
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


def reboot_with_other_interfaces(lab: Lab, name: str) -> None:
    """The node forgets all, and its ports have other MAC addresses; no carrier goes, as behind a switch."""
    namespace = lab.namespace(name)
    processes.stop(lab.agent(name))
    for device in ("sextant0", "sextant2"):
        netns.ip("link", "del", device, namespace=namespace)
    netns.run(namespace, "sh", "-c", "ip -6 route flush proto 200; ip route flush proto 200; ip sr tunsrc set ::")
    for number, port in enumerate(lab.network.node(name).interfaces):
        netns.ip("link", "set", port.name, "address", f"02:aa:bb:cc:dd:{number:02x}", namespace=namespace)
    shutil.rmtree(lab.directory / "agent" / name)
    lab.start_agent(name)


def test_an_ingress_that_comes_back_with_other_mac_addresses_delivers_when_it_is_installed(flows: Flows) -> None:
    """The hosts behind it have to learn them, or send into the void for half a minute."""
    flows.install(given(3))
    with flows.stream() as stream:
        assert stream.await_more(_WARM_UP)
        reboot_with_other_interfaces(flows.lab, "e1")
        behind = stream.arrived
        assert until(flows.whole, 20), "\n".join(map(str, flows.troubles()))
        assert until(lambda: stream.arrived > behind, 2)
        assert stream.await_more(_WARM_UP)
    assert stream.sent - max(stream.lost()) > _WARM_UP / 2
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
