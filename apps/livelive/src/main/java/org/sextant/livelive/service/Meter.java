// SPDX-License-Identifier: Apache-2.0
package org.sextant.livelive.service;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Derives from readings the share of sent packets that arrives over one path, or over all of them.
 *
 * <pre>
 *   ingress  ──────────(after)───────────────(before)────▶     sent between these two, for sure
 *   egress   ──(arrivals)────────────────────────(arrivals)─▶  has arrived between these two, if it did
 * </pre>
 *
 * The difference between the two is lost, whatever the delays are; further packets may be. Not thread-safe.
 */
final class Meter {
    /** The number of packets that distinguishes a path that is down from a pause of the flow. */
    static final int ENOUGH_PACKETS = 20;

    /** The time without arrivals before a path is reported as down. */
    static final Duration PATIENCE = Duration.ofSeconds(1);

    /** The number of packets, in at least this time, that allows a verdict on their loss. */
    static final int MANY_PACKETS = 100;

    static final Duration LONG = Duration.ofSeconds(10);

    /** The verdict on a path or a direction. */
    enum Verdict {
        UNKNOWN,
        GOOD,
        /** Some packets are lost. */
        SOME_LOST,
        /** No packet arrives. */
        ALL_LOST
    }

    /**
     * A new verdict.
     *
     * @param sent the number of packets that it is based on
     * @param lost the least number of these that did not arrive
     */
    record Change(Verdict before, Verdict now, long sent, long lost) {}

    /** An interval that begins at a reading. */
    private record Span(Instant since, long sentAfter, long arrived) {}

    private final double bad;
    private final double good;
    private final int enough;
    private final Duration patience;
    private Verdict verdict = Verdict.UNKNOWN;
    private boolean counted;
    private @Nullable Span last;

    /** The last reading with new arrivals; and the first reading since then that shows packets sent. */
    private Span quiet;

    private @Nullable Instant behind;

    /** The interval in which losses are counted. */
    private Span span;

    /** The meter of a path. */
    Meter(double bad, double good) {
        this(bad, good, ENOUGH_PACKETS, PATIENCE);
    }

    /**
     * The first reading sets its intervals.
     *
     * @param bad the lost share above which the verdict is {@link Verdict#SOME_LOST}
     * @param good the lost share below which it is {@link Verdict#GOOD} again
     * @param enough the number of lost packets for {@link Verdict#ALL_LOST}
     * @param patience the time without arrivals before a loss of all packets is reported
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
     * @param counted false if the sent packets are those that other paths delivered, without counters of the ingress
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
        if (wasGone) { // packets were still lost for some time since the last reading
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

    /** Empty while too few packets were sent for a verdict. */
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
