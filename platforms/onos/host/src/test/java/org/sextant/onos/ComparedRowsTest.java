// SPDX-License-Identifier: Apache-2.0
package org.sextant.onos;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.onosproject.net.DeviceId;
import org.onosproject.net.flow.FlowEntry;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.FlowRuleOperations;
import org.onosproject.net.flow.FlowRuleOperationsContext;
import org.sextant.core.ip.MacAddress;
import org.sextant.core.table.Entry;
import org.sextant.core.table.NextHop;
import org.sextant.core.table.TableCodec;
import org.sextant.onos.driver.TestPipeconfs;
import org.sextant.onos.table.FlowRules;
import org.sextant.onos.table.PiEntries;
import org.sextant.onos.table.PipelineNames;

/** ONOS reads nodes every few seconds and compares the rows with those that it wants, while we write. */
@DisplayNameGeneration(ReplaceUnderscores.class)
@Timeout(60)
class ComparedRowsTest {
    private static final DeviceId DEVICE = DeviceId.deviceId("device:n1");
    private static final PipelineNames NAMES =
            new PipelineNames(TestPipeconfs.byName("org.sextant.bmv2").orElseThrow());
    private static final NextHop HOP = hop("00:00:00:00:00:02");
    private static final NextHop CHANGED = hop("00:00:00:00:00:03");

    private final FakeOnos onos = new FakeOnos();

    private static NextHop hop(String to) {
        return new NextHop(1, 1, MacAddress.parse("02:00:00:00:00:01"), MacAddress.parse(to));
    }

    @BeforeEach
    void connect() throws Exception {
        onos.netcfg.load("""
            {"devices": {"device:n1": {"basic":
                {"managementAddress": "grpc://127.0.0.1:1?device_id=1", "pipeconf": "org.sextant.bmv2"}}}}
            """);
        onos.devices.connect(DEVICE);
    }

    @AfterEach
    void close() {
        onos.close();
    }

    @Test
    void what_was_read_before_a_change_does_not_take_the_changed_row_away() {
        apply(HOP);
        Collection<FlowEntry> seen = read();
        apply(CHANGED);
        FlowEntry old = seen.iterator().next();
        onos.programmable(DEVICE).removeFlowRules(List.of(old));
        assertThat(held()).contains(CHANGED);
        onos.flowRules.compare(DEVICE, seen);
        assertThat(held()).contains(CHANGED);
    }

    @Test
    void a_row_that_nobody_wishes_is_removed() {
        apply(HOP);
        Collection<FlowEntry> seen = read();
        remove(HOP);
        onos.nodes.get(DEVICE).plant(new PiEntries(NAMES).encode(TableCodec.encode(HOP)));
        onos.flowRules.compare(DEVICE, seen);
        assertThat(held()).isEmpty();
    }

    private static FlowRule rule(Entry entry) {
        return new FlowRules(NAMES, FakeOnos.APP).encode(DEVICE, entry);
    }

    private Collection<FlowEntry> read() {
        return onos.programmable(DEVICE).getFlowEntries();
    }

    private Optional<Entry> held() {
        return read().stream()
                .flatMap(row -> FlowRules.entry(row).stream())
                .filter(NextHop.class::isInstance)
                .findFirst();
    }

    private void apply(Entry entry) {
        carryOut(FlowRuleOperations.builder().add(rule(entry)));
    }

    private void remove(Entry entry) {
        carryOut(FlowRuleOperations.builder().remove(rule(entry)));
    }

    private void carryOut(FlowRuleOperations.Builder operations) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        onos.flowRules.apply(operations.build(new FlowRuleOperationsContext() {
            @Override
            public void onSuccess(FlowRuleOperations all) {
                done.complete(null);
            }

            @Override
            public void onError(FlowRuleOperations failed) {
                done.completeExceptionally(new AssertionError(failed));
            }
        }));
        done.join();
    }
}
