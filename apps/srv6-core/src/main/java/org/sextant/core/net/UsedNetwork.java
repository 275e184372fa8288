// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.net;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Makes the network that is used of the one that is seen ({@link LinkRestoration}, {@link SessionWatch}). Used by one thread. */
public final class UsedNetwork {
    private final ScheduledExecutorService thread;
    private final Clock clock;
    private final Runnable due;
    private LinkRestoration restoration = LinkRestoration.START;
    private SessionWatch sessions = SessionWatch.START;

    /** When {@link #due} runs; null if it is not scheduled. */
    private @Nullable Instant next;

    /**
     * @param thread single; runs {@code due}
     * @param due runs when a link or a node may have waited long enough; it then has to read the network again
     */
    public UsedNetwork(ScheduledExecutorService thread, Clock clock, Runnable due) {
        this.thread = thread;
        this.clock = clock;
        this.due = due;
    }

    /** @param connected names of the nodes with a session to their agent */
    public Network of(Network seen, Set<String> connected) {
        Instant now = clock.instant();
        LinkRestoration.Step step = restoration.step(seen, now);
        restoration = step.after();
        step.due().ifPresent(then -> wake(then, now));
        SessionWatch.Step watched = sessions.step(seen, connected, now);
        sessions = watched.after();
        watched.due().ifPresent(then -> wake(then, now));
        return step.network().withOverloads(watched.overloads());
    }

    private void wake(Instant then, Instant now) {
        if (next != null && !then.isBefore(next)) {
            return;
        }
        next = then;
        try {
            thread.schedule(this::ring, Duration.between(now, then).toMillis() + 1, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException ended) {
            next = null;
        }
    }

    private void ring() {
        next = null;
        due.run();
    }
}
