// SPDX-License-Identifier: Apache-2.0
package org.sextant.onos.netcfg;

import org.onosproject.net.DeviceId;
import org.onosproject.net.config.Config;

/**
 * {@code devices/ID/srv6}: the section that makes a device a node of the SR domain. The inventory checks that values
 * fit each other.
 */
public final class Srv6DeviceConfig extends Config<DeviceId> {
    /** A uSID, or the node's uN SID. */
    private static final String SID = "(0x)?[0-9a-fA-F]{1,8}|[0-9a-fA-F:]{2,39}(/[0-9]{1,3})?";

    @Override
    public boolean isValid() {
        return hasFields("uSid", "encapSource")
                && isString("uSid", FieldPresence.MANDATORY, SID)
                && isIpAddress("encapSource", FieldPresence.MANDATORY)
                && isString("repairUSid", FieldPresence.OPTIONAL, SID)
                && isBoolean("dropSrh", FieldPresence.OPTIONAL)
                && isBoolean("knownSources", FieldPresence.OPTIONAL)
                && (!hasField("protection") || node().path("protection").isObject())
                && (!hasField("block") || isIpPrefix("block", FieldPresence.OPTIONAL));
    }
}
