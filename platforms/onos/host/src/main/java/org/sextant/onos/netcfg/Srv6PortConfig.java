// SPDX-License-Identifier: Apache-2.0
package org.sextant.onos.netcfg;

import org.onosproject.net.ConnectPoint;
import org.onosproject.net.config.Config;

/** {@code ports/ID/PORT/srv6}: the MTU of a port, and its role. */
public final class Srv6PortConfig extends Config<ConnectPoint> {
    @Override
    public boolean isValid() {
        return hasOnlyFields("mtuBytes", "role")
                && isIntegralNumber("mtuBytes", FieldPresence.OPTIONAL, 0, 65_575)
                && isString("role", FieldPresence.OPTIONAL, "external|internal");
    }
}
