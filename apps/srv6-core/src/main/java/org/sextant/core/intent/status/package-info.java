// SPDX-License-Identifier: Apache-2.0
/**
 * What readers see of intents, entries and nodes, and what controllers report to each other.
 *
 * <p>Used by the event loop only, unless a method says otherwise.
 */
package org.sextant.core.intent.status;
