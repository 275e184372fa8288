// SPDX-License-Identifier: Apache-2.0
package org.sextant.onos.netcfg;

import org.onosproject.core.ApplicationId;
import org.onosproject.net.config.Config;

/** {@code apps/org.sextant.srv6/srv6}: block, format, edge and protection of all nodes that do not say otherwise. */
public final class Srv6AppConfig extends Config<ApplicationId> {
    @Override
    public boolean isValid() {
        return hasOnlyFields("block", "format", "dropSrh", "knownSources", "protection")
                && isIpPrefix("block", FieldPresence.OPTIONAL)
                && isBoolean("dropSrh", FieldPresence.OPTIONAL)
                && isBoolean("knownSources", FieldPresence.OPTIONAL)
                && (!hasField("protection") || node().path("protection").isObject())
                && (!hasField("format")
                        || node().path("format").isTextual()
                        || node().path("format").isObject());
    }
}
