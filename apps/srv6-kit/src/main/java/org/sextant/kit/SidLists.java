// SPDX-License-Identifier: Apache-2.0
package org.sextant.kit;

import org.sextant.core.intent.Pool;

/** The ids of segment lists, which the lists of all apps at a node share; 32 bits; 0 is never assigned. */
public final class SidLists {

    /** Every intent has four reserved ids, which suffice for most. Repair lists have the ids from 0xf0000000 on. */
    public static final Pool IDS = new Pool("sid_list", 0, 0xefff_ffffL, 4);

    private SidLists() {}
}
