// SPDX-License-Identifier: Apache-2.0
package org.sextant.onos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.onosproject.net.DeviceId;
import org.onosproject.net.config.InvalidFieldException;
import org.sextant.core.contract.InventoryContract;
import org.sextant.core.net.Link;
import org.sextant.core.port.Inventory;
import org.sextant.onos.inventory.OnosInventory;

/** The contract, and the effects of bad configuration. */
class OnosInventoryContractTest extends InventoryContract {
    private static final DeviceId A = DeviceId.deviceId("device:a");

    private final FakeOnos onos = new FakeOnos();
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();
    private final OnosInventory inventory = new OnosInventory(
            thread, onos.netcfg, onos.devices, onos.links, onos.hosts, onos.pipeconfs, FakeOnos.APP, 20);

    @AfterEach
    void close() {
        inventory.close();
        thread.shutdownNow();
        onos.close();
    }

    @Override
    protected Inventory inventory() {
        return inventory;
    }

    @Override
    protected void describe(String description) throws Exception {
        onos.netcfg.load(description);
    }

    @Override
    protected void session(boolean established) {
        onos.devices.connect(DeviceId.deviceId("device:b"));
        if (established) {
            onos.devices.connect(A);
        } else {
            onos.devices.disconnect(A);
        }
        inventory.settle();
    }

    @Override
    protected void port(boolean up) {
        onos.devices.port(A, 2, true);
        onos.devices.port(A, 3, true);
        onos.devices.port(A, 1, up);
        onos.devices.connect(A);
    }

    @Test
    void links_of_a_node_that_onos_has_no_connection_to_stay() throws Exception {
        describe(DESCRIPTION);
        port(true);
        inventory.settle();
        onos.devices.port(A, 1, false);
        onos.devices.port(A, 2, false);
        onos.devices.port(A, 3, false);
        inventory.settle();
        assertThat(inventory.snapshot().links()).hasSize(2).allMatch(Link::up);
        onos.devices.disconnect(A);
        inventory.settle();
        assertThat(inventory.snapshot().links()).hasSize(2).allMatch(Link::up);
        onos.devices.port(A, 2, true);
        onos.devices.connect(A);
        inventory.settle();
        assertThat(inventory.snapshot().links())
                .as("of the ports only one came back")
                .noneMatch(Link::up);
    }

    @Test
    void what_cannot_be_read_now_is_read_again_although_nothing_else_happens() throws Exception {
        describe(DESCRIPTION);
        port(true);
        inventory.settle();
        CountDownLatch down = new CountDownLatch(1);
        inventory.onChange((before, after) -> {
            if (after.links().stream().noneMatch(Link::up)) {
                down.countDown();
            }
        });
        thread.schedule(() -> {}, 30, TimeUnit.MILLISECONDS).get(); // behind work that is due in 20 ms
        onos.devices.portUnread(A, 1, false);
        assertThat(down.await(20, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void of_two_devices_with_one_usid_one_is_left_out_with_its_links_and_the_rest_works() throws Exception {
        onos.netcfg.load(DESCRIPTION.replace("\"0200\"", "\"0100\""));
        inventory.settle();
        assertThat(inventory.snapshot().nodes()).hasSize(1);
        assertThat(inventory.snapshot().links()).isEmpty();
    }

    @Test
    void a_device_without_srv6_config_stays_as_a_node_that_only_forwards() throws Exception {
        onos.netcfg.load(
                DESCRIPTION.replace("\"srv6\": {\"uSid\": \"0200\", \"encapSource\": \"fcff:2::1\"}", "\"other\": {}"));
        inventory.settle();
        assertThat(inventory.snapshot().nodes().get("b").srv6()).isEmpty();
        assertThat(inventory.snapshot().nodes().get("a").srv6()).isPresent();
        assertThat(inventory.snapshot().links()).hasSize(2);
    }

    @Test
    void a_device_that_onos_knows_and_nobody_described_is_no_node() throws Exception {
        describe(DESCRIPTION);
        onos.devices.connect(DeviceId.deviceId("device:stranger"));
        inventory.settle();
        assertThat(inventory.snapshot().nodes().keySet()).containsExactly("a", "b");
    }

    @Test
    void links_and_hosts_that_onos_found_are_used_where_the_description_has_nothing() throws Exception {
        describe(DESCRIPTION);
        onos.links.find("device:a/3", "device:b/3");
        onos.links.find("device:b/3", "device:a/3");
        onos.links.find("device:a/6", "device:b/6"); // one direction proves nothing
        onos.links.find("device:a/1", "device:b/4");
        onos.hosts.find("00:00:00:00:00:09", "fd00:0:9::9", "device:b/5");
        onos.hosts.find("00:00:00:00:00:08", "fd00:0:8::8", "device:b/3");
        inventory.settle();
        assertThat(inventory.snapshot().links())
                .extracting(Link::id)
                .containsExactlyInAnyOrder("a/1-b/1", "b/1-a/1", "a/3-b/3", "b/3-a/3");
        assertThat(inventory.snapshot().hosts().keySet()).containsExactlyInAnyOrder("h", "00:00:00:00:00:09");
    }

    @Test
    void a_section_that_cannot_be_is_refused_when_it_comes() {
        assertThatThrownBy(() -> onos.netcfg.load(DESCRIPTION.replace("\"fcff:2::1\"", "\"nowhere\"")))
                .isInstanceOf(InvalidFieldException.class)
                .hasMessageContaining("encapSource");
        assertThatThrownBy(() -> onos.netcfg.load(DESCRIPTION.replace("\"igpMetric\": 7", "\"igpMetric\": 0")))
                .isInstanceOf(InvalidFieldException.class)
                .hasMessageContaining("igpMetric");
        assertThatThrownBy(() -> onos.netcfg.load(DESCRIPTION.replace("\"igpMetric\"", "\"igpMetrik\"")))
                .isInstanceOf(InvalidFieldException.class)
                .hasMessageContaining("igpMetrik");
    }
}
