// SPDX-License-Identifier: Apache-2.0
package org.sextant.onos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.onosproject.net.DeviceId;
import org.onosproject.net.pi.model.PiPipeconf;
import org.onosproject.net.pi.model.PiTableId;
import org.sextant.core.contract.DataPlaneContract;
import org.sextant.core.net.Network;
import org.sextant.core.net.Node;
import org.sextant.core.port.DataPlane;
import org.sextant.core.port.NodeUnavailableException;
import org.sextant.core.port.Subscription;
import org.sextant.core.table.Entry;
import org.sextant.core.table.TableCodec;

class OnosDataPlaneContractTest extends DataPlaneContract {
    private static final DeviceId DEVICE = DeviceId.deviceId("device:n1");
    private static final String MANAGEMENT = "grpc://127.0.0.1:1?device_id=1";

    private final FakeOnos onos = new FakeOnos();
    private final Network network = new Network(
            List.of(new Node(
                    NODE,
                    DEVICE.toString(),
                    MANAGEMENT,
                    "org.sextant.bmv2",
                    Optional.empty(),
                    new TreeMap<>(),
                    Optional.empty())),
            List.of(),
            List.of());
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();
    private final AtomicBoolean reachable = new AtomicBoolean(true);
    private final OnosDataPlane dataPlane = new OnosDataPlane(
            onos.devices,
            onos.flowRules,
            new LastKnown<DeviceId, PiPipeconf>(reachable::get, onos.pipeconfs::getPipeconf)::of,
            onos.refusals,
            () -> network,
            FakeOnos.APP,
            Duration.ofSeconds(10),
            reachable::get,
            thread);

    @AfterEach
    void close() {
        dataPlane.close();
        thread.shutdownNow();
        onos.close();
    }

    @Override
    protected DataPlane dataPlane() {
        return dataPlane;
    }

    @Override
    protected void connect() throws Exception {
        onos.netcfg.load("""
            {"devices": {"device:n1": {"basic": {"managementAddress": "%s", "pipeconf": "org.sextant.bmv2"}}}}
            """.formatted(MANAGEMENT));
        onos.devices.connect(DEVICE);
    }

    @Override
    protected void disconnect() {
        onos.devices.disconnect(DEVICE);
    }

    @Test
    void a_node_is_found_although_ONOS_did_not_answer_when_it_came() throws Exception {
        BlockingQueue<DataPlane.NodeState> states = new LinkedBlockingQueue<>();
        Subscription heard = dataPlane.onState(states::add);
        disconnect();
        assertThat(states.poll(10, TimeUnit.SECONDS).ready()).isFalse();
        onos.pipeconfs.interruptions.set(1);
        onos.devices.connect(DEVICE);
        assertThat(states.poll(10, TimeUnit.SECONDS).ready()).isTrue();
        heard.close();
    }

    @Test
    void a_node_stays_ready_while_the_storage_does_not_answer() {
        reachable.set(false);
        onos.pipeconfs.interruptions.set(1);
        assertThat(dataPlane.ready()).containsExactly(NODE);
        assertThat(dataPlane.capabilities(NODE)).isPresent();
        assertThat(onos.pipeconfs.interruptions).as("it was not asked").hasValue(1);
        reachable.set(true);
        assertThat(dataPlane.ready()).as("the question that fails").containsExactly(NODE);
        assertThat(onos.pipeconfs.interruptions).hasValue(0);
    }

    @Test
    void who_is_cut_off_from_the_other_controllers_does_not_write() {
        List<DataPlane.Update> insert = List.of(new DataPlane.Update(DataPlane.Operation.INSERT, SID));
        reachable.set(false);
        assertThatThrownBy(() -> dataPlane.write(NODE, insert))
                .isInstanceOf(NodeUnavailableException.class)
                .hasMessageContaining("another controller may program it");
        reachable.set(true);
        assertThat(dataPlane.write(NODE, insert)).containsExactly(DataPlane.Result.OK);
    }

    @Test
    void what_is_written_while_counters_are_read_can_be_removed() {
        dataPlane.read(NODE);
        onos.nodes.get(DEVICE).afterRead = () -> {
            onos.nodes.get(DEVICE).afterRead = () -> {};
            assertThat(dataPlane.write(NODE, List.of(new DataPlane.Update(DataPlane.Operation.INSERT, SID))))
                    .containsExactly(DataPlane.Result.OK);
        };
        dataPlane.rows(NODE, List.of(SID));
        assertThat(onos.nodes.get(DEVICE).rows()).hasSize(1);
        assertThat(dataPlane.write(NODE, List.of(new DataPlane.Update(DataPlane.Operation.DELETE, SID))))
                .containsExactly(DataPlane.Result.OK);
        assertThat(onos.nodes.get(DEVICE).rows()).isEmpty();
    }

    @Override
    protected void refuse(String table, DataPlane.Code code, String sentence) {
        onos.nodes.get(DEVICE).fault = entry ->
                entry.table().id().endsWith("." + table) ? Optional.of(code + " " + sentence) : Optional.empty();
    }

    @Override
    protected void erase(Entry entry) {
        String table = TableCodec.encode(entry).table();
        onos.nodes.get(DEVICE).rows().stream()
                .map(row -> row.table())
                .filter(id -> id.id().endsWith("." + table))
                .distinct()
                .map(id -> PiTableId.of(id.id()))
                .toList()
                .forEach(onos.nodes.get(DEVICE)::erase);
    }
}
