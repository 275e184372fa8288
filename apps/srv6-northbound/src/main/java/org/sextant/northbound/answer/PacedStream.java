// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.answer;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/**
 * Gives up a client that reads at less than a least rate: the time of writing to it counts, not that of making the
 * bytes.
 */
final class PacedStream extends FilterOutputStream {
    private static final long GRACE_NANOS = 10_000_000_000L;
    private static final long LEAST_BYTES_PER_SECOND = 10_000;

    private final long graceNanos;
    private long bytes;
    private long nanos;

    PacedStream(OutputStream out) {
        this(out, GRACE_NANOS);
    }

    /** @param graceNanos how long writing may take before the rate counts */
    PacedStream(OutputStream out, long graceNanos) {
        super(out);
        this.graceNanos = graceNanos;
    }

    @Override
    public void write(int one) throws IOException {
        write(new byte[] {(byte) one}, 0, 1);
    }

    @Override
    public void write(byte[] from, int offset, int length) throws IOException {
        long start = System.nanoTime();
        out.write(from, offset, length);
        nanos += System.nanoTime() - start;
        bytes += length;
        if (nanos > graceNanos && bytes < LEAST_BYTES_PER_SECOND * ((nanos - graceNanos) / 1e9)) {
            throw new IOException("the client reads too slowly");
        }
    }
}
