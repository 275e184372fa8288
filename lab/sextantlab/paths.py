# SPDX-License-Identifier: Apache-2.0
"""Where things are in the repository."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / "build"
LOGS = BUILD / "logs"
LAB = ROOT / "lab"
AGENT_DIR = ROOT / "agent"
GO_TOOLS_DIR = AGENT_DIR / "tools" / "lint"
VALE_DIR = AGENT_DIR / "tools" / "words"
AGENT = AGENT_DIR / "bin" / "sextant-agent"
N4 = AGENT_DIR / "bin" / "sextant-n4"
FLOOD = AGENT_DIR / "bin" / "flood"
EXPLAIN_JAR = ROOT / "apps/srv6-usid/target/srv6-usid-0.1.0-SNAPSHOT-explain.jar"
VENV = BUILD / "venv"
CERTS = BUILD / "certs"
WEB = ROOT / "web"


def relative(path: Path) -> str:
    """The path as a person in the repository would type it."""
    try:
        return str(path.relative_to(Path.cwd()))
    except ValueError:
        return str(path)
