// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.table;

import java.math.BigInteger;
import java.util.List;
import java.util.function.Supplier;
import org.sextant.contract.Action;
import org.sextant.contract.Field;
import org.sextant.contract.Param;
import org.sextant.contract.Table;
import org.sextant.contract.Tables;

/** Checks a row against the contract: every name, kind, width and range. A row that passes can be decoded safely. */
final class ContractCheck {
    private final TableEntry entry;
    private final Table table;

    private ContractCheck(TableEntry entry) {
        this.entry = entry;
        this.table = Tables.byName(entry.table())
                .orElseThrow(() -> new MalformedEntryException(entry.table(), "the contract has no such table"));
    }

    /** @throws MalformedEntryException naming the first part that the contract does not allow */
    static TableEntry check(TableEntry entry) {
        ContractCheck check = new ContractCheck(entry);
        check.matches();
        check.priority();
        if (entry.action() instanceof TableEntry.Action.Direct direct) {
            check.require(!check.table.oneShot(), () -> "wants a set of actions, not one action");
            check.call(direct.call());
        } else {
            check.set(((TableEntry.Action.OneShot) entry.action()).members());
        }
        return entry;
    }

    /** The message is made when it is needed: a check that holds, of each field of each row, must cost nothing. */
    private void require(boolean condition, Supplier<String> message) {
        if (!condition) {
            throw new MalformedEntryException(table.name(), message.get());
        }
    }

    private void matches() {
        boolean keyless = table.fields().isEmpty();
        require(
                entry.defaultEntry() == keyless,
                () -> keyless ? "has only its default entry" : "its default entry is fixed");
        int last = 0;
        for (TableEntry.Match match : entry.matches()) {
            Field field = field(match.field());
            require(field.id() > last, () -> "field " + field.name() + " stands twice or out of order");
            last = field.id();
            match(field, match);
        }
        for (Field field : table.fields()) {
            require(
                    field.kind() != Field.Kind.EXACT
                            || entry.matches().stream()
                                    .anyMatch(match -> match.field().equals(field.name())),
                    () -> "field " + field.name() + " is missing");
        }
    }

    private Field field(String name) {
        return table.fields().stream()
                .filter(field -> field.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new MalformedEntryException(table.name(), "there is no field " + name));
    }

    private void match(Field field, TableEntry.Match match) {
        if (match instanceof TableEntry.Match.Exact exact && field.kind() == Field.Kind.EXACT) {
            fits(field::name, exact.value(), field.bits());
        } else if (match instanceof TableEntry.Match.Lpm lpm && field.kind() == Field.Kind.LPM) {
            fits(field::name, lpm.value(), field.bits());
            require(
                    lpm.length() > 0 && lpm.length() <= field.bits(),
                    () -> "prefix length " + lpm.length() + " of field " + field.name() + " is not within 1 to "
                            + field.bits());
            require(
                    lpm.value().signum() == 0 || lpm.value().getLowestSetBit() >= field.bits() - lpm.length(),
                    () -> "field " + field.name() + " has bits set behind its prefix length");
        } else if (match instanceof TableEntry.Match.Ternary ternary && field.kind() == Field.Kind.TERNARY) {
            fits(field::name, ternary.value(), field.bits());
            fits(() -> "mask of " + field.name(), ternary.mask(), field.bits());
            require(ternary.mask().signum() > 0, () -> "field " + field.name() + " matches everything: leave it out");
            require(
                    ternary.value().andNot(ternary.mask()).signum() == 0,
                    () -> "field " + field.name() + " has bits set outside of its mask");
        } else if (match instanceof TableEntry.Match.Range range && field.kind() == Field.Kind.RANGE) {
            fits(() -> "low end of " + field.name(), range.low(), field.bits());
            fits(field::name, range.high(), field.bits());
            require(
                    range.low().compareTo(range.high()) <= 0,
                    () -> "field " + field.name() + " begins at " + range.low() + " and ends at " + range.high());
            require(
                    range.low().signum() > 0 || range.high().bitCount() < field.bits(),
                    () -> "field " + field.name() + " matches everything: leave it out");
        } else {
            throw new MalformedEntryException(
                    table.name(), "field " + field.name() + " is not matched as " + field.kind());
        }
    }

    private void fits(Supplier<String> what, BigInteger value, int bits) {
        require(
                value.signum() >= 0 && value.bitLength() <= bits,
                () -> what.get() + " " + value + " does not fit into " + bits + " bits");
    }

    private void priority() {
        boolean ternary = table.fields().stream().anyMatch(field -> field.kind() == Field.Kind.TERNARY);
        require(
                ternary ? entry.priority() > 0 : entry.priority() == 0,
                () -> ternary ? "wants a priority of 1 or more" : "has no priority");
    }

    private void set(List<TableEntry.Weighted> members) {
        require(table.oneShot(), () -> "wants one action, not a set");
        require(!members.isEmpty(), () -> "the set of actions is empty");
        for (TableEntry.Weighted member : members) {
            require(member.weight() > 0, () -> "weight " + member.weight() + " is not 1 or more");
            call(member.call());
        }
    }

    private void call(TableEntry.Call call) {
        Action action = table.actions().stream()
                .filter(one -> one.name().equals(call.action()))
                .findFirst()
                .orElseThrow(() -> new MalformedEntryException(table.name(), "there is no action " + call.action()));
        List<Param> params = action.params();
        require(
                params.size() == call.arguments().size(),
                () -> action.name() + " wants " + params.size() + " arguments, not "
                        + call.arguments().size());
        for (int i = 0; i < params.size(); i++) {
            TableEntry.Argument argument = call.arguments().get(i);
            Param param = params.get(i);
            require(
                    param.name().equals(argument.param()),
                    () -> action.name() + " wants " + param.name() + " where " + argument.param() + " stands");
            fits(() -> argument.param() + " of " + action.name(), argument.value(), param.bits());
        }
    }
}
