# SPDX-License-Identifier: Apache-2.0
"""Firewalls of a node as a controller writes them: rows of a rule set, SIDs that lead to it, its counters."""

from collections.abc import Iterator, Sequence
from typing import Any

from .p4runtime import Action, Client, Value

FIRST_PRIORITY = 100_000
UNABLE, MALFORMED, BAD_ARGS, NO_RULE, LAST_HOP, TOO_MANY_FLOWS = range(6)
_REASONS = 16
_DEFAULT_PRIORITY = 1
_BATCH = 256
Rule = tuple[dict[str, Value], str]


def number(instance: int, version: int = 1) -> int:
    """The number of a rule set: never used again for another one."""
    return instance << 24 | version


def strangers(count: int) -> Iterator[tuple[str, str]]:
    """Sources and destinations that no packet of a test has."""
    for place in range(1, count + 1):
        yield f"2001:db8:{place:x}:1::/64", f"2001:db8:{place:x}:2::/64"


def entries(client: Client, rule_set: int, rules: Sequence[Rule], default: str = "") -> list[Any]:
    """A match and a verdict per rule, the first rule first; then the verdict on all other packets, if there is one."""
    found = [
        client.entry("firewall", {"firewall": rule_set} | match, _verdict(action), priority=FIRST_PRIORITY - place)
        for place, (match, action) in enumerate(rules)
    ]
    if default:
        found.append(client.entry("firewall", {"firewall": rule_set}, _verdict(default), priority=_DEFAULT_PRIORITY))
    return found


def write(client: Client, update: int, batch: Sequence[Any]) -> None:
    for request in requests(client, update, batch):
        client.send(request)


def requests(client: Client, update: int, batch: Sequence[Any]) -> list[Any]:
    """As many entries in one as a controller writes."""
    return [
        client.request((update, entry) for entry in batch[start : start + _BATCH])
        for start in range(0, len(batch), _BATCH)
    ]


def _verdict(action: str) -> Action:
    return Action(action, {"log": 0})


def sid(client: Client, prefix: str, rule_set: int, instance: int, **lengths: Value) -> Any:
    """The row of a SID; without lengths it is a uSID of F3216."""
    parameters: dict[str, Value] = {
        "block_length": 32, "csid_length": 32, "usid_length": 16, "args_length": 4, "local_start": 0xE000,
        "firewall": rule_set, "instance": instance,
    }  # fmt: skip
    return client.entry("my_sid", {"sid": prefix}, Action("sera", parameters | lengths))


def hits(client: Client, rule_set: int) -> dict[int, int]:
    """Packets of each rule of a set, by place; that of a default is the last."""
    (table,) = [one for one in client.info.tables if one.preamble.alias == "firewall"]
    (field,) = [one.id for one in table.match_fields if one.name == "firewall"]
    found = {
        FIRST_PRIORITY - entry.priority: int(entry.counter_data.packet_count)
        for entry in client.read("firewall", counters=True)
        if any(one.field_id == field and int.from_bytes(one.exact.value, "big") == rule_set for one in entry.match)
    }
    return dict(sorted(found.items()))


def dropped(client: Client, instance: int) -> list[int]:
    """Packets that no rule dropped, by reason."""
    indexes = [_REASONS * instance + reason for reason in range(TOO_MANY_FLOWS + 1)]
    counted = client.cells("firewall_dropped", indexes)
    return [counted[index] for index in indexes]
