// SPDX-License-Identifier: Apache-2.0
package org.sextant.kit;

import org.sextant.core.intent.Pool;

/** The ids of segment lists, which the lists of all apps at a node share; 32 bits, 0 is nobody's. */
public final class SidLists {

    /** Every intent has four of its own: most need no more, and never have to ask. From 0xf0000000 on are those of repairs. */
    public static final Pool IDS = new Pool("sid_list", 0, 0xefff_ffffL, 4);

    private SidLists() {}
}
