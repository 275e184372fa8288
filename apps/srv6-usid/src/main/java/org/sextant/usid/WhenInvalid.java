// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid;

/** What becomes of a policy's traffic as long as no candidate path of it is valid. */
public enum WhenInvalid {
    /** It goes where it would without the policy. */
    UNDERLAY("underlay"),
    /** It is dropped at the headend (RFC 9256, 8.2). */
    DROP("drop"),
    /** It stays on the path that was the last valid one. */
    KEEP("keep");

    private final String spelling;

    WhenInvalid(String spelling) {
        this.spelling = spelling;
    }

    /** As JSON and CLI write it. */
    public String spelling() {
        return spelling;
    }
}
