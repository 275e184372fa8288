# SPDX-License-Identifier: Apache-2.0
"""Reading a network description."""

import copy
import json
from pathlib import Path
from typing import Any

import pytest
from sextantlab import network
from sextantlab.errors import UserError
from sextantlab.paths import LAB
from small import SMALL


def test_figure_4_has_the_papers_nodes_links_and_hosts() -> None:
    fig4 = network.parse(network.load(LAB / "fig4.json"))
    assert [node.name for node in fig4.nodes] == ["l1", "l2", "l3", "v4", "v5", "p6", "p7", "v8"]
    assert len(fig4.links) == 10
    assert [host.name for host in fig4.hosts if host.location.node == "l3"] == ["h31", "h32", "h33"]
    assert fig4.link("p7", "p6") == fig4.link("p6", "p7")


def test_a_host_gets_the_prefix_and_the_gateway_of_its_nodes_interface() -> None:
    host = network.parse(SMALL).host("h")
    assert host.addresses == ("fd00:0:1::2/64", "10.0.1.2/24")
    assert host.gateways == ("fd00:0:1::1", "10.0.1.1")
    assert (host.address(6), host.address(4)) == ("fd00:0:1::2", "10.0.1.2")


def test_a_host_with_two_addresses_of_a_prefix_has_its_gateway_once() -> None:
    own = copy.deepcopy(SMALL)
    own["hosts"]["02:00:00:00:00:aa/None"]["basic"]["ips"] = ["fd00:0:1::2", "fd00:0:1::3"]
    assert network.parse(own).host("h").gateways == ("fd00:0:1::1",)


def test_shifting_moves_the_management_ports_only() -> None:
    moved = network.parse(network.shifted(SMALL, 300))
    assert [node.port for node in moved.nodes] == [20451, 20452]
    assert moved.links == network.parse(SMALL).links


def test_a_p4_node_has_its_ports_written_down() -> None:
    described = network.with_p4(SMALL, ["a"])
    assert described["devices"]["device:a"]["basic"]["pipeconf"] == "org.sextant.bmv2"
    assert described["ports"]["device:a/1"]["interfaces"][0]["mac"] == "02:50:34:01:00:01"
    assert described["ports"]["device:a/1"]["srv6"] == {"mtuBytes": 4000}
    assert described["ports"]["device:a/2"]["srv6"] == {"mtuBytes": 1500}
    assert described["ports"]["device:b/1"] == SMALL["ports"]["device:b/1"]
    assert [node.p4 for node in network.parse(described).nodes] == [True, False]


def test_what_is_described_of_a_p4_node_stays() -> None:
    own = copy.deepcopy(SMALL)
    own["devices"]["device:a"]["basic"]["pipeconf"] = "org.sextant.bmv2"
    own["ports"]["device:a/1"]["interfaces"][0]["mac"] = "02:00:00:00:00:77"
    described = network.with_p4(own, [])
    assert described["ports"]["device:a/1"]["interfaces"][0]["mac"] == "02:00:00:00:00:77"
    assert described["ports"]["device:a/2"]["interfaces"][0]["mac"] == "02:50:34:01:00:02"


def test_a_p4_node_that_is_not_there_is_named() -> None:
    with pytest.raises(UserError, match="there is no node c; there are a, b"):
        network.with_p4(SMALL, ["a", "c"])


def test_a_vpp_node_is_described_as_one() -> None:
    described = network.with_vpp(SMALL, ["b"])
    assert described["devices"]["device:b"]["basic"]["pipeconf"] == "org.sextant.vpp"
    assert described["ports"] == SMALL["ports"]
    assert [node.vpp for node in network.parse(described).nodes] == [False, True]


def test_a_vpp_node_that_is_not_there_or_a_switch_is_named() -> None:
    with pytest.raises(UserError, match="there is no node c; there are a, b"):
        network.with_vpp(SMALL, ["c"])
    with pytest.raises(UserError, match="--vpp a: that node is a bmv2 switch already"):
        network.with_vpp(network.with_p4(SMALL, ["a"]), ["a"])


def test_an_interface_that_vpp_takes_for_another_is_refused() -> None:
    description = copy.deepcopy(SMALL)
    description["ports"]["device:a/1"]["interfaces"][0]["name"] = "a-b.2"
    network.parse(description)
    with pytest.raises(UserError, match=r"device:a/1: VPP takes host-a-b\.2 for a sub-interface"):
        network.parse(network.with_vpp(description, ["a"]))


def _unknown_device(description: dict[str, Any]) -> None:
    description["ports"]["device:c/1"] = {"interfaces": [{"name": "c"}]}


def _long_name(description: dict[str, Any]) -> None:
    description["ports"]["device:a/1"]["interfaces"][0]["name"] = "sixteen-bytes-xx"


def _unknown_port(description: dict[str, Any]) -> None:
    description["links"]["device:a/7-device:b/1"] = {}


def _no_agent(description: dict[str, Any]) -> None:
    description["devices"]["device:a"]["basic"]["managementAddress"] = "netconf://a"


def _foreign_host(description: dict[str, Any]) -> None:
    description["hosts"]["02:00:00:00:00:aa/None"]["basic"]["ips"] = ["fd00:0:9::2"]


@pytest.mark.parametrize(
    ("spoil", "named"),
    [
        (_unknown_device, "device:c"),
        (_long_name, "sixteen-bytes-xx"),
        (_unknown_port, "device:a/7"),
        (_no_agent, "netconf://a"),
        (_foreign_host, "fd00:0:9::2"),
    ],
)
def test_what_cannot_be_built_is_named(spoil: Any, named: str) -> None:
    description = copy.deepcopy(SMALL)
    spoil(description)
    with pytest.raises(UserError, match=named):
        network.parse(description)


def test_all_that_is_wrong_is_named_at_once_with_its_place() -> None:
    description = copy.deepcopy(SMALL)
    _long_name(description)
    _unknown_port(description)
    _no_agent(description)
    del description["hosts"]["02:00:00:00:00:aa/None"]["basic"]["locations"]
    with pytest.raises(UserError) as caught:
        network.parse(description)
    assert [line.strip().split(": ")[:2] for line in str(caught.value).splitlines()] == [
        ["devices", "device:a"],
        ["ports", "device:a/1"],
        ["links", "device:a/7-device:b/1"],
        ["links", "device:a/7-device:b/1"],
        ["hosts", "02:00:00:00:00:aa/None"],
    ]


def _without(*path: str) -> Any:
    def spoil(description: dict[str, Any]) -> None:
        for key in path[:-1]:
            description = description[key]
        del description[path[-1]]

    return spoil


def _with(value: Any, *path: str) -> Any:
    def spoil(description: dict[str, Any]) -> None:
        for key in path[:-1]:
            description = description[key]
        description[path[-1]] = value

    return spoil


_HOST = ("hosts", "02:00:00:00:00:aa/None")


@pytest.mark.parametrize(
    ("spoil", "told"),
    [
        (_without("devices"), "devices: there is no node"),
        (_with([], "devices"), "devices: an object is wanted here, not a list"),
        (_without("devices", "device:a", "basic"), "devices: device:a: basic: is missing"),
        (_without("devices", "device:a", "basic", "managementAddress"), "device:a: managementAddress: is missing"),
        (_with("a/b;c", "devices", "device:a", "basic", "name"), "'a/b;c' is not a name"),
        (_with("b", "devices", "device:a", "basic", "name"), "the name b is taken by devices: device:a"),
        (_with("h", "devices", "device:a", "basic", "name"), "the name h is taken by devices: device:a"),
        (
            _with("grpc://127.0.0.1:20152?device_id=9", "devices", "device:a", "basic", "managementAddress"),
            "is taken by devices: device:a",
        ),
        (_with({}, "ports", "device:a/1"), "ports: device:a/1: interfaces: is missing"),
        (_with({"interfaces": [{"name": "a-h"}]}, "ports", "device:a/1"), "the interface a-h is another port's"),
        (_with({"interfaces": [{"name": "a b"}]}, "ports", "device:a/1"), "'a b' is no name for an interface"),
        (_with({"interfaces": [{"name": "x", "mac": "1"}]}, "ports", "device:a/1"), "1 is not a MAC address"),
        (_with({"interfaces": [{"name": "x", "ips": ["y"]}]}, "ports", "device:a/1"), "'y' is not an address"),
        (_with({}, "links", "device:a/1"), "a link is DEVICE/NUMBER-DEVICE/NUMBER"),
        (_with({}, "links", "device:b/1-device:a/2"), "device:b/1 is taken by a link to device:a/1"),
        (_with({"srv6": {"mtuBytes": 100}}, "links", "device:a/1-device:b/1"), "mtuBytes is 100, not within 1280"),
        (_with({"srv6": {"mtuBytes": "x"}}, "links", "device:a/1-device:b/1"), "an integer is wanted here"),
        (_with(5, *_HOST), "an object is wanted here, not an integer"),
        (_with([], *_HOST, "basic", "ips"), "the host has no address"),
        (_with(["device:a/1"], *_HOST, "basic", "locations"), "device:a/1 is taken: it leads to device:b/1"),
        (_with({"basic": {}}, "hosts", "h/None"), "the lab wants MAC/None"),
    ],
)
def test_a_description_of_the_wrong_shape_is_told_in_words(spoil: Any, told: str) -> None:
    description = copy.deepcopy(SMALL)
    spoil(description)
    with pytest.raises(UserError) as caught:
        network.parse(description)
    assert told in str(caught.value)


def test_the_two_directions_of_a_link_are_one_cable() -> None:
    description = copy.deepcopy(SMALL)
    description["links"]["device:b/1-device:a/1"] = {"srv6": {"igpMetric": 7}}
    assert [link.name for link in network.parse(description).links] == ["a/1-b/1"]


def test_devices_may_have_dashes_in_their_names() -> None:
    text = json.dumps(SMALL).replace("device:a", "device:a-device:1")
    assert network.parse(json.loads(text)).links[0].name == "a/1-b/1"


def test_a_missing_file_and_broken_json_are_errors_for_users(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no network description"):
        network.load(tmp_path / "absent.json")
    (tmp_path / "broken.json").write_text("{")
    with pytest.raises(UserError, match="not JSON"):
        network.load(tmp_path / "broken.json")
    with pytest.raises(UserError, match="cannot be read: Is a directory"):
        network.load(tmp_path)
    (tmp_path / "list.json").write_text("[]")
    with pytest.raises(UserError, match="is an object, not a list"):
        network.load(tmp_path / "list.json")
