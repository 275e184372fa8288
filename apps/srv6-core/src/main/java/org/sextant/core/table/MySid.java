// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.table;

import java.util.Objects;
import java.util.Set;
import org.sextant.contract.Tables;
import org.sextant.core.ip.IpPrefix;

/** A SID this node owns and what it does there (RFC 8986, 4; RFC 9800, 4.1). */
public record MySid(IpPrefix sid, Behavior behavior) implements Entry {
    public static final String TABLE = Tables.MY_SID.name();

    public MySid {
        Objects.requireNonNull(behavior);
        if (!sid.isIpv6()) {
            throw new IllegalArgumentException("a SID is an IPv6 prefix, not " + sid);
        }
    }

    @Override
    public Key key() {
        return new Key(TABLE, sid);
    }

    @Override
    public Stage stage() {
        return Stage.BEHAVIORS;
    }

    @Override
    public Set<Integer> leavesBy() {
        if (behavior instanceof Behavior.Ua ua) {
            return Set.of(ua.nextHop());
        }
        if (behavior instanceof Behavior.EndX endX) {
            return Set.of(endX.nextHop());
        }
        return behavior instanceof Behavior.Udx udx ? Set.of(udx.nextHop()) : Set.of();
    }
}
