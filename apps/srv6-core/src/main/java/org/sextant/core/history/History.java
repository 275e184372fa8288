// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.history;

import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The values of an hour, in steps of ten seconds, by a monotonic clock ({@link System#nanoTime}): adjustments of the
 * wall clock have no effect. A series has 360 numbers of four bytes, about 1.6 kB with its overhead, and their number
 * is bounded from the beginning. Recently measured objects have precedence: one that is not measured any more is
 * evicted for another, and ends after an hour anyway. Thread-safe.
 */
public final class History {
    public static final int STEP_SECONDS = 10;
    /** An hour. */
    public static final int STEPS = 360;

    private static final double NANOS = 1e9;
    private static final long STEP_NANOS = STEP_SECONDS * 1_000_000_000L;
    /** An average over a longer time does not represent the step in which it ends. */
    private static final double LONGEST_SECONDS = 3.5 * STEP_SECONDS;
    /** The largest delay of a reading; a source with a later time has another clock now. */
    private static final double LATE_SECONDS = 60;
    /** An object that was not measured for so many steps is evicted if its room is needed. */
    private static final int PATIENCE_STEPS = 3;

    private final int mostSeries;
    /** Ordered by the last measurement, the latest last. */
    private final Map<String, Thing> things = new LinkedHashMap<>();

    private int series;
    private int leftOut;
    private boolean begun;
    private long origin;
    private long lastStep;

    private static final class Thing {
        final Map<String, Series> quantities = new TreeMap<>();
        String source = "";
        long nanos;
        long taken;
        long step;
    }

    /** @param mostSeries of all things together */
    public History(int mostSeries) {
        this.mostSeries = mostSeries;
    }

    /**
     * Adds the readings since the last call; called every {@link #STEP_SECONDS}, a bit sooner or later.
     *
     * @param now by the controller's own monotonic clock
     */
    public synchronized void take(long now, Collection<Reading> readings) {
        if (!begun) {
            begun = true;
            origin = now;
        }
        lastStep = Math.max(lastStep, stepOf(now));
        forget();
        leftOut = 0;
        readings.forEach(reading -> take(reading, now));
    }

    /** The next one: of rounds that are a bit late, none falls into the step of another. */
    private long stepOf(long nanos) {
        return Math.floorDiv(nanos - origin + STEP_NANOS / 2, STEP_NANOS);
    }

    private void take(Reading reading, long now) {
        Thing known = things.get(reading.of());
        if (known != null && known.source.equals(reading.source()) && known.nanos == reading.nanos()) {
            return; // nothing was read since
        }
        Thing thing = known == null ? new Thing() : known;
        double seconds = known == null ? Double.NaN : secondsSince(known, reading, now);
        thing.step = lastStep; // so that it does not make room for itself
        new TreeMap<>(reading.amounts()).forEach((quantity, amount) -> {
            if (thing.quantities.containsKey(quantity) || makeRoom()) {
                series += thing.quantities.containsKey(quantity) ? 0 : 1;
                thing.quantities.computeIfAbsent(quantity, none -> new Series()).take(lastStep, amount, seconds);
            }
        });
        thing.source = reading.source();
        thing.nanos = reading.nanos();
        thing.taken = now;
        things.remove(reading.of());
        if (!thing.quantities.isEmpty()) {
            things.put(reading.of(), thing);
        }
    }

    /**
     * By the clock of the source, which is closest to the measurement; by the controller's if that of the source
     * jumped. {@code NaN} if there is nothing to compare with.
     */
    private static double secondsSince(Thing thing, Reading reading, long now) {
        if (!thing.source.equals(reading.source())) {
            return Double.NaN;
        }
        double own = (now - thing.taken) / NANOS;
        double told = (reading.nanos() - thing.nanos) / NANOS;
        double seconds = told <= 0 || Math.abs(told - own) > LATE_SECONDS ? own : told;
        return seconds > 0 && own <= LONGEST_SECONDS ? seconds : Double.NaN;
    }

    private boolean makeRoom() {
        if (series < mostSeries) {
            return true;
        }
        Iterator<Thing> oldest = things.values().iterator();
        if (oldest.hasNext()) {
            Thing thing = oldest.next();
            if (lastStep - thing.step >= PATIENCE_STEPS) {
                series -= thing.quantities.size();
                oldest.remove();
                return true;
            }
        }
        leftOut++;
        return false;
    }

    private void forget() {
        Iterator<Thing> oldest = things.values().iterator();
        while (oldest.hasNext()) {
            Thing thing = oldest.next();
            if (lastStep - thing.step < STEPS) {
                return;
            }
            series -= thing.quantities.size();
            oldest.remove();
        }
    }

    /**
     * The hour up to now of all quantities of an object, in points of as many steps as needed; a point is the average
     * of the known values of its steps, and {@code NaN} if there is none. Empty if the object is unknown.
     *
     * @param points 1 to {@link #STEPS}; there may be fewer
     */
    public synchronized SortedMap<String, double[]> of(String thing, long now, int points) {
        SortedMap<String, double[]> values = new TreeMap<>();
        Thing found = things.get(thing);
        if (found != null) {
            found.quantities.forEach((quantity, one) -> values.put(quantity, pointsOf(one, end(now), points)));
        }
        return values;
    }

    /** The number of steps in a point, if an hour has at most so many points. */
    public static int stepsPerPoint(int points) {
        return (STEPS + points - 1) / points;
    }

    private static double[] pointsOf(Series series, long end, int points) {
        int width = stepsPerPoint(points);
        int count = (STEPS + width - 1) / width;
        double[] values = new double[count];
        for (int i = 0; i < count; i++) {
            double sum = 0;
            int known = 0;
            for (long step = end - (long) (count - i) * width + 1;
                    step <= end - (long) (count - i - 1) * width;
                    step++) {
                double value = series.at(step);
                if (!Double.isNaN(value)) {
                    sum += value;
                    known++;
                }
            }
            values[i] = known == 0 ? Double.NaN : sum / known;
        }
        return values;
    }

    /** A quantity of a thing at a moment; {@code NaN} if it is not known. */
    public synchronized double at(String thing, String quantity, long now, long nanosAgo) {
        Thing found = things.get(thing);
        Series one = found == null ? null : found.quantities.get(quantity);
        return one == null ? Double.NaN : one.at(end(now) - nanosAgo / STEP_NANOS);
    }

    /** The step that is measured now is none yet. */
    private long end(long now) {
        return begun ? Math.max(lastStep, stepOf(now) - 1) : 0;
    }

    /** The number of series. */
    public synchronized int series() {
        return series;
    }

    /** The number of series that had no room in the last measurement. */
    public synchronized int leftOut() {
        return leftOut;
    }
}
