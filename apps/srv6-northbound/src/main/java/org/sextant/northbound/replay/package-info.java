// SPDX-License-Identifier: Apache-2.0
/** Repeats recordings of the engine with the kinds of all apps. */
@NullMarked
package org.sextant.northbound.replay;

import org.jspecify.annotations.NullMarked;
