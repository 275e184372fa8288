// SPDX-License-Identifier: Apache-2.0
/** Compiles peers into table entries. */
@NullMarked
package org.sextant.edge.plan;

import org.jspecify.annotations.NullMarked;
