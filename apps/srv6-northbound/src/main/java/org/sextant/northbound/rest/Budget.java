// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.rest;

import java.util.concurrent.atomic.AtomicLong;

/**
 * How many bytes of bodies are held at once, by all requests together. The last part of it is for small bodies, so that
 * lists that fill the rest do not keep a single policy out.
 */
final class Budget {
    private final long total;
    private final long reserve;
    private final AtomicLong taken = new AtomicLong();

    Budget(long total, long reserve) {
        this.total = total;
        this.reserve = reserve;
    }

    /** Takes {@code bytes}, or nothing and false if there are not so many left. */
    boolean take(long bytes, boolean small) {
        long most = small ? total : total - reserve;
        if (taken.addAndGet(bytes) <= most) {
            return true;
        }
        taken.addAndGet(-bytes);
        return false;
    }

    void giveBack(long bytes) {
        taken.addAndGet(-bytes);
    }

    long taken() {
        return taken.get();
    }
}
