// SPDX-License-Identifier: Apache-2.0
/** Neighbor discovery and ARP on behalf of nodes that have no kernel for it. */
package org.sextant.karaf.host.neighbors;
