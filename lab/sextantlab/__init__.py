# SPDX-License-Identifier: Apache-2.0
"""The commands of ./sextant: building, the lab in network namespaces, the demo and the test suites. Standard library
only.
"""
