// SPDX-License-Identifier: Apache-2.0
/**
 * Statuses of intents, entries and nodes for readers, and the reports between controllers.
 *
 * <p>Used by the event loop only, unless a method states otherwise.
 */
package org.sextant.core.intent.status;
