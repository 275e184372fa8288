// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.table;

import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import org.sextant.contract.Action;
import org.sextant.contract.Actions;
import org.sextant.contract.Tables;
import org.sextant.core.ip.IpPrefix;
import org.sextant.core.table.EntryTypes.EntryType;

/** Traffic to a prefix enters an SR policy: H.Encaps.Red if {@code reduced}, else H.Encaps (RFC 8986, 5.1 and 5.2). */
public record Steering(int vrf, IpPrefix destination, int sidList, boolean reduced) implements Entry {
    public static final String TABLE_V6 = Tables.STEERING_V6.name();
    public static final String TABLE_V4 = Tables.STEERING_V4.name();

    static final EntryType TYPE =
            new EntryType(List.of(Tables.STEERING_V6, Tables.STEERING_V4), Steering::read, Matched.Destination::parse);

    public Steering {
        Range.vrf(vrf);
        Objects.requireNonNull(destination);
    }

    @Override
    public Key key() {
        return key(vrf, destination);
    }

    static Key key(int vrf, IpPrefix destination) {
        return new Key(destination.isIpv6() ? TABLE_V6 : TABLE_V4, new Matched.Destination(vrf, destination));
    }

    @Override
    public Stage stage() {
        return Stage.INGRESS;
    }

    @Override
    public OptionalInt sendsInto() {
        return OptionalInt.of(sidList);
    }

    private Action action() {
        return reduced ? Actions.H_ENCAPS_RED : Actions.H_ENCAPS;
    }

    @Override
    public TableEntry row() {
        return RowBuilder.in(destination.isIpv6() ? Tables.STEERING_V6 : Tables.STEERING_V4)
                .exact(vrf)
                .lpm(destination)
                .does(action(), Values.number(sidList));
    }

    private static Entry read(RowReader row) {
        CallReader call = row.call();
        if (call.is(Actions.DROP_STEERED)) {
            return new DropSteered(row.exact(), row.lpm());
        }
        return new Steering(row.exact(), row.lpm(), call.number(), call.is(Actions.H_ENCAPS_RED));
    }

    @Override
    public String actionText() {
        return action().name() + " sid_list " + Integer.toUnsignedString(sidList);
    }
}
