// SPDX-License-Identifier: Apache-2.0
package org.sextant.livelive.path;

/** The resources that paths of a flow do not share between ingress and egress. Each value includes those before it. */
public enum Disjointness {
    /** No link. */
    LINK("link"),
    /** No link and no node. */
    NODE("node"),
    /** No link, no node and no shared-risk link group (RFC 8800, 3.1 names the same three). */
    SRLG("srlg");

    private final String spelling;

    Disjointness(String spelling) {
        this.spelling = spelling;
    }

    /** The spelling in JSON and CLI. */
    public String spelling() {
        return spelling;
    }

    boolean nodes() {
        return this != LINK;
    }

    boolean groups() {
        return this == SRLG;
    }
}
