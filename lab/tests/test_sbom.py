# SPDX-License-Identifier: Apache-2.0
"""All shipped components are known, and their licences are allowed."""

import io
import json
import tarfile
import zipfile
from pathlib import Path

import pytest
from sextantlab import build, sbom
from sextantlab.errors import UserError
from sextantlab.sbom import Component


@pytest.fixture(scope="module")
def shipped() -> list[Component]:
    build.controller()
    build.agent()
    build.n4()
    return sbom.shipped()


def test_everything_that_is_shipped_has_a_licence_that_is_allowed(shipped: list[Component]) -> None:
    assert sbom.refused(shipped) == []


def test_what_is_shipped_is_found_wherever_it_is(shipped: list[Component]) -> None:
    """A bundle, a jar within one of ours, classes merged into one of ours, a Go module, an npm package."""
    purls = {one.purl.rpartition("@")[0] for one in shipped}
    assert purls >= {
        "pkg:maven/org.eclipse.jetty/jetty-server", "pkg:maven/com.google.protobuf/protobuf-java",
        "pkg:maven/info.picocli/picocli",
        "pkg:maven/com.h2database/h2-mvstore", "pkg:maven/org.xerial/sqlite-jdbc",
        "pkg:golang/github.com/cilium/ebpf", "pkg:npm/cytoscape",
    }  # fmt: skip
    assert not any("org.sextant" in purl for purl in purls)


def test_the_document_is_cyclonedx_and_the_same_for_the_same(shipped: list[Component]) -> None:
    document = sbom.document(shipped)
    assert (document["bomFormat"], document["specVersion"]) == ("CycloneDX", "1.5")
    assert document == sbom.document(reversed(shipped))
    references = [one["bom-ref"] for one in document["components"]]
    assert len(references) == len(set(references))
    assert all({"type", "name", "version", "purl", "licenses"} <= one.keys() for one in document["components"])


def assembly(folder: Path, **jars: dict[str, bytes]) -> Path:
    """An assembly of jars, by their paths (__ for a slash), each with its files."""
    file = folder / "sextant.tar.gz"
    with tarfile.open(file, "w:gz") as archive:
        for path, content in jars.items():
            data = io.BytesIO()
            with zipfile.ZipFile(data, "w") as jar:
                for name, body in content.items():
                    jar.writestr(name, body)
            member = tarfile.TarInfo("sextant/" + path.replace("__", "/").replace("_dot_", ".").replace("_minus_", "-"))
            member.size = data.tell()
            data.seek(0)
            archive.addfile(member, data)
    return file


def test_a_licence_that_is_not_allowed_is_told(tmp_path: Path) -> None:
    jar = {"META-INF/MANIFEST.MF": b"Bundle-License: GNU Affero General Public License\n"}
    parts = list(sbom.java(assembly(tmp_path, system__org__x__y__1_dot_0__y_minus_1_dot_0_dot_jar=jar)))
    assert sbom.refused(parts) == ["pkg:maven/org.x/y@1.0: AGPL-3.0-only"]
    plain = list(sbom.java(assembly(tmp_path, system__org__x__y__1_dot_0__y_minus_1_dot_0_dot_jar={"a": b""})))
    assert sbom.refused(plain) == ["pkg:maven/org.x/y@1.0: no licence is to be found"]


def test_one_allowed_licence_of_several_is_enough() -> None:
    assert sbom.refused([Component("pkg:npm/a@1", "a", "1", ("GPL-2.0-only", "MIT"))]) == []
    assert sbom.refused([Component("pkg:npm/a@1", "a", "1", ("GPL-2.0-only",))]) != []


def test_classes_of_others_in_our_jars_must_be_known(tmp_path: Path) -> None:
    ours = {"org/sextant/A.class": b"", "com/other/B.class": b""}
    path = "system__org__sextant__core__0_dot_1__core_minus_0_dot_1_dot_jar"
    with pytest.raises(UserError, match="has classes of com/other"):
        list(sbom.java(assembly(tmp_path, **{path: ours})))


def test_what_only_builds_is_not_shipped(tmp_path: Path) -> None:
    lock = tmp_path / "package-lock.json"
    lock.write_text(
        json.dumps(
            {
                "packages": {
                    "": {"name": "web"},
                    "node_modules/@a/b": {"version": "1.2.3", "license": "(MIT OR Apache-2.0)"},
                    "node_modules/tool": {"version": "1.0.0", "dev": True},
                }
            }
        )
    )
    assert list(sbom.npm(lock)) == [Component("pkg:npm/%40a/b@1.2.3", "@a/b", "1.2.3", ("MIT", "Apache-2.0"))]
