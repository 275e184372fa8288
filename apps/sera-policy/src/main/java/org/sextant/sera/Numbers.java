// SPDX-License-Identifier: Apache-2.0
package org.sextant.sera;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The numbers of a field that a rule matches: some, or all but some. Written as {@code 53}, {@code 53,5353-5360},
 * {@code >=1}, {@code !80}.
 *
 * @param bits of the field, 16 at most
 * @param negated true if it matches the other numbers
 * @param spans sorted, disjoint and not adjacent, at least one
 */
public record Numbers(int bits, boolean negated, List<Span> spans) {
    /** The maximum number of elements in a text. */
    private static final int MOST = 64;

    /** From one number to another, both included. */
    public record Span(int low, int high) {
        @Override
        public String toString() {
            return low == high ? "" + low : low + "-" + high;
        }
    }

    /** A value under a mask. */
    public record Masked(int value, int mask) {}

    public Numbers {
        spans = merged(spans);
        if (spans.isEmpty() || negated && spans.get(0).equals(new Span(0, max(bits)))) {
            throw new IllegalArgumentException("that is no number at all: nothing would match");
        }
    }

    public static Numbers of(int bits, int number) {
        return new Numbers(bits, false, List.of(new Span(number, number)));
    }

    /** The complement. */
    public Numbers not() {
        return new Numbers(bits, !negated, spans);
    }

    /**
     * Reads numbers.
     *
     * @param named the number of a name; empty if there is none
     * @throws IllegalArgumentException with the problem
     */
    public static Numbers parse(int bits, String text, Function<String, OptionalInt> named) {
        boolean negated = text.startsWith("!") && !text.startsWith("!=");
        String[] parts = (negated ? text.substring(1) : text).split(",", MOST + 1);
        if (parts.length > MOST) {
            throw new IllegalArgumentException("more than " + MOST + " numbers are listed");
        }
        List<Span> spans = new ArrayList<>();
        for (String part : parts) {
            String item = part.strip();
            if (item.startsWith("!=") && parts.length == 1) {
                return new Numbers(
                        bits, true, List.of(span(bits, item.substring(2).strip(), named)));
            }
            spans.add(span(bits, item, named));
        }
        return new Numbers(bits, negated, spans);
    }

    private static Span span(int bits, String item, Function<String, OptionalInt> named) {
        int max = max(bits);
        if (item.startsWith(">=")) {
            return span(number(bits, item.substring(2), named), max, item);
        }
        if (item.startsWith("<=")) {
            return span(0, number(bits, item.substring(2), named), item);
        }
        if (item.startsWith(">")) {
            return span(number(bits, item.substring(1), named) + 1, max, item);
        }
        if (item.startsWith("<")) {
            return span(0, number(bits, item.substring(1), named) - 1, item);
        }
        String plain = item.startsWith("=") ? item.substring(1) : item;
        int dash = plain.matches("[0-9a-fx]+-[0-9a-fx]+") ? plain.indexOf('-') : -1;
        if (dash < 0) {
            int number = number(bits, plain, named);
            return new Span(number, number);
        }
        return span(
                number(bits, plain.substring(0, dash), named), number(bits, plain.substring(dash + 1), named), item);
    }

    private static Span span(int low, int high, String item) {
        if (low > high) {
            throw new IllegalArgumentException(
                    item.contains("-") ? "the range " + item + " is upside down" : item + " is no number at all");
        }
        return new Span(low, high);
    }

    private static int number(int bits, String text, Function<String, OptionalInt> named) {
        String word = text.strip();
        if (word.matches("[0-9]{1,5}|0x[0-9a-fA-F]{1,4}")) {
            int number = Integer.decode(word.startsWith("0x") ? word : word.replaceFirst("^0+(?=.)", ""));
            if (number <= max(bits)) {
                return number;
            }
            throw new IllegalArgumentException(word + " is more than " + max(bits));
        }
        String shown = word.length() > 40 ? word.substring(0, 40) + "…" : word;
        return named.apply(word).orElseThrow(() -> new IllegalArgumentException("\"" + shown + "\" is no number"));
    }

    /** The matched numbers, as sorted, disjoint spans. */
    public List<Span> taken() {
        if (!negated) {
            return spans;
        }
        List<Span> others = new ArrayList<>();
        int from = 0;
        for (Span span : spans) {
            if (span.low() > from) {
                others.add(new Span(from, span.low() - 1));
            }
            from = span.high() + 1;
        }
        if (from <= max(bits)) {
            others.add(new Span(from, max(bits)));
        }
        return others;
    }

    /** Is true if it matches every number. */
    public boolean all() {
        return taken().equals(List.of(new Span(0, max(bits))));
    }

    public boolean takes(int number) {
        return taken().stream().anyMatch(span -> span.low() <= number && number <= span.high());
    }

    /** The matched numbers, as the fewest values under masks that are prefixes. */
    public List<Masked> masked() {
        List<Masked> all = new ArrayList<>();
        for (Span span : taken()) {
            int low = span.low();
            while (low <= span.high()) {
                int size = low == 0 ? max(bits) + 1 : Integer.lowestOneBit(low);
                while (low + size - 1 > span.high()) {
                    size >>= 1;
                }
                all.add(new Masked(low, max(bits) & -size));
                low += size;
            }
        }
        return all;
    }

    private static int max(int bits) {
        return (1 << bits) - 1;
    }

    private static List<Span> merged(List<Span> spans) {
        List<Span> sorted =
                spans.stream().sorted(Comparator.comparingInt(Span::low)).toList();
        List<Span> merged = new ArrayList<>();
        for (Span span : sorted) {
            int last = merged.size() - 1;
            if (last >= 0 && span.low() <= merged.get(last).high() + 1) {
                merged.set(
                        last,
                        new Span(
                                merged.get(last).low(),
                                Math.max(merged.get(last).high(), span.high())));
            } else {
                merged.add(span);
            }
        }
        return List.copyOf(merged);
    }

    /** The form that {@link #parse} reads. */
    @Override
    public String toString() {
        return (negated ? "!" : "") + spans.stream().map(this::text).collect(Collectors.joining(","));
    }

    private String text(Span span) {
        if (span.low() == span.high()) {
            return span.toString();
        }
        return span.high() == max(bits) ? ">=" + span.low() : span.low() == 0 ? "<=" + span.high() : span.toString();
    }
}
