// SPDX-License-Identifier: Apache-2.0
package org.sextant.sera;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A type of ICMP or ICMPv6, and optionally a code. Written {@code 128}, {@code 1/4}, {@code echo-request},
 * {@code !8/0}.
 */
public record IcmpType(boolean negated, int type, Optional<Integer> code) {
    private static final Map<String, Integer> V4 = Map.of(
            "echo-reply", 0,
            "destination-unreachable", 3,
            "redirect", 5,
            "echo-request", 8,
            "router-advertisement", 9,
            "router-solicitation", 10,
            "time-exceeded", 11,
            "parameter-problem", 12,
            "timestamp-request", 13,
            "timestamp-reply", 14);

    private static final Map<String, Integer> V6 = Map.of(
            "destination-unreachable", 1,
            "packet-too-big", 2,
            "time-exceeded", 3,
            "parameter-problem", 4,
            "echo-request", 128,
            "echo-reply", 129,
            "router-solicitation", 133,
            "router-advertisement", 134,
            "neighbour-solicitation", 135,
            "neighbour-advertisement", 136);

    /** A type and a code that a rule matches by value under mask. */
    public record Pair(Numbers.Masked type, Numbers.Masked code) {}

    public IcmpType not() {
        return new IcmpType(!negated, type, code);
    }

    /**
     * Reads a type.
     *
     * @param six true if names are those of ICMPv6
     * @throws IllegalArgumentException with the problem
     */
    public static IcmpType parse(String text, boolean six) {
        boolean negated = text.startsWith("!");
        String[] parts = (negated ? text.substring(1) : text).strip().split("/", -1);
        Optional<Integer> code = parts.length == 2 ? Optional.of(number(parts[1], Map.of())) : Optional.empty();
        if (parts.length > 2) {
            throw new IllegalArgumentException("there is more than one slash");
        }
        return new IcmpType(negated, number(parts[0], six ? V6 : V4), code);
    }

    private static int number(String text, Map<String, Integer> names) {
        Numbers numbers = Numbers.parse(8, text.replace("neighbor", "neighbour"), name -> {
            Integer number = names.get(name);
            return number == null ? OptionalInt.empty() : OptionalInt.of(number);
        });
        Numbers.Span only = numbers.taken().get(0);
        if (numbers.negated() || numbers.taken().size() > 1 || only.low() != only.high()) {
            throw new IllegalArgumentException("\"" + text + "\" is more than one number");
        }
        return only.low();
    }

    /** Types and codes, one of which matches if and only if this does. */
    public List<Pair> pairs() {
        Numbers.Masked any = new Numbers.Masked(0, 0);
        List<Pair> pairs = new ArrayList<>();
        if (!negated) {
            pairs.add(new Pair(
                    new Numbers.Masked(type, 0xff),
                    code.map(c -> new Numbers.Masked(c, 0xff)).orElse(any)));
            return pairs;
        }
        Numbers.of(8, type).not().masked().forEach(other -> pairs.add(new Pair(other, any)));
        code.ifPresent(c -> Numbers.of(8, c)
                .not()
                .masked()
                .forEach(other -> pairs.add(new Pair(new Numbers.Masked(type, 0xff), other))));
        return pairs;
    }

    /** The form that {@link #parse} reads. */
    @Override
    public String toString() {
        return (negated ? "!" : "") + type + code.map(c -> "/" + c).orElse("");
    }
}
