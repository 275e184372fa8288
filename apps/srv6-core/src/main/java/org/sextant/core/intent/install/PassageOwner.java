// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent.install;

/** The owner of passages: an intent that steers user traffic, or the orphaned entries of one. */
public interface PassageOwner {

    /** In messages, for example {@code policy "p1"}. */
    String called();
}
