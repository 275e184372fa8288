// SPDX-License-Identifier: Apache-2.0
/**
 * The intent engine, written once for all apps: an app gives an {@link org.sextant.core.intent.IntentKind}, callers use
 * {@link org.sextant.core.intent.Intents}, a host runs one {@link org.sextant.core.intent.IntentEngine}.
 */
package org.sextant.core.intent;
