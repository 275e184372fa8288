// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.table;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import org.sextant.contract.Action;
import org.sextant.contract.Actions;
import org.sextant.contract.Table;
import org.sextant.contract.Tables;
import org.sextant.core.table.EntryTypes.EntryType;

/**
 * Packets of a flow enter an SR policy (RFC 9256, 8.6), whatever {@link Steering} and {@link Route} have for their
 * destination; or are dropped, as that has no valid path (8.2).
 *
 * @param into empty: dropped
 */
public record FlowSteering(int vrf, FlowMatch flow, Optional<Into> into) implements Entry {
    public static final String TABLE_V6 = Tables.FLOW_STEERING_V6.name();
    public static final String TABLE_V4 = Tables.FLOW_STEERING_V4.name();

    static final EntryType TYPE =
            new EntryType(List.of(Tables.FLOW_STEERING_V6, Tables.FLOW_STEERING_V4), FlowSteering::read, text -> text);

    private static final int WHOLE_PROTOCOL = 0xff;
    private static final int WHOLE_DSCP = 0x3f;

    /**
     * A list of the node's.
     *
     * @param sidList unsigned
     * @param reduced H.Encaps.Red, else H.Encaps (RFC 8986, 5.1 and 5.2)
     */
    public record Into(int sidList, boolean reduced) {
        private Action action() {
            return reduced ? Actions.H_ENCAPS_RED : Actions.H_ENCAPS;
        }
    }

    public FlowSteering {
        Range.vrf(vrf);
        Objects.requireNonNull(flow);
        Objects.requireNonNull(into);
    }

    private Table table() {
        return flow.destination().isIpv6() ? Tables.FLOW_STEERING_V6 : Tables.FLOW_STEERING_V4;
    }

    @Override
    public Key key() {
        return new Key(table().name(), "vrf " + vrf + " " + flow);
    }

    @Override
    public Stage stage() {
        return Stage.INGRESS;
    }

    @Override
    public int precedence() {
        return flow.priority();
    }

    @Override
    public OptionalInt sendsInto() {
        return into.map(list -> OptionalInt.of(list.sidList())).orElse(OptionalInt.empty());
    }

    @Override
    public TableEntry row() {
        RowBuilder row = RowBuilder.in(table())
                .priority(flow.priority())
                .exact(vrf)
                .ternary(flow.source())
                .ternary(flow.destination())
                .ternary(whole(flow.protocol(), WHOLE_PROTOCOL))
                .asked(flow.sourcePorts().map(FlowMatch.Ports::interval))
                .asked(flow.destinationPorts().map(FlowMatch.Ports::interval))
                .ternary(whole(flow.dscp(), WHOLE_DSCP));
        return into.map(list -> row.does(list.action(), Values.number(list.sidList())))
                .orElseGet(() -> row.does(Actions.DROP_STEERED));
    }

    private static Optional<Ternary> whole(OptionalInt value, int mask) {
        return value.isPresent() ? Optional.of(new Ternary(value.getAsInt(), mask)) : Optional.empty();
    }

    private static Entry read(RowReader row) {
        int vrf = row.exact();
        FlowMatch flow = new FlowMatch(
                row.priority(),
                row.ternaryPrefix(),
                row.ternaryPrefix(),
                value(row.ternary(), WHOLE_PROTOCOL),
                row.asked().map(FlowMatch.Ports::of),
                row.asked().map(FlowMatch.Ports::of),
                value(row.ternary(), WHOLE_DSCP));
        CallReader call = row.call();
        return new FlowSteering(
                vrf,
                flow,
                call.is(Actions.DROP_STEERED)
                        ? Optional.empty()
                        : Optional.of(new Into(call.number(), call.is(Actions.H_ENCAPS_RED))));
    }

    private static OptionalInt value(Optional<Ternary> given, int mask) {
        given.filter(one -> one.mask() != mask).ifPresent(one -> {
            throw new IllegalArgumentException(
                    "a flow is not steered by parts of a field, as under the mask of " + one);
        });
        return given.map(one -> OptionalInt.of(one.value())).orElse(OptionalInt.empty());
    }

    /** The action for its packets, as P4Info spells it. */
    public String action() {
        return into.map(list -> list.action().name()).orElse(DropSteered.ACTION);
    }

    @Override
    public String actionText() {
        return action()
                + into.map(list -> " sid_list " + Integer.toUnsignedString(list.sidList()))
                        .orElse("");
    }
}
