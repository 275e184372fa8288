// SPDX-License-Identifier: Apache-2.0
/**
 * Intents: the interface of apps ({@link org.sextant.core.intent.IntentKind}), and that of callers
 * ({@link org.sextant.core.intent.Intents}). The packages below form the engine that installs intents, written once for
 * all apps.
 */
package org.sextant.core.intent;
