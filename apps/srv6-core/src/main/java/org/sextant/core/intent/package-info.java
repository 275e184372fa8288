// SPDX-License-Identifier: Apache-2.0
/**
 * Intents: what an app gives ({@link org.sextant.core.intent.IntentKind}), and what callers use
 * ({@link org.sextant.core.intent.Intents}). The packages below are the rooms of the engine that installs them, written once for all
 * apps.
 */
package org.sextant.core.intent;
