// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid;

/** The treatment of a policy's traffic while no candidate path of it is valid. */
public enum WhenInvalid {
    /** It takes the underlay's route, as without the policy. */
    UNDERLAY("underlay"),
    /** It is dropped at the headend (RFC 9256, 8.2). */
    DROP("drop"),
    /** It stays on the last valid path. */
    KEEP("keep");

    private final String spelling;

    WhenInvalid(String spelling) {
        this.spelling = spelling;
    }

    /** The spelling in JSON and CLI. */
    public String spelling() {
        return spelling;
    }
}
