# SPDX-License-Identifier: Apache-2.0
"""Rows that stay while those of tests come and go, so that a Linux node keeps the programs of a plane in the kernel: to
verify and attach them takes most of the time of a case that needs them. No packet meets these rows, and no test reads
them. That programs come with the first row and go with the last one, the tests of the agent say.
"""

from .oracle import Row
from .p4runtime import Action, Client
from .target import Target

# Firewalls of this instance are unused, and so are these addresses.
_INSTANCE = 255
ROWS = {
    "firewalls": Row(
        "my_sid", {"sid": "5f00:5e7a:1::/64"},
        Action("sera", {
            "firewall": _INSTANCE << 24 | 1, "instance": _INSTANCE, "block_length": 32, "csid_length": 16,
            "usid_length": 16, "args_length": 0, "local_start": 0xE000,
        }),
    ),
    "sessions": Row("gtp_tunnel", {"vrf": 0, "dst": "5f00:5e7a::1", "teid": 1}, Action("set_class", {"class": 1})),
}  # fmt: skip


class Standing:
    """The rows of one node that stand now."""

    def __init__(self, target: Target, client: Client) -> None:
        self._client = client
        # Others have nothing to load. Where it is loaded, whatever is written takes longer, so it is not for all tests.
        self._loads = target.name == "linux"
        self._planes: tuple[str, ...] = ()

    def need(self, planes: tuple[str, ...]) -> None:
        """Has those of these planes stand, and no others."""
        if not self._loads or planes == self._planes:
            return
        rows = [ROWS[plane] for plane in planes]
        self._client.keep([self._client.entry(row.table, row.match, row.action) for row in rows])
        self._planes = planes
