// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.sextant.core.ip.MacAddress;
import org.sextant.core.net.Link;
import org.sextant.core.net.Network;
import org.sextant.core.port.Inventory;
import org.sextant.core.port.Subscription;

/** The contract of {@link Inventory}: two nodes, their link and a host, described in the file that all hosts share. */
@SuppressWarnings("try") // a subscription is not used but closed
@DisplayNameGeneration(ReplaceUnderscores.class)
@Timeout(60)
public abstract class InventoryContract {
    private static final long SOON_SECONDS = 10;

    /** The network of every test, in the shape of ONOS netcfg. */
    protected static final String DESCRIPTION = """
            {"apps": {"org.sextant.srv6": {"srv6": {"block": "fcbb:bbbb::/32", "format": "F3216"}}},
             "devices": {
               "device:a": {"basic": {"name": "a", "managementAddress": "grpc://127.0.0.1:50101?device_id=1", "driver": "srv6-linux",
                 "pipeconf": "org.sextant.linux"}, "srv6": {"uSid": "0100", "encapSource": "fcff:1::1"}},
               "device:b": {"basic": {"name": "b", "managementAddress": "grpc://127.0.0.1:50102?device_id=2", "driver": "srv6-linux",
                 "pipeconf": "org.sextant.linux"}, "srv6": {"uSid": "0200", "encapSource": "fcff:2::1"}}},
             "ports": {
               "device:a/1": {"interfaces": [{"name": "b", "mac": "02:00:00:00:01:01"}]},
               "device:b/1": {"interfaces": [{"name": "a", "mac": "02:00:00:00:02:01"}]},
               "device:a/2": {"interfaces": [{"name": "h", "mac": "02:00:00:00:01:02", "ips": ["fd00:0:1::1/64"]}]}},
             "links": {"device:a/1-device:b/1": {"basic": {"bidirectional": true}, "srv6": {"igpMetric": 7, "mtuBytes": 9000}}},
             "hosts": {"00:00:00:00:00:01/None": {"basic": {"name": "h", "ips": ["fd00:0:1::2"], "locations": ["device:a/2"]}}}}
            """;

    protected abstract Inventory inventory();

    /** Takes up {@link #DESCRIPTION}, or one that differs a little. */
    protected abstract void describe(String description) throws Exception;

    /** Node a reports that its port 1 is up or down, and that its other ports are up. */
    protected abstract void port(boolean up) throws Exception;

    /**
     * The controller has a session to node a now, or not; it has one to node b. Returns when the inventory has the
     * change.
     */
    protected abstract void session(boolean established) throws Exception;

    private final BlockingQueue<Network> seen = new LinkedBlockingQueue<>();
    private Network last = Network.EMPTY;

    @Test
    void what_is_described_is_there_with_all_it_says() throws Exception {
        try (Subscription subscription = listen()) {
            describe(DESCRIPTION);
            Network network = await(2, true);
            assertThat(network.nodes().keySet()).containsExactly("a", "b");
            assertThat(network.nodes().get("a").srv6().orElseThrow().usid()).isEqualTo(0x0100);
            assertThat(network.nodes().get("a").deviceId()).isEqualTo("device:a");
            assertThat(network.nodes().get("a").ports().get(1).mac()).contains(MacAddress.parse("02:00:00:00:01:01"));
            assertThat(network.hosts().get("h").location()).isEqualTo(new Link.End("a", 2));
            assertThat(network.links()).extracting(Link::id).containsExactlyInAnyOrder("a/1-b/1", "b/1-a/1");
            assertThat(network.links()).allMatch(link -> link.igpMetric() == 7 && link.mtuBytes() == 9000 && link.up());
        }
    }

    @Test
    void a_port_that_goes_down_takes_both_directions_of_its_link_and_brings_them_back() throws Exception {
        try (Subscription subscription = listen()) {
            describe(DESCRIPTION);
            await(2, true);
            port(false);
            await(2, false);
            port(true);
            await(2, true);
        }
    }

    @Test
    void a_link_that_is_back_is_used_after_the_wait_to_restore() throws Exception {
        try (Subscription subscription = listen()) {
            describe(DESCRIPTION
                    .replace("{\"block\"", "{\"waitToRestoreMillis\": 300, \"block\"")
                    .replace("\"links\": {", "\"links\": {\"device:a/3-device:b/3\": {\"basic\": {}},"));
            await(network -> network.links().size() == 4 && up(network) == 4);
            port(false);
            await(network -> up(network) == 2 && network.restores().isEmpty());
            port(true);
            assertThat(await(network -> up(network) == 2 && !network.restores().isEmpty())
                            .restores())
                    .containsOnlyKeys("a/1-b/1", "b/1-a/1");
            assertThat(await(network -> up(network) == 4).restores()).isEmpty();
        }
    }

    @Test
    void a_node_whose_session_is_lost_is_overloaded_and_later_drained_until_a_session_has_lasted() throws Exception {
        try (Subscription subscription = listen()) {
            describe(DESCRIPTION.replace(
                    "{\"block\"", "{\"waitToRestoreMillis\": 300, \"drainAfterMillis\": 300, \"block\""));
            await(2, true);
            session(true);
            assertThat(inventory().snapshot().overloads()).isEmpty();
            session(false);
            Network overloaded = await(network -> network.overloads().containsKey("a"));
            assertThat(overloaded.overloads()).containsOnlyKeys("a");
            assertThat(overloaded.drained()).isEmpty();
            assertThat(await(network -> !network.drained().isEmpty()).drained()).containsExactly("a");
            session(true);
            assertThat(inventory().snapshot().drained()).containsExactly("a");
            await(network -> network.overloads().isEmpty());
        }
    }

    @Test
    void listeners_see_every_change_from_where_the_last_one_ended_and_the_snapshot_is_the_last() throws Exception {
        try (Subscription subscription = listen()) {
            describe(DESCRIPTION);
            await(2, true);
            port(false);
            assertThat(await(2, false)).isEqualTo(inventory().snapshot());
        }
    }

    private Subscription listen() {
        last = inventory().snapshot();
        return inventory().onChange((before, after) -> {
            synchronized (seen) {
                assertThat(before).isEqualTo(last);
                assertThat(after).isNotEqualTo(before);
                last = after;
                seen.add(after);
            }
        });
    }

    /** Waits for a network with so many links, all up or all down. */
    private Network await(int links, boolean up) throws InterruptedException {
        return await(network -> network.links().size() == links && up(network) == (up ? links : 0));
    }

    private Network await(Predicate<Network> expected) throws InterruptedException {
        Network network;
        do {
            network = seen.poll(SOON_SECONDS, TimeUnit.SECONDS);
            assertThat(network).as("one more change").isNotNull();
        } while (!expected.test(network));
        return network;
    }

    private static long up(Network network) {
        return network.links().stream().filter(Link::up).count();
    }
}
