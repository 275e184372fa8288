// SPDX-License-Identifier: Apache-2.0
package org.sextant.livelive;

/** The treatment of a flow if the network has fewer disjoint paths than requested. */
public enum Shortfall {
    /** Add paths that share as little as possible, and report the shared resources. */
    RELAX("relax"),
    /** Use the disjoint paths that exist. */
    OFFER("offer"),
    /** Reject the flow. If paths fail after its admission, it continues over the others. */
    REFUSE("refuse");

    private final String spelling;

    Shortfall(String spelling) {
        this.spelling = spelling;
    }

    /** The spelling in JSON and CLI. */
    public String spelling() {
        return spelling;
    }
}
