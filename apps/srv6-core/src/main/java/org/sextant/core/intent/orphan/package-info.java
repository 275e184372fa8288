// SPDX-License-Identifier: Apache-2.0
/**
 * Entries that nodes may still hold and no intent has any more: recorded durably, until the node was seen without them.
 *
 * <p>Used by the event loop only, unless a method states otherwise.
 */
package org.sextant.core.intent.orphan;
