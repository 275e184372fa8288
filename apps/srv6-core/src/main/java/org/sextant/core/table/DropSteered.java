// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.table;

import java.util.Objects;
import org.sextant.contract.Actions;
import org.sextant.contract.Tables;
import org.sextant.core.ip.IpPrefix;

/**
 * Drops packets that would enter an SR policy without a valid path (RFC 9256, 8.2). A row with the key of a
 * {@link Steering}: either takes the place of the other.
 */
public record DropSteered(int vrf, IpPrefix destination) implements Entry {
    /** As P4Info spells it. */
    public static final String ACTION = Actions.DROP_STEERED.name();

    public DropSteered {
        Range.vrf(vrf);
        Objects.requireNonNull(destination);
    }

    @Override
    public Key key() {
        return Steering.key(vrf, destination);
    }

    @Override
    public Stage stage() {
        return Stage.INGRESS;
    }

    @Override
    public TableEntry row() {
        return RowBuilder.in(destination.isIpv6() ? Tables.STEERING_V6 : Tables.STEERING_V4)
                .exact(vrf)
                .lpm(destination)
                .does(Actions.DROP_STEERED);
    }

    @Override
    public String actionText() {
        return ACTION;
    }
}
