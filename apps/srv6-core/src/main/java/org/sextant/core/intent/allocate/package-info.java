// SPDX-License-Identifier: Apache-2.0
/**
 * The numbers of pools and the capacity of links: which intent has what, and which gives way.
 *
 * <p>Used by the event loop only, unless a method says otherwise.
 */
package org.sextant.core.intent.allocate;
