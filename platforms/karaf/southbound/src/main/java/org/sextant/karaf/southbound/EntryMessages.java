// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.southbound;

import com.google.protobuf.ByteString;
import java.math.BigInteger;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.sextant.core.Reason;
import org.sextant.core.port.DataPlane.Counters;
import org.sextant.core.port.DataPlane.Operation;
import org.sextant.core.port.DataPlane.Stored;
import org.sextant.core.table.Entry;
import org.sextant.core.table.MalformedEntryException;
import org.sextant.core.table.TableCodec;
import org.sextant.core.table.TableEntry;
import org.sextant.core.table.TableEntry.Match;
import p4.config.v1.P4InfoOuterClass;
import p4.config.v1.P4InfoOuterClass.MatchField;
import p4.config.v1.P4InfoOuterClass.Table;
import p4.v1.P4RuntimeOuterClass;
import p4.v1.P4RuntimeOuterClass.ActionProfileAction;
import p4.v1.P4RuntimeOuterClass.ActionProfileActionSet;
import p4.v1.P4RuntimeOuterClass.Entity;
import p4.v1.P4RuntimeOuterClass.FieldMatch;
import p4.v1.P4RuntimeOuterClass.TableAction;
import p4.v1.P4RuntimeOuterClass.Update;

/** Entries to P4Runtime's messages and back: names to the ids of one node's P4Info, numbers to canonical bytes. */
final class EntryMessages {

    private EntryMessages() {}

    /** @throws UnsupportedEntryException if the node's P4Info lacks the table or the action, or a value does not fit */
    static P4RuntimeOuterClass.TableEntry encode(PipelineIndex pipeline, Entry entry) throws UnsupportedEntryException {
        TableEntry row;
        try {
            row = TableCodec.encode(entry);
        } catch (MalformedEntryException e) {
            throw new UnsupportedEntryException(Reason.of(e));
        }
        Table table = pipeline.table(row.table())
                .orElseThrow(() -> new UnsupportedEntryException("the node's pipeline has no table " + row.table()));
        P4RuntimeOuterClass.TableEntry.Builder message = P4RuntimeOuterClass.TableEntry.newBuilder()
                .setTableId(table.getPreamble().getId())
                .setPriority(row.priority())
                .setIsDefaultAction(row.defaultEntry())
                .setAction(action(pipeline, table, row.action()));
        for (Match match : row.matches()) {
            message.addMatch(match(table, match));
        }
        return message.build();
    }

    /**
     * The update of a row. A default entry is always there: it is only ever modified, and reset to the program's own by
     * naming no action (P4Runtime 1.4, 9.1.2).
     */
    static Update update(Operation operation, P4RuntimeOuterClass.TableEntry entry) {
        boolean reset = entry.getIsDefaultAction() && operation == Operation.DELETE;
        P4RuntimeOuterClass.TableEntry row =
                reset ? entry.toBuilder().clearAction().build() : entry;
        return Update.newBuilder()
                .setType(type(operation, row))
                .setEntity(Entity.newBuilder().setTableEntry(row))
                .build();
    }

    private static Update.Type type(Operation operation, P4RuntimeOuterClass.TableEntry entry) {
        if (entry.getIsDefaultAction()) {
            return Update.Type.MODIFY;
        }
        return switch (operation) {
            case INSERT -> Update.Type.INSERT;
            case MODIFY -> Update.Type.MODIFY;
            case DELETE -> Update.Type.DELETE;
        };
    }

    private static FieldMatch match(Table table, Match match) throws UnsupportedEntryException {
        MatchField field = table.getMatchFieldsList().stream()
                .filter(candidate -> candidate.getName().equals(match.field()))
                .findFirst()
                .orElseThrow(() -> new UnsupportedEntryException(
                        "the node's table " + table.getPreamble().getAlias() + " has no field " + match.field()));
        FieldMatch.Builder message = FieldMatch.newBuilder().setFieldId(field.getId());
        if (match instanceof Match.Exact exact) {
            message.setExact(FieldMatch.Exact.newBuilder().setValue(bytes(exact.value())));
        } else if (match instanceof Match.Lpm lpm) {
            message.setLpm(
                    FieldMatch.LPM.newBuilder().setValue(bytes(lpm.value())).setPrefixLen(lpm.length()));
        } else if (match instanceof Match.Ternary ternary) {
            message.setTernary(FieldMatch.Ternary.newBuilder()
                    .setValue(bytes(ternary.value()))
                    .setMask(bytes(ternary.mask())));
        } else if (match instanceof Match.Range range) {
            message.setRange(
                    FieldMatch.Range.newBuilder().setLow(bytes(range.low())).setHigh(bytes(range.high())));
        }
        return message.build();
    }

    private static TableAction action(PipelineIndex pipeline, Table table, TableEntry.Action action)
            throws UnsupportedEntryException {
        if (action instanceof TableEntry.Action.Direct direct) {
            return TableAction.newBuilder()
                    .setAction(call(pipeline, table, direct.call()))
                    .build();
        }
        ActionProfileActionSet.Builder set = ActionProfileActionSet.newBuilder();
        for (TableEntry.Weighted member : ((TableEntry.Action.OneShot) action).members()) {
            set.addActionProfileActions(ActionProfileAction.newBuilder()
                    .setAction(call(pipeline, table, member.call()))
                    .setWeight(member.weight()));
        }
        return TableAction.newBuilder().setActionProfileActionSet(set).build();
    }

    private static P4RuntimeOuterClass.Action call(PipelineIndex pipeline, Table table, TableEntry.Call call)
            throws UnsupportedEntryException {
        P4InfoOuterClass.Action action = pipeline.action(table, call.action())
                .orElseThrow(() -> new UnsupportedEntryException(
                        "the node's table " + table.getPreamble().getAlias() + " has no action " + call.action()));
        P4RuntimeOuterClass.Action.Builder message = P4RuntimeOuterClass.Action.newBuilder()
                .setActionId(action.getPreamble().getId());
        for (TableEntry.Argument argument : call.arguments()) {
            P4InfoOuterClass.Action.Param param = action.getParamsList().stream()
                    .filter(candidate -> candidate.getName().equals(argument.param()))
                    .findFirst()
                    .orElseThrow(() -> new UnsupportedEntryException(
                            "the node's action " + call.action() + " has no parameter " + argument.param()));
            message.addParams(P4RuntimeOuterClass.Action.Param.newBuilder()
                    .setParamId(param.getId())
                    .setValue(bytes(argument.value())));
        }
        return message.build();
    }

    /** Empty for messages that are no entry of the contract, such as a default entry that was never set. */
    static Optional<Stored> decode(PipelineIndex pipeline, P4RuntimeOuterClass.TableEntry message) {
        try {
            Table table = pipeline.table(message.getTableId()).orElseThrow(EntryMessages::foreign);
            List<Match> matches = message.getMatchList().stream()
                    .sorted(Comparator.comparingInt(FieldMatch::getFieldId))
                    .map(match -> match(table, match))
                    .toList();
            TableEntry row = new TableEntry(
                    table.getPreamble().getAlias(),
                    matches,
                    action(pipeline, message.getAction()),
                    message.getIsDefaultAction(),
                    message.getPriority());
            Optional<Counters> counters = message.hasCounterData()
                    ? Optional.of(new Counters(
                            message.getCounterData().getPacketCount(),
                            message.getCounterData().getByteCount()))
                    : Optional.empty();
            Optional<Duration> idle = message.hasTimeSinceLastHit()
                    ? Optional.of(Duration.ofNanos(message.getTimeSinceLastHit().getElapsedNs()))
                    : Optional.empty();
            return Optional.of(new Stored(TableCodec.decode(row), counters, idle));
        } catch (MalformedEntryException notOfTheContract) {
            return Optional.empty();
        }
    }

    private static MalformedEntryException foreign() {
        return new MalformedEntryException("", "not in the node's P4Info");
    }

    private static Match match(Table table, FieldMatch match) {
        String name = table.getMatchFieldsList().stream()
                .filter(field -> field.getId() == match.getFieldId())
                .map(MatchField::getName)
                .findFirst()
                .orElseThrow(EntryMessages::foreign);
        return switch (match.getFieldMatchTypeCase()) {
            case EXACT -> new Match.Exact(name, number(match.getExact().getValue()));
            case LPM ->
                new Match.Lpm(
                        name, number(match.getLpm().getValue()), match.getLpm().getPrefixLen());
            case TERNARY ->
                new Match.Ternary(
                        name,
                        number(match.getTernary().getValue()),
                        number(match.getTernary().getMask()));
            case RANGE ->
                new Match.Range(
                        name,
                        number(match.getRange().getLow()),
                        number(match.getRange().getHigh()));
            default -> throw foreign();
        };
    }

    private static TableEntry.Action action(PipelineIndex pipeline, TableAction action) {
        return switch (action.getTypeCase()) {
            case ACTION -> new TableEntry.Action.Direct(call(pipeline, action.getAction()));
            case ACTION_PROFILE_ACTION_SET ->
                new TableEntry.Action.OneShot(action.getActionProfileActionSet().getActionProfileActionsList().stream()
                        .map(member -> new TableEntry.Weighted(member.getWeight(), call(pipeline, member.getAction())))
                        .toList());
            default -> throw foreign();
        };
    }

    private static TableEntry.Call call(PipelineIndex pipeline, P4RuntimeOuterClass.Action message) {
        P4InfoOuterClass.Action action = pipeline.action(message.getActionId()).orElseThrow(EntryMessages::foreign);
        List<TableEntry.Argument> arguments = message.getParamsList().stream()
                .sorted(Comparator.comparingInt(P4RuntimeOuterClass.Action.Param::getParamId))
                .map(value -> new TableEntry.Argument(
                        action.getParamsList().stream()
                                .filter(param -> param.getId() == value.getParamId())
                                .map(P4InfoOuterClass.Action.Param::getName)
                                .findFirst()
                                .orElseThrow(EntryMessages::foreign),
                        number(value.getValue())))
                .toList();
        return new TableEntry.Call(action.getPreamble().getAlias(), arguments);
    }

    private static ByteString bytes(BigInteger value) {
        return Packets.Bytes.canonical(value.toByteArray());
    }

    private static BigInteger number(ByteString bytes) {
        return new BigInteger(1, bytes.toByteArray());
    }
}
