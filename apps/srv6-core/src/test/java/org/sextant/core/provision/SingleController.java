// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.provision;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.sextant.core.fake.FakeCoordination;
import org.sextant.core.fake.FakeDataPlane;
import org.sextant.core.fake.FakeInventory;
import org.sextant.core.fake.FakeStore;
import org.sextant.core.intent.EngineSettings;
import org.sextant.core.intent.engine.IntentEngine;
import org.sextant.core.net.Network;

/** The entries that one controller installs in nodes that had none. */
final class SingleController {
    private SingleController() {}

    /** The nodes of a network, with all of their entries. */
    static FakeDataPlane install(Network network) {
        EngineSettings quiet =
                EngineSettings.DEFAULT.withAuditInterval(Duration.ZERO).withAdoptionGrace(Duration.ZERO);
        FakeDataPlane nodes = new FakeDataPlane();
        network.nodes().keySet().forEach(nodes::connect);
        try (IntentEngine engine =
                new IntentEngine(new FakeInventory(network), nodes, new FakeStore(), new FakeCoordination(), quiet)) {
            engine.register(new Provisioning());
            engine.register(new ProtectionKind());
            engine.start();
            assertThat(engine.idle()).succeedsWithin(20, SECONDS);
        }
        return nodes;
    }
}
