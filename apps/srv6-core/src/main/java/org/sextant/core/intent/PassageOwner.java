// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent;

/** Who leads packets of users somewhere. */
interface PassageOwner {

    /** In messages, for example {@code policy "p1"}. */
    String called();
}
