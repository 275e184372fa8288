# SPDX-License-Identifier: Apache-2.0
"""A node by the texts of the RFCs, and packets that nobody would write by hand."""
