// SPDX-License-Identifier: Apache-2.0
/** The underlay, before any policy: SIDs, adjacencies and shortest paths, as the nodes have them. */
package org.sextant.core.underlay;
