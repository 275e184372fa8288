// SPDX-License-Identifier: Apache-2.0
/** The edge in REST and the shell. */
@NullMarked
package org.sextant.edge.app;

import org.jspecify.annotations.NullMarked;
