# SPDX-License-Identifier: Apache-2.0
"""The parts of a packet test: a node to program, its wires, and packets."""
