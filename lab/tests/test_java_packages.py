# SPDX-License-Identifier: Apache-2.0
"""What the check of Java packages finds."""

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
