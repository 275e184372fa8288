# SPDX-License-Identifier: Apache-2.0
"""A node by the texts of the RFCs, and packets beyond those that are written by hand."""
