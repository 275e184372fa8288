// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.history;

import org.sextant.core.history.Amount.Counter;
import org.sextant.core.history.Amount.Level;
import org.sextant.core.history.Amount.Share;

/** One quantity of one object: its values, and the counts for the next one. Not thread-safe. */
final class Series {
    private static final double ALL = 100;

    private final Ring ring = new Ring(History.STEPS);
    private boolean begun;
    private long part;
    private long whole;

    /** @param seconds since the amount before; {@code NaN} if that is no reason for a value */
    void take(long step, Amount amount, double seconds) {
        ring.set(step, valueOf(amount, seconds));
    }

    private double valueOf(Amount amount, double seconds) {
        if (amount instanceof Level level) {
            return level.value();
        }
        return amount instanceof Counter counter
                ? more(counter.count(), counter.count(), seconds).part() / seconds
                : share(more(((Share) amount).part(), ((Share) amount).whole(), seconds));
    }

    /** Losses are detected a bit later than their packets are sent: the share is at most 100 %. */
    private static double share(More more) {
        return more.whole() == 0 ? Double.NaN : Math.min(ALL, ALL * more.part() / more.whole());
    }

    /** The increase since the last reading; {@code NaN} if it is unknown. */
    private record More(double part, double whole) {}

    /** A count below the previous one has started over: its increase since then is unknown. */
    private More more(long partNow, long wholeNow, double seconds) {
        boolean comparable = begun && partNow >= part && wholeNow >= whole && !Double.isNaN(seconds);
        More more = comparable ? new More(partNow - part, wholeNow - whole) : new More(Double.NaN, Double.NaN);
        begun = true;
        part = partNow;
        whole = wholeNow;
        return more;
    }

    double at(long step) {
        return ring.at(step);
    }
}
