// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.rest;

import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The body of one request, as far as it has come. It draws its room from the budget that all bodies share and gives it
 * back when it is released. Filled by one thread, then read by another.
 */
final class Body {
    private static final int SEGMENT = 16 << 10;

    /** The most that one policy may have; more is a list. */
    private static final long SMALL = 64 << 10;

    private final Budget budget;
    private final List<byte[]> segments = new ArrayList<>();
    private long size;
    private long room;
    private boolean released;

    Body(Budget budget) {
        this.budget = budget;
    }

    long size() {
        return size;
    }

    /** Where to write next, {@link #free} bytes from {@link #offset} on; null if the budget has no room left. */
    synchronized byte @Nullable [] segment() {
        if (size == room) {
            if (released || !budget.take(SEGMENT, room < SMALL)) {
                return null;
            }
            segments.add(new byte[SEGMENT]);
            room += SEGMENT;
        }
        return segments.get(segments.size() - 1);
    }

    int offset() {
        return (int) (size % SEGMENT);
    }

    int free() {
        return SEGMENT - offset();
    }

    /** That many bytes were written to the segment. */
    void filled(int bytes) {
        size += bytes;
    }

    /** Forgets the bytes. Harmless to do twice. */
    synchronized void release() {
        if (!released) {
            released = true;
            budget.giveBack(room);
            segments.clear();
        }
    }

    /** All of it from the start; can be marked and read again. */
    InputStream stream() {
        return new Stream();
    }

    private final class Stream extends InputStream {
        private long position;
        private long mark;

        @Override
        public int read() {
            return position == size ? -1 : segments.get((int) (position / SEGMENT))[(int) (position++ % SEGMENT)] & 255;
        }

        @Override
        public int read(byte[] to, int offset, int length) {
            if (length == 0) {
                return 0;
            }
            int from = (int) (position % SEGMENT);
            int count = (int) Math.min(Math.min(length, SEGMENT - from), size - position);
            if (count == 0) {
                return -1;
            }
            System.arraycopy(segments.get((int) (position / SEGMENT)), from, to, offset, count);
            position += count;
            return count;
        }

        @Override
        public int available() {
            return (int) Math.min(size - position, Integer.MAX_VALUE);
        }

        @Override
        public boolean markSupported() {
            return true;
        }

        @Override
        public synchronized void mark(int limit) {
            mark = position;
        }

        @Override
        public synchronized void reset() {
            position = mark;
        }
    }
}
