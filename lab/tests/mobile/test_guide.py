# SPDX-License-Identifier: Apache-2.0
"""The guide docs/guide/slice.md: each command of a console block runs, and prints the lines below it."""

from guide import GUIDES, OF_THE_LAB, commands, follow
from slices import Mobile


def test_commands_of_the_guide_to_slices_print_the_lines_below_them(mobile: Mobile) -> None:
    followed = [one for one in commands(GUIDES / "slice.md") if not one.words.startswith(OF_THE_LAB)]
    follow("slice.md", followed, mobile.lab.instance)
