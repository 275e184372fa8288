// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.port;

import java.time.Duration;

/**
 * The work of the store. Like {@link Telemetry} it is for display: a host that cannot report leaves the service out.
 */
public interface StoreTelemetry {

    /** The work so far; from any thread, and it waits for no commit. */
    Load load();

    /**
     * The work of a store since it was opened.
     *
     * @param bytes of its files now
     * @param commits that were made, or whose conditions did not hold
     * @param refused commits that failed, after which the store was not certain or had no room
     * @param committing the time of all commits that were made together, until each was durable
     */
    record Load(long bytes, long commits, long refused, Duration committing) {}
}
