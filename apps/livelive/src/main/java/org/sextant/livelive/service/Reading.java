// SPDX-License-Identifier: Apache-2.0
package org.sextant.livelive.service;

import java.util.Optional;

/**
 * The counters of one direction, read so that packets in flight do not count as lost: those in {@code before} have
 * arrived or never will, and those not in {@code after} arrive later. Counters that a node does not report are empty.
 */
record Reading(Optional<IngressCounters> before, Optional<Arrivals> arrivals, Optional<IngressCounters> after) {
    static final Reading NOTHING = new Reading(Optional.empty(), Optional.empty(), Optional.empty());

    /** Is true if the ingress reported its counters. */
    boolean counted() {
        return before.isPresent() && after.isPresent();
    }
}
