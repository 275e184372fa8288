// SPDX-License-Identifier: Apache-2.0
/** Peers as rows of nodes. */
@NullMarked
package org.sextant.edge.plan;

import org.jspecify.annotations.NullMarked;
