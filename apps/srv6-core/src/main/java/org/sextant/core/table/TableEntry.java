// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.table;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * A row in the terms of P4Info, independent of wire formats: the source of P4Runtime entries and of ONOS's flow rules.
 * Values are unsigned numbers; a wildcard match field is left out, as P4Runtime requires.
 *
 * @param table by name
 * @param matches in the order of the table's fields
 * @param defaultEntry the entry for packets that nothing matches; it has no matches
 * @param priority 1 or more in a table with ternary fields, of which the highest wins; else 0
 */
public record TableEntry(String table, List<Match> matches, Action action, boolean defaultEntry, int priority) {

    public TableEntry {
        Objects.requireNonNull(table);
        Objects.requireNonNull(action);
        matches = List.copyOf(matches);
    }

    /** The value of a match field. */
    public sealed interface Match {
        /** By name. */
        String field();

        record Exact(String field, BigInteger value) implements Match {}

        /** Bits of {@code value} behind {@code length} are zero; {@code length} is not 0. */
        record Lpm(String field, BigInteger value, int length) implements Match {}

        /** Bits of {@code value} outside of {@code mask} are zero; {@code mask} is not 0. */
        record Ternary(String field, BigInteger value, BigInteger mask) implements Match {}

        /** Both ends belong to it; it is not all values. */
        record Range(String field, BigInteger low, BigInteger high) implements Match {}
    }

    /** The action of the row. */
    public sealed interface Action {

        /** One action. */
        record Direct(Call call) implements Action {
            public Direct {
                Objects.requireNonNull(call);
            }
        }

        /** A weighted set, written with the row and gone with it. */
        record OneShot(List<Weighted> members) implements Action {
            public OneShot {
                members = List.copyOf(members);
            }
        }
    }

    /** A member of a set; its share is its weight by the sum of all. */
    public record Weighted(int weight, Call call) {
        public Weighted {
            Objects.requireNonNull(call);
        }
    }

    /** An action by name and its arguments in the order of its parameters. */
    public record Call(String action, List<Argument> arguments) {
        public Call {
            Objects.requireNonNull(action);
            arguments = List.copyOf(arguments);
        }

        /** @param values of the action's parameters, in their order */
        public static Call of(org.sextant.contract.Action action, BigInteger... values) {
            List<Argument> arguments = new ArrayList<>(values.length);
            for (int i = 0; i < values.length; i++) {
                arguments.add(new Argument(action.params().get(i).name(), values[i]));
            }
            return new Call(action.name(), arguments);
        }
    }

    /** A parameter by name and its value. */
    public record Argument(String param, BigInteger value) {
        public Argument {
            Objects.requireNonNull(param);
            Objects.requireNonNull(value);
        }
    }
}
