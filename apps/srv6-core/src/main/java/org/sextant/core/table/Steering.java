// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.table;

import java.util.Objects;
import org.sextant.contract.Tables;
import org.sextant.core.ip.IpPrefix;

/** Traffic to a prefix enters an SR policy: H.Encaps.Red if {@code reduced}, else H.Encaps (RFC 8986, 5.1 and 5.2). */
public record Steering(int vrf, IpPrefix destination, int sidList, boolean reduced) implements Entry {
    public static final String TABLE_V6 = Tables.STEERING_V6.name();
    public static final String TABLE_V4 = Tables.STEERING_V4.name();

    public Steering {
        Range.vrf(vrf);
        Objects.requireNonNull(destination);
    }

    @Override
    public Key key() {
        return new Key(destination.isIpv6() ? TABLE_V6 : TABLE_V4, new Matched.Destination(vrf, destination));
    }

    @Override
    public Stage stage() {
        return Stage.INGRESS;
    }
}
