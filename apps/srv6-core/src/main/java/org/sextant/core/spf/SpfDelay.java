// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.spf;

import java.time.Duration;

/**
 * The SPF delay algorithm of RFC 8405 as a value: how long to wait after a change of a link before paths are computed
 * again. In its three states, QUIET, SHORT_WAIT, and LONG_WAIT, that is the initial, the short, and the long delay. The
 * first change after a calm time is followed at once, those that belong to the same event shortly after, all together,
 * and a network that goes on changing does not make the controller compute all the time. Its timers are points in time
 * here (section 5), so changes are its only input.
 */
public final class SpfDelay {
    /** Without any change yet: QUIET. */
    public static final SpfDelay START = new SpfDelay(Timers.DEFAULT);

    private final Timers timers;

    /** When LEARN_TIMER expires. */
    private final long learned;

    /** When HOLDDOWN_TIMER expires; before the first change, always. */
    private final long calm;

    private SpfDelay(Timers timers, long learned, long calm) {
        this.timers = timers;
        this.learned = learned;
        this.calm = calm;
    }

    public SpfDelay(Timers timers) {
        this(timers, Long.MIN_VALUE, Long.MIN_VALUE);
    }

    /**
     * The parameters of RFC 8405, section 3, by their names there. Routers of a domain agree on them to compute at the same time;
     * a controller computes alone, so it need not wait for others before the first computation.
     */
    public record Timers(
            Duration initialDelay, Duration shortDelay, Duration longDelay, Duration timeToLearn, Duration holddown) {
        /** At once, then 50 ms, and 200 ms where links go on changing after half a second; 5 s without a change are calm. */
        public static final Timers DEFAULT = new Timers(
                Duration.ZERO,
                Duration.ofMillis(50),
                Duration.ofMillis(200),
                Duration.ofMillis(500),
                Duration.ofSeconds(5));

        public Timers {
            if (initialDelay.isNegative()
                    || shortDelay.compareTo(initialDelay) < 0
                    || longDelay.compareTo(shortDelay) < 0
                    || timeToLearn.isNegative()) {
                throw new IllegalArgumentException("0 <= initial <= short <= long delay, and 0 <= time to learn");
            }
            if (holddown.compareTo(timeToLearn) <= 0 || holddown.compareTo(longDelay) <= 0) {
                throw new IllegalArgumentException("the hold-down is longer than the time to learn and the long delay");
            }
        }
    }

    /**
     * @param after the state to go on with
     * @param delay how long to wait with the computation, unless one is waiting already
     */
    public record Step(SpfDelay after, Duration delay) {}

    /**
     * One or more links changed.
     *
     * @param now in milliseconds of a clock that only goes forward
     */
    public Step changed(long now) {
        long nextCalm = now + timers.holddown().toMillis();
        if (now >= calm) {
            return new Step(
                    new SpfDelay(timers, now + timers.timeToLearn().toMillis(), nextCalm), timers.initialDelay());
        }
        return new Step(
                new SpfDelay(timers, learned, nextCalm), now < learned ? timers.shortDelay() : timers.longDelay());
    }
}
