// SPDX-License-Identifier: Apache-2.0
/**
 * The intent engine, written once for all apps: an app gives an {@link org.sextant.core.intent.IntentKind}, callers use
 * {@link org.sextant.core.intent.Intents}.
 */
package org.sextant.core.intent;
