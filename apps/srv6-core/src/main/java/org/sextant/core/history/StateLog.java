// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.history;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The states of objects over time, for a query of one moment. It keeps the last changes and the states before the
 * oldest of them; where there are more changes in an hour than fit, it covers a shorter time ({@link #from}). By a
 * monotonic clock. Thread-safe.
 */
public final class StateLog {
    /** An hour. */
    public static final long KEPT_NANOS = History.STEPS * History.STEP_SECONDS * 1_000_000_000L;

    /** The state of an absent object. */
    public static final String GONE = "";

    private static final byte NOT_THERE = 0;

    private final int mostThings;
    private final long[] when;
    private final String[] whose;
    private final byte[] what;
    /** The states by number; few, as states are words of a program. */
    private final List<String> words = new ArrayList<>(List.of(GONE));

    private final Map<String, Byte> numbers = new HashMap<>(Map.of(GONE, NOT_THERE));
    private final Map<String, Byte> before = new HashMap<>();
    private final Map<String, Byte> now = new HashMap<>();
    private int oldest;
    private int count;
    private long from;
    private long leftOut;

    /**
     * @param begin earlier states are unknown
     * @param mostThings that have a state at a time; further ones are ignored
     * @param mostChanges 12 bytes each, and the name of each object that is gone since
     */
    public StateLog(long begin, int mostThings, int mostChanges) {
        this.from = begin;
        this.mostThings = mostThings;
        when = new long[mostChanges];
        whose = new String[mostChanges];
        what = new byte[mostChanges];
    }

    /** Sets the state of an object, or {@link #GONE}; a repeated state is no change. */
    public synchronized void set(long nanos, String thing, String state) {
        byte number = number(state);
        Byte known = now.get(thing);
        if (number == (known == null ? NOT_THERE : known)) {
            return;
        }
        if (known == null && now.size() >= mostThings) {
            leftOut++;
            return;
        }
        if (number == NOT_THERE) {
            now.remove(thing);
        } else {
            now.put(thing, number);
        }
        add(nanos, thing, number);
    }

    private byte number(String state) {
        return numbers.computeIfAbsent(state, word -> {
            if (words.size() > Byte.MAX_VALUE) {
                throw new IllegalArgumentException("\"" + word + "\" is one state too many");
            }
            words.add(word);
            return (byte) (words.size() - 1);
        });
    }

    private void add(long nanos, String thing, byte state) {
        long last = count == 0 ? from : when[index(count - 1)];
        long moment = Math.max(nanos, last);
        while (count > 0 && (count == when.length || when[oldest] < moment - KEPT_NANOS)) {
            settle();
        }
        int free = index(count++);
        when[free] = moment;
        whose[free] = thing;
        what[free] = state;
    }

    /** The oldest change is how it was before all others. */
    private void settle() {
        apply(before, oldest);
        from = Math.max(from, when[oldest]);
        whose[oldest] = GONE;
        oldest = index(1);
        count--;
    }

    private void apply(Map<String, Byte> states, int change) {
        if (what[change] == NOT_THERE) {
            states.remove(whose[change]);
        } else {
            states.put(whose[change], what[change]);
        }
    }

    private int index(int change) {
        return (oldest + change) % when.length;
    }

    /** The states at a moment, by object; empty if that was before {@link #from}. */
    public synchronized Optional<SortedMap<String, String>> at(long nanos) {
        if (nanos < from) {
            return Optional.empty();
        }
        Map<String, Byte> states = new HashMap<>(before);
        for (int i = 0; i < count && when[index(i)] <= nanos; i++) {
            apply(states, index(i));
        }
        SortedMap<String, String> told = new TreeMap<>();
        states.forEach((thing, state) -> told.put(thing, words.get(state)));
        return Optional.of(told);
    }

    /** Since when the states are known, at most an hour before {@code nanos}. */
    public synchronized long from(long nanos) {
        return Math.max(from, nanos - KEPT_NANOS);
    }

    /** The number of changes. */
    public synchronized int changes() {
        return count;
    }

    /** The number of changes of objects that had no room. */
    public synchronized long leftOut() {
        return leftOut;
    }
}
