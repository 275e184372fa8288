# SPDX-License-Identifier: Apache-2.0
"""What a packet test needs: a node to program, its wires, and packets."""
