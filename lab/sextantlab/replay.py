# SPDX-License-Identifier: Apache-2.0
"""`./sextant replay`: repeats a recording of a controller's engine with the kinds of all apps."""

import json
import re
import subprocess
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from .errors import UserError
from .paths import ROOT

_SYSTEM = ROOT / "platforms/karaf/distribution/target/assembly/system"
_MAIN = "org.sextant.northbound.replay.ReplayCommand"
_APP = "org.sextant.kit.app.SrApp"


def run(recording: Path, *, as_json: bool) -> int:
    """0 if all decisions are those of the recording, 1 if one is not."""
    jars = sorted(_SYSTEM.rglob("*.jar"))
    path = ":".join(str(jar) for jar in jars)
    done = subprocess.run(
        ["java", "-Xmx2g", "-cp", path, _MAIN, str(recording), *sorted(_apps(_SYSTEM.glob("org/sextant/**/*.jar")))],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise UserError(f"{recording} cannot be repeated:\n{done.stderr.strip()}")
    result = json.loads(done.stdout)
    if result["messages"] == 0 and "cut" in result:
        raise UserError(f"{recording} is no recording of an engine: {_shortened(result['cut'])}")
    print(json.dumps(result) if as_json else "\n".join(_text(result)))
    return 1 if "divergence" in result else 0


def _apps(jars: Iterable[Path]) -> Iterator[str]:
    """The classes that offer an app, by the descriptors of OSGi components in the bundles."""
    for jar in jars:
        with zipfile.ZipFile(jar) as bundle:
            for name in bundle.namelist():
                if name.startswith("OSGI-INF/") and name.endswith(".xml"):
                    component = bundle.read(name).decode()
                    if f'<provide interface="{_APP}"' in component:
                        yield from re.findall(r'<implementation class="([^"]+)"', component)


def _text(result: dict[str, Any]) -> Iterator[str]:
    divergence = result.get("divergence")
    if divergence:
        yield f"{result['messages']} messages repeated; the next one leads to something else than was recorded."
        yield f"message {divergence['number']}: {_shortened(divergence['message'])}"
        yield _shortened(divergence["text"])
    else:
        yield f"{result['messages']} messages repeated, each with the calls that were recorded."
    if "cut" in result:
        yield f"The recording ends early: {_shortened(result['cut'])}"
    for kind, states in result["intents"].items():
        yield f"  {kind}: " + ", ".join(f"{count} {state}" for state, count in states.items())


def _shortened(text: str, most: int = 500) -> str:
    """The first line, or its beginning."""
    line = text.partition("\n")[0]
    return line if len(line) <= most else f"{line[:most]}…"
