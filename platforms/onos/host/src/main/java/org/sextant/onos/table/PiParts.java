// SPDX-License-Identifier: Apache-2.0
package org.sextant.onos.table;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.onlab.util.ImmutableByteSequence;
import org.onosproject.net.pi.model.PiActionId;
import org.onosproject.net.pi.model.PiActionParamId;
import org.onosproject.net.pi.model.PiMatchFieldId;
import org.onosproject.net.pi.runtime.PiAction;
import org.onosproject.net.pi.runtime.PiActionParam;
import org.onosproject.net.pi.runtime.PiExactFieldMatch;
import org.onosproject.net.pi.runtime.PiFieldMatch;
import org.onosproject.net.pi.runtime.PiLpmFieldMatch;
import org.onosproject.net.pi.runtime.PiRangeFieldMatch;
import org.onosproject.net.pi.runtime.PiTernaryFieldMatch;
import org.sextant.contract.Action;
import org.sextant.contract.Actions;
import org.sextant.contract.Field;
import org.sextant.contract.Param;
import org.sextant.contract.Table;
import org.sextant.contract.Tables;
import org.sextant.core.table.TableEntry.Argument;
import org.sextant.core.table.TableEntry.Call;
import org.sextant.core.table.TableEntry.Match;

/**
 * Matches, actions and numbers of the contract in ONOS's classes and back. Byte strings go out as wide as their field: so
 * ONOS's client wants them. They are read at any length.
 */
final class PiParts {
    private PiParts() {}

    static ImmutableByteSequence bytes(BigInteger value, int bits) {
        byte[] wide = new byte[(bits + 7) / 8];
        byte[] signed = value.toByteArray();
        int length = Math.min(signed.length, wide.length);
        System.arraycopy(signed, signed.length - length, wide, wide.length - length, length);
        return ImmutableByteSequence.copyFrom(wide);
    }

    static BigInteger number(ImmutableByteSequence bytes) {
        return new BigInteger(1, bytes.asArray());
    }

    /** Part of a row that the contract allows, as all that are encoded. */
    static PiFieldMatch match(String table, Match match) {
        PiMatchFieldId id = PiMatchFieldId.of(match.field());
        int bits = Tables.byName(table).orElseThrow().fields().stream()
                .filter(field -> field.name().equals(match.field()))
                .findFirst()
                .orElseThrow()
                .bits();
        if (match instanceof Match.Exact exact) {
            return new PiExactFieldMatch(id, bytes(exact.value(), bits));
        }
        if (match instanceof Match.Lpm lpm) {
            return new PiLpmFieldMatch(id, bytes(lpm.value(), bits), lpm.length());
        }
        if (match instanceof Match.Range range) {
            return new PiRangeFieldMatch(id, bytes(range.low(), bits), bytes(range.high(), bits));
        }
        Match.Ternary ternary = (Match.Ternary) match;
        return new PiTernaryFieldMatch(id, bytes(ternary.value(), bits), bytes(ternary.mask(), bits));
    }

    /** In the order of the table's fields. Kinds that the contract does not have are left out, and so not decodable. */
    static List<Match> matches(String table, Collection<PiFieldMatch> matches) {
        List<Match> found = new ArrayList<>();
        for (Field field : Tables.byName(table).map(Table::fields).orElse(List.of())) {
            matches.stream()
                    .filter(match -> match.fieldId().id().equals(field.name()))
                    .forEach(match -> {
                        if (match instanceof PiExactFieldMatch exact) {
                            found.add(new Match.Exact(field.name(), number(exact.value())));
                        } else if (match instanceof PiLpmFieldMatch lpm) {
                            found.add(new Match.Lpm(field.name(), number(lpm.value()), lpm.prefixLength()));
                        } else if (match instanceof PiTernaryFieldMatch ternary) {
                            found.add(new Match.Ternary(field.name(), number(ternary.value()), number(ternary.mask())));
                        } else if (match instanceof PiRangeFieldMatch range) {
                            found.add(
                                    new Match.Range(field.name(), number(range.lowValue()), number(range.highValue())));
                        }
                    });
        }
        return found;
    }

    static PiAction action(PiActionId id, Call call) {
        PiAction.Builder action = PiAction.builder().withId(id);
        call.arguments()
                .forEach(argument -> action.withParameter(
                        new PiActionParam(PiActionParamId.of(argument.param()), bytes(call, argument))));
        return action.build();
    }

    static ImmutableByteSequence bytes(Call call, Argument argument) {
        return bytes(
                argument.value(),
                Actions.byName(call.action()).orElseThrow().params().stream()
                        .filter(param -> param.name().equals(argument.param()))
                        .findFirst()
                        .orElseThrow()
                        .bits());
    }

    /** Empty for an action that is not the contract's, or lacks a parameter. */
    static Optional<Call> call(PiAction action) {
        Optional<Action> known = PipelineNames.action(action.id()).flatMap(Actions::byName);
        if (known.isEmpty()) {
            return Optional.empty();
        }
        List<Argument> arguments = new ArrayList<>();
        for (Param param : known.get().params()) {
            action.parameters().stream()
                    .filter(one -> one.id().id().equals(param.name()))
                    .forEach(one -> arguments.add(new Argument(param.name(), number(one.value()))));
        }
        return arguments.size() == known.get().params().size()
                ? Optional.of(new Call(known.get().name(), arguments))
                : Optional.empty();
    }
}
