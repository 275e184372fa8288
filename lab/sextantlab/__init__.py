# SPDX-License-Identifier: Apache-2.0
"""What ./sextant does: building, the lab in network namespaces, the demo and the test suites. Standard library only."""
