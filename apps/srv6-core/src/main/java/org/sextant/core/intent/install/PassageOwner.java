// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent.install;

/** Who leads packets of users somewhere. */
public interface PassageOwner {

    /** In messages, for example {@code policy "p1"}. */
    String called();
}
