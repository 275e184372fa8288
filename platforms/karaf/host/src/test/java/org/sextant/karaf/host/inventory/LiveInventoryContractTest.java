// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.host.inventory;

import java.time.Clock;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.junit.jupiter.api.AfterEach;
import org.sextant.core.contract.InventoryContract;
import org.sextant.core.net.NetworkFile;
import org.sextant.core.port.Inventory;
import org.sextant.karaf.southbound.PortState;

class LiveInventoryContractTest extends InventoryContract {
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();
    private final LiveInventory inventory = new LiveInventory(thread, Clock.systemUTC());

    @AfterEach
    void stop() {
        thread.shutdownNow();
    }

    @Override
    protected Inventory inventory() {
        return inventory;
    }

    @Override
    protected void describe(String description) {
        inventory.describe(NetworkFile.parse(description).orThrow());
    }

    @Override
    protected void session(boolean established) {
        inventory.sessions(established ? Set.of("a", "b") : Set.of("b"));
        inventory.settle();
    }

    @Override
    protected void port(boolean up) {
        inventory.ports(
                "a",
                Map.of(
                        1,
                        new PortState(1, "b", Optional.empty(), 9000, up),
                        2,
                        new PortState(2, "h", Optional.empty(), 1500, true),
                        3,
                        new PortState(3, "b2", Optional.empty(), 9000, true)));
    }
}
