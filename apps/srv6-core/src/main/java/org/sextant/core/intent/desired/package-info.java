// SPDX-License-Identifier: Apache-2.0
/**
 * The intents as they are to be: admission and deletion, durable before they count, their plans, and the decisions between plans
 * that want the same ({@link org.sextant.core.intent.desired.DesiredState}).
 *
 * <p>Used by the event loop only, unless a method says otherwise.
 */
package org.sextant.core.intent.desired;
