// SPDX-License-Identifier: Apache-2.0
/**
 * Allocates the numbers of pools and the capacity of links to intents, and decides which intent yields.
 *
 * <p>Used by the event loop only, unless a method states otherwise.
 */
package org.sextant.core.intent.allocate;
