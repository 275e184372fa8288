// SPDX-License-Identifier: Apache-2.0
package org.sextant.livelive.service;

import java.util.Optional;

/**
 * The counters of one direction, read so that no packet on its way is taken for a lost one: what {@code before} counts has
 * arrived or will not, and what {@code after} does not count arrives later. What a node did not tell is empty.
 */
record Reading(Optional<Sent> before, Optional<Arrivals> arrivals, Optional<Sent> after) {
    static final Reading NOTHING = new Reading(Optional.empty(), Optional.empty(), Optional.empty());

    /** Whether the ingress told what it sent. */
    boolean counted() {
        return before.isPresent() && after.isPresent();
    }
}
