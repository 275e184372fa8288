// SPDX-License-Identifier: Apache-2.0
/** What the network does before anybody steers a packet: SIDs, adjacencies and shortest paths, as the nodes have them. */
package org.sextant.core.underlay;
