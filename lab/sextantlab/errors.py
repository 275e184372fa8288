# SPDX-License-Identifier: Apache-2.0
"""Errors that a user can act on."""


class UserError(Exception):
    """What is wrong, where, and the remedy, in one sentence. Printed without a stack trace; exit code 1."""


class UsageError(Exception):
    """The command line is wrong. One line; exit code 2."""
