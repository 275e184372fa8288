// SPDX-License-Identifier: Apache-2.0
package org.sextant.onos.netcfg;

import org.onosproject.net.LinkKey;
import org.onosproject.net.config.Config;

/** {@code links/KEY/srv6}: metrics, delay, MTU, shared-risk groups and affinities of a link. */
public final class Srv6LinkConfig extends Config<LinkKey> {
    @Override
    public boolean isValid() {
        return hasOnlyFields("igpMetric", "teMetric", "delayMicros", "mtuBytes", "srlg", "affinity")
                && isIntegralNumber("igpMetric", FieldPresence.OPTIONAL, 1, 1 << 24)
                && isIntegralNumber("teMetric", FieldPresence.OPTIONAL, 1, 1 << 24)
                && isIntegralNumber("delayMicros", FieldPresence.OPTIONAL, 0, Integer.MAX_VALUE)
                && isIntegralNumber("mtuBytes", FieldPresence.OPTIONAL, 0, 65_575);
    }
}
