// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.port;

import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/**
 * A controller of a cluster, in the view of this controller.
 *
 * @param id the cluster's name of it; not empty
 * @param address where the others reach it; "" if none of them has to
 * @param version of Sextant; "" if it is not known, as of another controller
 * @param since when it came into its state, by the clock of this controller; empty if that is not known
 * @param self true if it is this controller
 */
public record Member(String id, String address, String version, State state, Optional<Instant> since, boolean self) {

    /** The state of a member in the cluster. */
    public enum State {
        /** It works, and may act for nodes. */
        READY,
        /** The others receive its heartbeats, and it is not ready to work. */
        STARTING,
        /** The others receive no heartbeats of it. */
        LOST
    }

    public Member {
        if (id.isEmpty()) {
            throw new IllegalArgumentException("a member of a cluster has an id");
        }
        Objects.requireNonNull(address);
        Objects.requireNonNull(version);
        Objects.requireNonNull(state);
        Objects.requireNonNull(since);
    }

    /** A controller without a cluster. */
    public static Member alone(String version, Instant since) {
        return new Member(ALONE, "", version, State.READY, Optional.of(since), true);
    }

    /** The id of a controller without a cluster. */
    public static final String ALONE = "controller";
}
