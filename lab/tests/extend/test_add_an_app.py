# SPDX-License-Identifier: Apache-2.0
"""docs/extend/add-an-app.md, followed in a copy of this checkout: a folder is an app, and nothing else was touched."""

import json
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from described import Described
from extend.worked import copy_built, copy_checkout, run, share
from sextantlab import apps
from sextantlab.instance import Instance
from sextantlab.lab import need_root
from sextantlab.rest import Rest

# Folders that are the same in the copy, and take long to make again.
_SHARED = ("agent", "web/node_modules", "build/venv")


@dataclass(frozen=True)
class Copy:
    """A copy of this checkout with the example's folder among its apps."""

    root: Path
    instance: int

    def sextant(self, *words: str) -> str:
        """The output of `./sextant` there."""
        return run(self.root, "./sextant", *words, SEXTANT_INSTANCE=str(self.instance))

    def rest(self) -> Rest:
        """As admin of the controller that runs there."""
        credentials = self.root / f"build/lab/fig4-{self.instance}/controller/etc/sextant/credentials"
        passwords = dict(line.split("=", 1) for line in credentials.read_text().splitlines() if "=" in line)
        return Rest(f"http://127.0.0.1:{8181 + self.instance}", ("admin", passwords["admin"]))


def prepare(root: Path) -> None:
    """This checkout with the example's folder among its apps, built."""
    copy_checkout(root, without="agent")
    share(root, *_SHARED)
    copy_built(root)
    shutil.copytree(root / "docs/extend/marker", root / "apps/marker")
    apps.write(root)  # as ./sextant fmt does, which would look at all other files, too
    run(root, "./sextant", "build")


@pytest.fixture
def copy(prepared: Path) -> Iterator[Copy]:
    need_root()
    made = Copy(prepared, Instance.free().number)
    yield made
    made.sextant("lab", "down")


@pytest.mark.slow
def test_the_example_is_an_app_everywhere(copy: Copy) -> None:
    copy.sextant("lab", "up", "--controller")

    one = {"name": "one", "node": "l1", "sid": "fcbb:bbbb:100:aaaa::/64"}
    two = {"name": "two", "node": "l2", "sid": "fcbb:bbbb:200:aaaa::/64"}
    rest = copy.rest()
    described = Described(rest.get("/srv6/openapi.json"))
    assert described.problems() == []
    planned = rest.post("/srv6/markers?dryRun=true", one)["entries"]
    assert planned == [{"node": "l1", "table": "my_sid", "match": one["sid"], "action": "end"}]
    added = rest.post("/srv6/markers", one)
    assert (added["id"], added["state"], added["marker"]) == ("one", "INSTALLED", one)
    (entry,) = (row for row in rest.get("/srv6/entries?node=l1") if row["match"] == one["sid"])
    assert (entry["action"], entry["state"]) == ("end", "INSTALLED")
    assert rest.call("POST", "/srv6/markers", b'{"name": "two"}').status == 400
    bulk = rest.call("POST", "/srv6/markers", json.dumps([one, two, {"name": "three"}]).encode())
    assert [item["status"] for item in bulk.body["items"]] == [200, 201, 400]
    assert [marker["id"] for marker in rest.get("/srv6/markers?limit=1")] == ["one"]
    assert rest.get("/srv6/markers/two/plan")["entries"][0]["node"] == "l2"
    for method, path in (("GET", "markers"), ("GET", "markers/one"), ("GET", "markers/two/plan"), ("GET", "markers/x")):
        answer = rest.call(method, f"/srv6/{path}")
        described.check(method, f"/srv6/{path}", None, answer)

    assert copy.sextant("cli", "markers") == (
        "id   state      node  sid\n"
        "one  INSTALLED  l1    fcbb:bbbb:100:aaaa::/64\n"
        "two  INSTALLED  l2    fcbb:bbbb:200:aaaa::/64\n"
    )
    assert copy.sextant("cli", "marker-remove", "one", "two") == "removed one, two\n"
    assert copy.sextant("cli", "marker-add", "four", "l1", one["sid"]).startswith("four  INSTALLED since ")
    assert copy.sextant("cli", "marker-explain", "four").endswith(f"l1    my_sid  {one['sid']}  end\n")
    assert rest.call("DELETE", "/srv6/markers?all=true").body == {"removed": ["four"], "leaving": []}
    assert rest.get("/srv6/markers") == []

    assert len(list((copy.root / "platforms/onos/oar/target").glob("org.sextant.marker-*.oar"))) == 1
