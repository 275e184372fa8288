# SPDX-License-Identifier: Apache-2.0
"""Frames are sent a batch at a time."""

import ctypes

from sextantlab.blast import Message


def test_messages_are_where_the_kernel_looks_for_them() -> None:
    """struct mmsghdr on machines of 64 bits: a struct msghdr of 56 bytes, padded, and the length."""
    assert ctypes.sizeof(Message) == 64
    assert Message.sent.offset == 56
