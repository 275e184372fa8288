# SPDX-License-Identifier: Apache-2.0
"""The contract's actions segments_1 to segments_16; P4 has no loops. Written by `./sextant fmt`, compared by lint."""

from collections.abc import Iterator
from pathlib import Path

LONGEST = 16
_ON_EVERY_TARGET = 6
_FILE = Path("pipeconfs/p4src/fixed/segments.p4")

_HEAD = """\
// SPDX-License-Identifier: Apache-2.0
// Written by ./sextant fmt (lab/sextantlab/segments.py): do not edit. Included by sid_list.p4 in its control.
"""


def text() -> str:
    """The file as it should be: an action for every length of list, and the lists of actions to choose from."""
    actions = "".join(f"\n{_action(length)}" for length in range(1, LONGEST + 1))
    choices = "".join(_choice(longest) for longest in range(1, LONGEST + 1))
    return f"{_HEAD}{actions}\n    // How long a list a target pushes: one of these is its SEGMENTS.\n{choices}"


def _action(length: int) -> str:
    """The segments in an SRH are in reverse order (RFC 8754, 2), and without the first, which is the destination."""
    parameters = ",\n".join(f"            @id({n}) ipv6_t_addr segment_{n}" for n in range(1, length + 1))
    pushed = "".join(
        f"        hdr.outer_segments[{index}].setValid();\n"
        f"        hdr.outer_segments[{index}].sid = segment_{number};\n"
        for index, number in enumerate(range(length, 1, -1))
    )
    unused = '    @noWarn("unused")\n' if length > _ON_EVERY_TARGET else ""
    return (
        f"    @id(SEGMENTS_{length}_ACTION_ID)\n{unused}    action segments_{length}(\n{parameters}) {{\n"
        f"        first(segment_1, {length});\n{pushed}    }}\n"
    )


def _choice(longest: int) -> str:
    shorter = f"SEGMENTS_1_TO_{longest - 1} " if longest > 1 else ""
    return f"    #define SEGMENTS_1_TO_{longest} {shorter}segments_{longest};\n"


def problems(root: Path) -> Iterator[str]:
    """The fault of the file of this checkout, if any."""
    path = root / _FILE
    if not path.exists() or path.read_text() != text():
        yield f"{_FILE}: not as it is written by ./sextant fmt"


def write(root: Path) -> None:
    """Writes the file if it is not as it should be."""
    if any(problems(root)):
        (root / _FILE).write_text(text())
