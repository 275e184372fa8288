// SPDX-License-Identifier: Apache-2.0
/**
 * The desired state of intents: admission and deletion, durable before they count, their plans, and the decisions
 * between plans in conflict ({@link org.sextant.core.intent.desired.DesiredState}).
 *
 * <p>Used by the event loop only, unless a method states otherwise.
 */
package org.sextant.core.intent.desired;
