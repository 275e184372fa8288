# SPDX-License-Identifier: Apache-2.0
"""The findings of the check of Java packages."""

from pathlib import Path

from sextantlab import java_packages


def _found(root: Path, files: dict[str, str]) -> list[str]:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return list(java_packages.problems(root, sorted(root.rglob("*.java"))))


def test_a_circle_that_only_a_constant_closes_is_one(tmp_path: Path) -> None:
    found = _found(
        tmp_path,
        {
            "apps/a/src/main/java/A.java": "package org.a;\nimport org.a.plan.Plan;\nclass A {}\n",
            "apps/a/src/main/java/Plan.java": "package org.a.plan;\nimport static org.a.A.NAME;\nclass Plan {}\n",
        },
    )
    assert len(found) == 1
    assert found[0].startswith("packages that know each other: ")


def test_apps_know_what_they_share_and_nothing_of_each_other(tmp_path: Path) -> None:
    found = _found(
        tmp_path,
        {
            "apps/srv6-kit/src/main/java/K.java": "package org.kit;\nclass K {}\n",
            "apps/a/src/main/java/A.java": "package org.a;\nimport org.kit.K;\nclass A {}\n",
            "apps/b/src/main/java/B.java": "package org.b;\nimport org.a.A;\nimport org.kit.K;\nclass B {}\n",
            "apps/b/src/test/java/T.java": "package org.b;\nimport org.a.A;\nclass T {}\n",
        },
    )
    assert found == ["org.b: an app knows another one (org.a); what both need belongs to srv6-kit"]


def test_layers_know_what_stands_below_them(tmp_path: Path) -> None:
    found = _found(
        tmp_path,
        {
            "apps/srv6-core/src/main/java/S.java": "package org.sextant.core.sid;\nimport org.sextant.core.port.P;\n",
            "apps/srv6-core/src/main/java/P.java": "package org.sextant.core.port;\nimport org.sextant.core.ip.I;\n",
            "apps/srv6-core/src/main/java/I.java": "package org.sextant.core.ip;\nimport java.util.List;\n",
            "apps/srv6-kit/src/main/java/K.java": "package org.sextant.kit;\nclass K { javax.ws.rs.Path p; }\n",
            "apps/a/src/main/java/C.java": "package org.sextant.a.plan;\nimport static org.osgi.F.X;\n",
            "apps/a/src/main/java/A.java": "package org.sextant.a;\nimport javax.ws.rs.GET;\nimport org.h2.M;\n",
            "platforms/karaf/src/main/java/H.java": "package org.sextant.karaf;\nimport io.grpc.C;\n"
            "import org.sextant.core.port.P;\nimport org.sextant.kit.K;\n",
            "platforms/onos/src/main/java/O.java": "package org.sextant.onos.d;\nimport org.onlab.packet.M;\n"
            "import org.sextant.onos.e.E;\nimport org.sextant.karaf.H;\n",
        },
    )
    assert found == [
        "org.sextant.a knows org.h2: that is org.sextant.karaf's alone",
        "org.sextant.a.plan knows org.osgi: compilers and the words of intents know no host, no HTTP and no shell",
        "org.sextant.core.sid knows org.sextant.core.port: values know no one who uses them",
        "org.sextant.karaf knows org.sextant.kit: of the project, hosts know the core alone",
        "org.sextant.kit knows javax.ws.rs: what apps are made of knows no host, no HTTP and no shell",
        "org.sextant.onos.d knows org.sextant.karaf: that is org.sextant.karaf's alone",
        "org.sextant.onos.d knows org.sextant.karaf: of the project, hosts know the core alone",
    ]


def test_a_room_of_the_engine_knows_those_below_it(tmp_path: Path) -> None:
    engine = "apps/srv6-core/src/main/java"
    intent = "org.sextant.core.intent"
    found = _found(
        tmp_path,
        {
            f"{engine}/D.java": f"package {intent}.desired;\nimport {intent}.install.I;\nimport {intent}.P;\n",
            f"{engine}/O.java": f"package {intent}.orphan;\nimport {intent}.status.S;\n",
            "apps/a/src/main/java/A.java": f"package org.sextant.a;\nimport {intent}.P;\nimport {intent}.install.I;\n",
            "platforms/karaf/src/main/java/H.java": f"package org.sextant.karaf;\nimport {intent}.engine.E;\n",
        },
    )
    assert found == [
        f"org.sextant.a knows {intent}.install: rooms of the engine are known to the engine alone",
        f"{intent}.orphan knows {intent}.status: a room of the engine knows one above it",
    ]
