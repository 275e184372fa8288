# SPDX-License-Identifier: Apache-2.0
"""Fixtures of the lab's tests. They use instances of their own, so that a lab that is up is not in the way."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from sextantlab import build
from sextantlab.lab import Instance, Lab

SMALL = {
    "devices": {
        f"device:{name}": {
            "basic": {"name": name, "managementAddress": f"grpc://127.0.0.1:{50150 + number}?device_id={number}"}
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


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Lab]:
    """A lab of two nodes and a host that is not up yet, and is down afterwards."""
    build.agent()
    file = tmp_path / "small.json"
    file.write_text(json.dumps(SMALL))
    lab = Lab(str(file), Instance(9))
    lab.down()
    yield lab
    lab.down()
