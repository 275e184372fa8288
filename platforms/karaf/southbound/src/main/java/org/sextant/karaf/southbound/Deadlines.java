// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.southbound;

/**
 * How long a call may take before the node counts as lost.
 *
 * @param arbitrationMillis from opening the stream to the node's first answer
 * @param configMillis pushing a pipeline; bmv2 loads a program in milliseconds, hardware in seconds
 * @param writeMillis one batch of updates
 * @param readMillis all tables
 * @param probeIntervalMillis pause between signs of life that an idle connection asks for
 */
record Deadlines(
        long arbitrationMillis, long configMillis, long writeMillis, long readMillis, long probeIntervalMillis) {
    static final Deadlines DEFAULT = new Deadlines(5_000, 30_000, 30_000, 60_000, 10_000);
}
