# SPDX-License-Identifier: Apache-2.0
"""The smallest network that has everything: two nodes, a link, a host."""

from typing import Any

SMALL: dict[str, Any] = {
    "devices": {
        f"device:{name}": {
            "basic": {"name": name, "managementAddress": f"grpc://127.0.0.1:{20150 + number}?device_id={number}"}
        }
        for number, name in enumerate(("a", "b"), 1)
    },
    "ports": {
        "device:a/1": {"interfaces": [{"name": "a-b"}]},
        "device:b/1": {"interfaces": [{"name": "b-a"}]},
        "device:a/2": {"interfaces": [{"name": "a-h", "ips": ["fd00:0:1::1/64", "10.0.1.1/24"]}]},
    },
    "links": {"device:a/1-device:b/1": {"srv6": {"mtuBytes": 4000}}},
    "hosts": {
        "02:00:00:00:00:aa/None": {
            "basic": {"name": "h", "ips": ["fd00:0:1::2", "10.0.1.2"], "locations": ["device:a/2"]}
        }
    },
}
