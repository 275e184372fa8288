// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.protect;

import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * A risk that a destination is not protected from although protection was requested, with the reason.
 *
 * @param srlgs the shared risks, if it is those
 */
public record Gap(What what, Why why, SortedSet<Integer> srlgs) {
    public Gap {
        srlgs = Collections.unmodifiableSortedSet(new TreeSet<>(srlgs));
    }

    /** A gap without shared risks. */
    public Gap(What what, Why why) {
        this(what, why, new TreeSet<>());
    }

    /** The kinds of failing elements. */
    public enum What {
        LINK("link"),
        NODE("node"),
        SRLG("srlg");

        private final String text;

        What(String text) {
            this.text = text;
        }

        /** The name in topology files. */
        public String text() {
            return text;
        }
    }

    /** The reason why there is no repair. */
    public enum Why {
        DESTINATION("it is the destination itself"),
        CUT("no way is left without it"),
        TOGETHER("a way is left without it, but none that stays clear of it and of all that the repair avoids"),
        NO_SIDS("nodes without SIDs are on every way that is left"),
        TOO_LONG("the list is longer than a node pushes"),
        NO_REPAIR_USID("no uSID is left under which repairs could reach it"),
        NOT_OFFERED("the node's data plane keeps no repairs"),
        NO_SOURCE("the node has no SRv6 configuration, so it pushes no header");

        private final String text;

        Why(String text) {
            this.text = text;
        }

        /** For operators, behind a colon. */
        public String text() {
            return text;
        }
    }
}
