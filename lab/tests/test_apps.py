# SPDX-License-Identifier: Apache-2.0
"""An app is a folder: build files and packages are written from its content."""

import json
import re
import shutil
from pathlib import Path

import pytest
from sextantlab import apps
from sextantlab.errors import UserError
from sextantlab.paths import ROOT

_TOY: dict[str, object] = {
    "name": "toy",
    "title": "A toy & more",
    "category": "Traffic Engineering",
    "url": "https://example.net",
    "description": "Does <nothing>.",
    "requires": ["org.sextant.srv6"],
    "commands": {"viewer": ["toys"], "admin": ["toy-add"]},
}


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """The files that name apps, and the apps' own, as this checkout has them."""
    for path in (*apps.written(ROOT), *ROOT.glob("apps/*/app.json"), *ROOT.glob("apps/*/pom.xml")):
        copy = tmp_path / path.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, copy)
    return tmp_path


def _add(tree: Path, body: dict[str, object]) -> None:
    folder = tree / "apps/toys"
    folder.mkdir()
    (folder / "app.json").write_text(json.dumps(body))
    pom = (tree / "apps/livelive/pom.xml").read_text()
    (folder / "pom.xml").write_text(pom.replace("<artifactId>livelive</artifactId>", "<artifactId>toys</artifactId>"))


def test_this_checkout_says_of_apps_what_is_so(tree: Path) -> None:
    assert list(apps.problems(tree)) == []


def test_a_folder_more_is_an_app_everywhere(tree: Path) -> None:
    _add(tree, _TOY)
    assert {problem.split(":")[0] for problem in apps.problems(tree)} == {
        "pom.xml",
        "web/pom.xml",
        "platforms/karaf/features/pom.xml",
        "platforms/karaf/features/src/main/feature/features.xml",
        "platforms/karaf/distribution/src/main/resources/etc/org.apache.karaf.command.acl.srv6.cfg",
        "platforms/onos/oar/pom.xml",
        "platforms/onos/oar/src/main/oar/toy/app.xml",
        "platforms/onos/oar/src/main/oar/toy/features.xml",
        "platforms/onos/oar/src/main/oar/toy/README.md",
    }
    apps.write(tree)
    assert list(apps.problems(tree)) == []
    assert "<module>apps/toys</module>" in (tree / "pom.xml").read_text()
    access = (
        tree / "platforms/karaf/distribution/src/main/resources/etc/org.apache.karaf.command.acl.srv6.cfg"
    ).read_text()
    assert "\ntoys = viewer, operator, security, admin\ntoy-add = admin\n" in access
    application = (tree / "platforms/onos/oar/src/main/oar/toy/app.xml").read_text()
    assert 'title="A toy &amp; more"' in application
    assert "<description>Does &lt;nothing&gt;.</description>" in application
    (tree / "apps/toys/app.json").unlink()
    apps.write(tree)
    assert "toys" not in (tree / "pom.xml").read_text()


def test_an_app_that_says_too_little_is_refused(tree: Path) -> None:
    _add(tree, {"name": "toy"})
    with pytest.raises(UserError, match="its fields are name; they must be category"):
        apps.apps(tree)


def test_no_two_modules_describe_schemas_of_one_name() -> None:
    """The controller joins the documents of modules, where one of two schemas of a name would describe both answers."""
    described = [
        name
        for file in sorted(ROOT.glob("apps/*/src/main/openapi/schemas.json"))
        for name in json.loads(file.read_text())["components"]["schemas"]
    ]
    for file in sorted(ROOT.glob("apps/*/src/main/java/**/*.java")):
        described += re.findall(r'\.named\("(\w+)"\)', file.read_text())
    assert len(described) == len(set(described)), sorted(name for name in set(described) if described.count(name) > 1)


def test_a_role_that_does_not_exist_is_told(tree: Path) -> None:
    _add(tree, {**_TOY, "commands": {"root": ["toy-add"]}})
    with pytest.raises(UserError, match="there is no role root; the roles are viewer, operator, security, admin"):
        apps.apps(tree)
