// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent;

/** What an intent has of a link, by its id, in kbit/s. */
public record Reservation(String link, IntentRef intent, Standing standing, long kbps) {}
