// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent;

/** An intent and its kind, where a list has several kinds. */
public record IntentRequest<I>(IntentKind<I> kind, I intent) {}
