# SPDX-License-Identifier: Apache-2.0
"""Errors that a user can act on."""


class UserError(Exception):
    """The fault, its place, and the remedy, in one sentence. Printed without a stack trace; exit code 1."""


class UsageError(Exception):
    """The command line is wrong. One line; exit code 2."""
