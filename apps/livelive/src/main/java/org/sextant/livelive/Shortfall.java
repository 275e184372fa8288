// SPDX-License-Identifier: Apache-2.0
package org.sextant.livelive;

/** What to do where the network has fewer disjoint paths than asked for. */
public enum Shortfall {
    /** Add paths that share as little as possible, and say what they share. */
    RELAX("relax"),
    /** Take the disjoint ones there are. */
    OFFER("offer"),
    /** Do not accept the flow. One that was accepted goes on over what is left when paths fail later. */
    REFUSE("refuse");

    private final String spelling;

    Shortfall(String spelling) {
        this.spelling = spelling;
    }

    /** As JSON and CLI write it. */
    public String spelling() {
        return spelling;
    }
}
