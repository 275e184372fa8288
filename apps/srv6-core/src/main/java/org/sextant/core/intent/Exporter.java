// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent;

/**
 * An intent that offers something under a name ({@link IntentKind#offersUnder}).
 *
 * @param offer a value
 */
public record Exporter(IntentRef ref, Object offer) {}
