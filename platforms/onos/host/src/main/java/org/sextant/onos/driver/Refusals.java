// SPDX-License-Identifier: Apache-2.0
package org.sextant.onos.driver;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.onosproject.net.DeviceId;
import org.onosproject.net.flow.FlowId;
import org.onosproject.net.flow.FlowRule;
import org.osgi.service.component.annotations.Component;
import org.sextant.core.port.DataPlane.Failure;

/**
 * Why nodes refused rules: ONOS's flow rule events only say that they did. Our driver writes here, our data plane reads
 * here; both run where the device's master runs. A rule that is accepted later is forgotten.
 */
@Component(immediate = true, service = Refusals.class)
public final class Refusals {
    private record Key(DeviceId device, FlowId rule) {
        static Key of(FlowRule rule) {
            return new Key(rule.deviceId(), rule.id());
        }
    }

    private final Map<Key, Failure> refused = new ConcurrentHashMap<>();

    public void refused(FlowRule rule, Failure why) {
        refused.put(Key.of(rule), why);
    }

    public void accepted(FlowRule rule) {
        refused.remove(Key.of(rule));
    }

    /** The reason, which is then forgotten. */
    public Optional<Failure> take(FlowRule rule) {
        return Optional.ofNullable(refused.remove(Key.of(rule)));
    }
}
