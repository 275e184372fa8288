// SPDX-License-Identifier: Apache-2.0
/**
 * Entries that nodes may still hold and no intent has any more: remembered durably, until the node was seen without them.
 *
 * <p>Used by the event loop only, unless a method says otherwise.
 */
package org.sextant.core.intent.orphan;
