// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent;

/** The capacity that an intent has reserved of a link, by the link's id, in kbit/s. */
public record Reservation(String link, IntentRef intent, SetupHoldPriority standing, long kbps) {}
