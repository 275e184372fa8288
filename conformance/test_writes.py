# SPDX-License-Identifier: Apache-2.0
"""P4Runtime over a real data plane: read-back, counters, and one error per entry that is wrong."""

import pytest
from nodes.bench import Bench, segments
from nodes.p4runtime import DELETE, INSERT, MODIFY, Action, Client, WriteError
from nodes.packets import SOURCE, outer, v6
from nodes.target import Target

UN = Action("un", {"block_length": 32, "csid_length": 16})
SID = {"sid": "fcbb:bbbb:100::/48"}


def test_what_was_written_is_read_back_equal(node: Bench) -> None:
    node.my_sid("fcbb:bbbb:100::/48", "un", block_length=32, csid_length=16)
    node.steer(
        "2001:db8:2::/64",
        node.encaps,
        (3, ["fcbb:bbbb:200::"]),
        (1, ["fcbb:bbbb:300::", "fcbb:bbbb:400::"]),
    )
    assert node.client.read("my_sid") == [node.client.entry("my_sid", SID, UN)]
    lists = [
        segments(["fcbb:bbbb:200::"], 3),
        segments(["fcbb:bbbb:300::", "fcbb:bbbb:400::"]),
    ]
    assert node.client.read("sid_list") == [node.client.entry("sid_list", {"id": 1}, lists)]


def test_the_source_of_outer_headers_is_read_back_as_a_default_entry(node: Bench) -> None:
    """P4Runtime 11.1: default entries are read by asking for them."""
    (entry,) = node.client.read("encap_source", default=True)
    assert entry.action == node.client.entry("encap_source", {}, Action("set_encap_source", {"source": SOURCE})).action
    assert entry.is_default_action


def test_a_wildcard_read_returns_every_table(node: Bench) -> None:
    tables = {entry.table_id for entry in node.client.read()}
    assert {node.client.read(name)[0].table_id for name in ("next_hop", "route_v6", "route_v4")} <= tables


@pytest.mark.parametrize("packets", [1, 7])
def test_the_counter_of_a_sid_counts_packets_and_bytes(node: Bench, packets: int) -> None:
    node.my_sid("fcbb:bbbb:100::/48", "un", block_length=32, csid_length=16)
    sent = outer("fcbb:bbbb:100:200::", v6())
    assert len(node.send(1, *[sent] * packets, at_least=packets)) == packets
    (entry,) = node.client.read("my_sid", counters=True)
    assert entry.counter_data.packet_count == packets
    assert entry.counter_data.byte_count in (
        packets * len(sent),
        packets * (len(sent) + 14),
    )


def test_the_counter_of_a_steering_entry_counts_packets(node: Bench) -> None:
    node.steer("2001:db8:2::/64", node.encaps, (1, ["fcbb:bbbb:200:f00d::"]))
    assert len(node.send(1, *[v6()] * 5, at_least=5)) == 5
    (entry,) = node.client.read("steering_v6", counters=True)
    assert entry.counter_data.packet_count == 5


def test_each_wrong_update_of_a_batch_has_its_own_error(node: Bench) -> None:
    good = node.client.entry("my_sid", SID, UN)
    absent = node.client.entry("my_sid", {"sid": "fcbb:bbbb:500::/48"}, UN)
    with pytest.raises(WriteError) as caught:
        node.client.write([(INSERT, good), (INSERT, good), (DELETE, absent), (MODIFY, absent)])
    assert caught.value.codes == ["OK", "ALREADY_EXISTS", "NOT_FOUND", "NOT_FOUND"]
    assert all(message for code, message in caught.value.details if code != "OK")
    assert node.client.read("my_sid") == [good]
    node.client.write([(DELETE, good)])


def _unknown_table(client: Client) -> object:
    entry = client.entry("my_sid", SID, UN)
    entry.table_id = 0x02FFFFFF
    return entry


def _unknown_action(client: Client) -> object:
    entry = client.entry("my_sid", SID, UN)
    entry.action.action.action_id = 0x01FFFFFF
    return entry


def _action_of_another_table(client: Client) -> object:
    return client.entry("my_sid", SID, Action("set_next_hop", {"next_hop": 1}))


def _bits_behind_the_prefix(client: Client) -> object:
    return client.entry("my_sid", {"sid": "fcbb:bbbb:100:1::/48"}, UN)


def _missing_parameter(client: Client) -> object:
    entry = client.entry("my_sid", SID, UN)
    del entry.action.action.params[1]
    return entry


def _missing_key(client: Client) -> object:
    return client.entry("my_sid", {}, UN)


SWITCH_ACCEPTS = "PI, the P4Runtime server of bmv2, does not check this"

WRONG = {
    "an unknown table": (_unknown_table, {"INVALID_ARGUMENT", "NOT_FOUND"}),
    "an unknown action": (_unknown_action, {"INVALID_ARGUMENT", "NOT_FOUND"}),
    "an action of another table": (_action_of_another_table, {"INVALID_ARGUMENT"}),
    "bits behind the prefix": (_bits_behind_the_prefix, {"INVALID_ARGUMENT"}),
    "a missing parameter": (_missing_parameter, {"INVALID_ARGUMENT"}),
    "a missing key": (_missing_key, {"INVALID_ARGUMENT"}),
}


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.differs("bmv2", SWITCH_ACCEPTS)) if name == "a missing key" else name
        for name in WRONG
    ],
)
def test_a_wrong_entry_is_refused_with_a_sentence(node: Bench, name: str) -> None:
    build, codes = WRONG[name]
    with pytest.raises(WriteError) as caught:
        node.client.write([(INSERT, build(node.client))])
    ((code, message),) = caught.value.details
    assert code in codes
    assert len(message) > 10
    assert node.client.read("my_sid") == []


@pytest.mark.differs("bmv2", SWITCH_ACCEPTS)
def test_an_adjacency_that_does_not_exist_is_refused(node: Bench) -> None:
    entry = node.client.entry("my_sid", {"sid": "fcbb:bbbb:100:e009::/64"},
                              Action("ua", {"block_length": 32, "csid_length": 32, "next_hop": 99}))  # fmt: skip
    with pytest.raises(WriteError) as caught:
        node.client.write([(INSERT, entry)])
    assert caught.value.codes[0] != "OK"
    assert "99" in caught.value.details[0][1]
    assert node.client.read("my_sid") == []


def test_only_the_primary_may_write(node: Bench, target: Target) -> None:
    with Client(target.address, target.device_id, target.p4info, election_id=5, tls=target.tls) as secondary:
        assert secondary.arbitration.status.code != 0
        with pytest.raises(WriteError) as caught:
            secondary.write([(INSERT, secondary.entry("my_sid", SID, UN))])
        assert caught.value.code == "PERMISSION_DENIED"
        assert secondary.read("next_hop") == node.client.read("next_hop")


def test_traffic_goes_on_while_an_entry_is_written_again(node: Bench) -> None:
    node.my_sid("fcbb:bbbb:100::/48", "un", block_length=32, csid_length=16)
    entry = node.client.entry("my_sid", SID, UN)
    node.client.write([(MODIFY, entry)] * 3)
    node.check(
        1,
        outer("fcbb:bbbb:100:200::", v6()),
        2,
        outer("fcbb:bbbb:200::", v6(), hop_limit=63),
    )
