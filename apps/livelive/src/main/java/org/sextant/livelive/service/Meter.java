// SPDX-License-Identifier: Apache-2.0
package org.sextant.livelive.service;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Tells from readings how much of what was sent arrives over one path, or over all of them.
 *
 * <pre>
 *   ingress  ──────────(after)───────────────(before)────▶     sent between these two, for sure
 *   egress   ──(arrivals)────────────────────────(arrivals)─▶  has arrived between these two, if it did
 * </pre>
 *
 * So what is missing of the first in the second is lost, whatever the delays are. More than that may be. Not for several
 * threads.
 */
final class Meter {
    /** So many packets tell a path that fell silent from a pause of the flow. */
    static final int ENOUGH_PACKETS = 20;

    /** So long nothing comes before it is said. */
    static final Duration PATIENCE = Duration.ofSeconds(1);

    /** So many packets in so long a time tell how many of them are lost. */
    static final int MANY_PACKETS = 100;

    static final Duration LONG = Duration.ofSeconds(10);

    /** What can be said. */
    enum Verdict {
        UNKNOWN,
        GOOD,
        /** Some are lost. */
        SOME_LOST,
        /** Nothing arrives. */
        ALL_LOST
    }

    /**
     * A new verdict.
     *
     * @param sent of so many packets
     * @param lost so many at least did not arrive
     */
    record Change(Verdict before, Verdict now, long sent, long lost) {}

    /** From one reading on. */
    private record Span(Instant since, long sentAfter, long arrived) {}

    private final double bad;
    private final double good;
    private final int enough;
    private final Duration patience;
    private Verdict verdict = Verdict.UNKNOWN;
    private boolean counted;
    private @Nullable Span last;

    /** From the reading on behind which nothing came; and when it was seen that something was sent since. */
    private Span quiet;

    private @Nullable Instant behind;

    /** What losses are counted in. */
    private Span span;

    /** One of a path. */
    Meter(double bad, double good) {
        this(bad, good, ENOUGH_PACKETS, PATIENCE);
    }

    /**
     * Its spans are set by the first reading.
     *
     * @param bad which share has to be lost for {@link Verdict#SOME_LOST}
     * @param good which share may be lost for {@link Verdict#GOOD} again
     * @param enough packets that did not come, for {@link Verdict#ALL_LOST}
     * @param patience how long nothing arrives before a loss of all packets is reported
     */
    @SuppressWarnings("NullAway.Init")
    Meter(double bad, double good, int enough, Duration patience) {
        this.bad = bad;
        this.good = good;
        this.enough = enough;
        this.patience = patience;
    }

    Verdict verdict() {
        return verdict;
    }

    /**
     * @param before sent, read before the arrivals
     * @param after sent, read after them
     * @param counted false if what was sent is not what the ingress counted but only what other paths delivered
     */
    Optional<Change> take(long before, long arrived, long after, boolean counted, Instant at) {
        Span now = new Span(at, after, arrived);
        Span former = counted == this.counted ? last : null;
        this.counted = counted;
        last = now;
        if (former == null || before < former.sentAfter() || arrived < former.arrived()) {
            quiet = now;
            behind = null;
            span = now;
            return Optional.empty();
        }
        return arrived > former.arrived() ? came(before, now) : silent(before, at);
    }

    private Optional<Change> silent(long before, Instant at) {
        long sent = before - quiet.sentAfter();
        if (sent > 0 && behind == null) {
            behind = at;
        }
        boolean gone = sent >= enough && behind != null && !at.isBefore(behind.plus(patience));
        return gone ? change(Verdict.ALL_LOST, sent, sent) : Optional.empty();
    }

    private Optional<Change> came(long before, Span now) {
        boolean wasGone = verdict == Verdict.ALL_LOST && behind != null;
        quiet = now;
        behind = null;
        if (verdict == Verdict.UNKNOWN) {
            verdict = Verdict.GOOD;
        }
        if (wasGone) { // some time since the last reading it was still gone
            span = now;
            return Optional.empty();
        }
        long sent = before - span.sentAfter();
        long lost = sent - (now.arrived() - span.arrived());
        Optional<Verdict> judged = judge(sent, (double) lost / sent, Duration.between(span.since(), now.since()));
        if (judged.isPresent()) {
            span = now;
        }
        return judged.flatMap(verdict -> change(verdict, sent, lost));
    }

    /** Empty while too little was sent to say anything. */
    private Optional<Verdict> judge(long sent, double lost, Duration time) {
        if (verdict == Verdict.ALL_LOST && sent >= enough && lost < good) {
            return Optional.of(Verdict.GOOD);
        }
        if (sent < MANY_PACKETS || time.compareTo(LONG) < 0) {
            return Optional.empty();
        }
        boolean some = counted && (lost > bad || lost >= good && verdict != Verdict.GOOD);
        return Optional.of(some ? Verdict.SOME_LOST : Verdict.GOOD);
    }

    private Optional<Change> change(Verdict to, long sent, long lost) {
        Change change = new Change(verdict, to, sent, lost);
        verdict = to;
        return change.before() == to ? Optional.empty() : Optional.of(change);
    }
}
