# SPDX-License-Identifier: Apache-2.0
"""The entries of apps in build files and packages, written from the folders of apps.

An app is a folder under apps/ with an app.json: its name in ONOS and the roles that may use its shell commands. Lists
in poms, features and access rules stand between marks, and are written by `./sextant fmt`; lint compares.
"""

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from .errors import UserError

_ARTIFACT = re.compile(r"</parent>\s*<artifactId>([^<]+)</artifactId>")
_FIELDS = {"name", "title", "category", "url", "description", "requires", "commands"}
_SPDX_XML = '<?xml version="1.0" encoding="UTF-8"?>\n<!-- SPDX-License-Identifier: Apache-2.0 -->\n'
# Not in the README.md: ONOS shows that to users as it stands.
_MARK = "<!-- Written by ./sextant fmt from apps/{}/app.json: do not edit. -->\n"


# Roles that cover a role, as in org.sextant.core.access.Role.
_COVERED_BY = {
    "viewer": ("viewer", "operator", "security", "admin"),
    "operator": ("operator", "admin"),
    "security": ("security", "admin"),
    "admin": ("admin",),
}


@dataclass(frozen=True)
class App:
    """One folder under apps/ that has an app.json. `requires` are ONOS applications; `commands` are by role."""

    folder: str
    artifact: str
    name: str
    title: str
    category: str
    url: str
    description: str
    requires: tuple[str, ...]
    commands: dict[str, tuple[str, ...]]


def apps(root: Path) -> list[App]:
    """All apps, by folder. Raises UserError for an app.json that is not one."""
    return [_app(file) for file in sorted(root.glob("apps/*/app.json"))]


def _app(file: Path) -> App:
    try:
        body: dict[str, Any] = json.loads(file.read_text())
    except ValueError as e:
        raise UserError(f"{file} is not JSON: {e}") from None
    if set(body) != _FIELDS:
        raise UserError(f"{file}: its fields are {', '.join(sorted(body))}; they must be {', '.join(sorted(_FIELDS))}")
    artifact = _ARTIFACT.search((file.parent / "pom.xml").read_text())
    if artifact is None:
        raise UserError(f"{file.parent / 'pom.xml'}: there is no artifactId behind its parent")
    strange = sorted(set(body["commands"]) - set(_COVERED_BY))
    if strange:
        raise UserError(f"{file}: there is no role {', '.join(strange)}; the roles are {', '.join(_COVERED_BY)}")
    commands = {role: tuple(names) for role, names in body["commands"].items()}
    return App(
        file.parent.name, artifact[1], body["name"], body["title"], body["category"], body["url"], body["description"],
        tuple(body["requires"]), commands,
    )  # fmt: skip


def _dependencies(indent: int, scope: str = "") -> Callable[[App], str]:
    lines = [
        "<dependency>",
        "  <groupId>org.sextant</groupId>",
        "  <artifactId>{}</artifactId>",
        "  <version>${{project.version}}</version>",
        *([f"  <scope>{scope}</scope>"] if scope else []),
        "</dependency>",
    ]
    template = "".join(f"{' ' * indent}{line}\n" for line in lines)
    return lambda app: template.format(app.artifact)


def _copied(app: App) -> str:
    return f"""\
          <execution>
            <id>{app.name}</id>
            <phase>package</phase>
            <goals>
              <goal>copy-dependencies</goal>
            </goals>
            <configuration>
              <includeArtifactIds>{app.artifact}</includeArtifactIds>
              <outputDirectory>${{oar.dir}}/{app.name}/m2</outputDirectory>
            </configuration>
          </execution>
"""


def _access(app: App) -> str:
    return "".join(
        f"{command} = {', '.join(_COVERED_BY[role])}\n"
        for role, commands in app.commands.items()
        for command in commands
    )


# The lists of apps: the file, the list's name in its marks, and its text for each app.
_LISTS: tuple[tuple[str, str, Callable[[App], str]], ...] = (
    ("pom.xml", "modules", lambda app: f"    <module>apps/{app.folder}</module>\n"),
    ("pom.xml", "dependencies", _dependencies(6)),
    ("web/pom.xml", "dependencies", _dependencies(4, "provided")),
    ("platforms/karaf/features/pom.xml", "dependencies", _dependencies(4)),
    ("platforms/karaf/features/src/main/feature/features.xml", "bundles",
     lambda app: f"    <bundle>mvn:org.sextant/{app.artifact}/${{project.version}}</bundle>\n"),
    ("platforms/karaf/distribution/src/main/resources/etc/org.apache.karaf.command.acl.srv6.cfg", "commands", _access),
    ("platforms/onos/oar/pom.xml", "dependencies", _dependencies(4)),
    ("platforms/onos/oar/pom.xml", "copies", _copied),
    ("platforms/onos/oar/pom.xml", "archives",
     lambda app: f'                <application folder="{app.name}"/>\n'),
)  # fmt: skip


def written(root: Path) -> dict[Path, str]:
    """Every file that names apps, as it should be."""
    known = apps(root)
    files: dict[Path, str] = {}
    for name, mark, of_app in _LISTS:
        path = root / name
        text = files.get(path) or path.read_text()
        files[path] = _replaced(path, text, mark, "".join(map(of_app, known)))
    for app in known:
        folder = root / "platforms/onos/oar/src/main/oar" / app.name
        files |= {folder / "app.xml": _application(app), folder / "features.xml": _feature(app),
                  folder / "README.md": _readme(app)}  # fmt: skip
    return files


def _replaced(path: Path, text: str, mark: str, entries: str) -> str:
    """The text with a list exchanged; it begins behind the line with its mark and ends before that with "end of" it."""
    begin = re.compile(rf"^.*\bapps: {mark}\b.*\n", re.MULTILINE).search(text)
    end = re.compile(rf"^.*\bend of apps: {mark}\b.*\n", re.MULTILINE).search(text)
    if begin is None or end is None or end.start() < begin.end():
        raise UserError(f"{path}: the marks of the list of apps ({mark}) are gone")
    return text[: begin.end()] + entries + text[end.start() :]


def _application(app: App) -> str:
    name = f"org.sextant.{app.name}"
    return f"""{_SPDX_XML}{_MARK.format(app.folder)}\
<app name={quoteattr(name)} origin="Sextant" version="@VERSION@" title={quoteattr(app.title)}
        category={quoteattr(app.category)}
        url={quoteattr(app.url)}
        featuresRepo="mvn:org.sextant/onos-{app.name}/@VERSION@/xml/features" features={quoteattr(name)}
        apps={quoteattr(",".join(app.requires))}>
    <description>{escape(app.description)}</description>
    <artifact>mvn:org.sextant/{app.artifact}/@VERSION@</artifact>
</app>
"""


def _feature(app: App) -> str:
    name = f"org.sextant.{app.name}"
    return f"""{_SPDX_XML}{_MARK.format(app.folder)}\
<features xmlns="http://karaf.apache.org/xmlns/features/v1.2.0" name="{name}-@VERSION@">
    <feature name="{name}" version="@VERSION@" description={quoteattr(app.title)}>
        <feature>onos-api</feature>
        <bundle>mvn:org.sextant/{app.artifact}/@VERSION@</bundle>
    </feature>
</features>
"""


def _readme(app: App) -> str:
    return f"# {app.title}\n\n{app.description}\n\nNeeds {' and '.join(app.requires)}.\n"


def problems(root: Path) -> Iterator[str]:
    """Files whose entries differ from the apps."""
    for path, text in written(root).items():
        if not path.exists() or path.read_text() != text:
            yield f"{path.relative_to(root)}: not as the folders of apps say; run ./sextant fmt"


def write(root: Path) -> None:
    """Writes the files that differ."""
    for path, text in written(root).items():
        if not path.exists() or path.read_text() != text:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
