// SPDX-License-Identifier: Apache-2.0
/** Peers: exceptions of the SR domain's edge filter (docs/reference/edge-peers.md). */
@NullMarked
package org.sextant.edge;

import org.jspecify.annotations.NullMarked;
