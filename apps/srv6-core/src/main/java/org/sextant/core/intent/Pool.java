// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent;

/**
 * Numbers of which no two intents may have the same at one node, or in the whole network: ids of lists, groups, windows.
 * An app names its pools; the engine hands the numbers out.
 *
 * <pre>
 *   first        first + own, ...                                    firstShared      last
 *   | of no intent | own of intent 1 | own of intent 2 | ...         | shared: {@link AllocationRequest claimed} one by one |
 * </pre>
 *
 * @param name in the store and in messages, never changed; two apps with one pool share its numbers
 * @param last the largest, inclusive
 * @param own how many of them belong to every intent without a request, because they follow from its number; 0 if all
 *     are shared
 */
public record Pool(String name, long first, long last, int own) {

    public Pool {
        if (first < 0 || own < 0 || first + shift(own) > last) {
            throw new IllegalArgumentException("pool " + name + " has no shared numbers");
        }
    }

    /** A pool whose numbers are all shared. */
    public Pool(String name, long first, long last) {
        this(name, first, last, 0);
    }

    private static long shift(int own) {
        return (long) own * (NumberedIntent.MAX_NUMBER + 1);
    }

    /** A number that this intent alone ever has. */
    public long own(NumberedIntent<?> intent, int use) {
        if (use < 0 || use >= own || intent.number() < 1) {
            throw new IllegalArgumentException(
                    intent.id() + " has no number " + use + " of pool " + name + " of its own");
        }
        return first + (long) intent.number() * own + use;
    }

    /** The use of an own number. */
    public int useOf(long number) {
        return (int) ((number - first) % own);
    }

    public long firstShared() {
        return first + shift(own);
    }
}
