// SPDX-License-Identifier: Apache-2.0
/** Peers: for whom the edge of the SR domain is open (docs/reference/edge-peers.md). */
@NullMarked
package org.sextant.edge;

import org.jspecify.annotations.NullMarked;
