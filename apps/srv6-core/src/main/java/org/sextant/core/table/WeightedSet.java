// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.table;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Functions of tables whose rows choose among weighted members. */
final class WeightedSet {
    private WeightedSet() {}

    interface Member {
        int weight();
    }

    /** True if both have the same members; their order has no meaning. */
    static boolean same(List<? extends Member> one, List<? extends Member> other) {
        return one.equals(other) || one.size() == other.size() && counted(one).equals(counted(other));
    }

    private static Map<Member, Long> counted(List<? extends Member> members) {
        return members.stream().collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
    }

    /** A member alone, or all with their weights. */
    static <M extends Member> String text(List<M> members, Function<M, String> text) {
        if (members.size() == 1) {
            return text.apply(members.get(0));
        }
        return members.stream()
                .map(member -> member.weight() + "x(" + text.apply(member) + ")")
                .collect(Collectors.joining(" "));
    }
}
