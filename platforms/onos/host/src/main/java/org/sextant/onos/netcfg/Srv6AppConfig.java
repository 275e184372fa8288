// SPDX-License-Identifier: Apache-2.0
package org.sextant.onos.netcfg;

import org.onosproject.core.ApplicationId;
import org.onosproject.net.config.Config;
import org.sextant.core.net.LinkRules;

/** {@code apps/org.sextant.srv6/srv6}: block, format, edge, protection and wait-to-restore of all that do not say otherwise. */
public final class Srv6AppConfig extends Config<ApplicationId> {
    @Override
    public boolean isValid() {
        return hasOnlyFields(
                        "block",
                        "format",
                        "dropSrh",
                        "knownSources",
                        "protection",
                        "waitToRestoreMillis",
                        "drainAfterMillis")
                && isIpPrefix("block", FieldPresence.OPTIONAL)
                && isBoolean("dropSrh", FieldPresence.OPTIONAL)
                && isBoolean("knownSources", FieldPresence.OPTIONAL)
                && isIntegralNumber("waitToRestoreMillis", FieldPresence.OPTIONAL, 0, LinkRules.MOST_WAIT_MILLIS)
                && isIntegralNumber("drainAfterMillis", FieldPresence.OPTIONAL, 0, LinkRules.MOST_DRAIN_MILLIS)
                && (!hasField("protection") || node().path("protection").isObject())
                && (!hasField("format")
                        || node().path("format").isTextual()
                        || node().path("format").isObject());
    }
}
