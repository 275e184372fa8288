# SPDX-License-Identifier: Apache-2.0
"""docs/extend/add-an-app.md, followed in a copy of this checkout: a folder is an app, and nothing else was touched."""

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from extend.worked import copy_checkout, run, share
from sextantlab import apps, build
from sextantlab.lab import Instance, need_root
from sextantlab.rest import Rest

# What is the same in the copy, and takes long to make again.
_SHARED = ("agent", "web/node_modules", "build/venv")


@dataclass(frozen=True)
class Copy:
    """A copy of this checkout with the example's folder among its apps."""

    root: Path
    instance: int

    def sextant(self, *words: str) -> str:
        """What `./sextant` prints there."""
        return run(self.root, "./sextant", *words, SEXTANT_INSTANCE=str(self.instance))

    def rest(self) -> Rest:
        """As admin of the controller that runs there."""
        credentials = self.root / f"build/lab/fig4-{self.instance}/controller/etc/sextant/credentials"
        passwords = dict(line.split("=", 1) for line in credentials.read_text().splitlines() if "=" in line)
        return Rest(f"http://127.0.0.1:{8181 + self.instance}", ("admin", passwords["admin"]))


@pytest.fixture
def copy(tmp_path: Path) -> Iterator[Copy]:
    need_root()
    build.agent()
    build.web_tools()
    build.python_tools()
    root = tmp_path / "sextant"
    copy_checkout(root, without="agent")
    share(root, *_SHARED)
    # Before an instance is taken: that of a test that needs one now may be gone when all is built.
    shutil.copytree(root / "docs/extend/marker", root / "apps/marker")
    apps.write(root)  # as ./sextant fmt does, which would look at all other files, too
    Copy(root, 0).sextant("build")
    made = Copy(root, Instance.free().number)
    yield made
    made.sextant("lab", "down")


@pytest.mark.slow
def test_the_example_is_an_app_everywhere(copy: Copy) -> None:
    copy.sextant("lab", "up", "--controller")

    marker = {"name": "one", "node": "l1", "sid": "fcbb:bbbb:100:aaaa::/64"}
    rest = copy.rest()
    assert rest.post("/srv6/markers", marker) == {"id": "one", "state": "INSTALLED", "marker": marker}
    assert rest.get("/srv6/markers")[0]["state"] == "INSTALLED"
    assert "/markers" in rest.get("/srv6/openapi.json")["paths"]
    (entry,) = (one for one in rest.get("/srv6/entries?node=l1") if one["match"] == marker["sid"])
    assert (entry["action"], entry["state"]) == ("end", "INSTALLED")
    assert copy.sextant("cli", "markers") == "one  INSTALLED\n"
    assert rest.call("POST", "/srv6/markers", b'{"name": "two"}').status == 400
    rest.delete("/srv6/markers/one")
    assert rest.get("/srv6/markers") == []

    assert len(list((copy.root / "platforms/onos/oar/target").glob("org.sextant.marker-*.oar"))) == 1
