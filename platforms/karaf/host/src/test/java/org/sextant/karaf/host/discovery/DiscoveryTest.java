// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.host.discovery;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.sextant.core.ip.MacAddress;
import org.sextant.core.net.Host;
import org.sextant.core.net.Link;
import org.sextant.core.net.Network;
import org.sextant.core.net.Node;
import org.sextant.core.net.Port;

@DisplayNameGeneration(ReplaceUnderscores.class)
class DiscoveryTest {
    private static final byte[] KEY = "0123456789abcdef".getBytes(java.nio.charset.StandardCharsets.UTF_8);
    private static final Link.End L1 = new Link.End("l1", 1);
    private static final Link.End L2 = new Link.End("l2", 1);
    private static final Set<String> BOTH = Set.of("l1", "l2");

    private record Sent(Link.End from, byte[] frame) {}

    private final List<Sent> sent = new ArrayList<>();
    private final List<DiscoveredLinks> told = new ArrayList<>();
    private final Discovery discovery = new Discovery(
            KEY, 12, (node, port, frame) -> sent.add(new Sent(new Link.End(node, port), frame)), told::add);
    private final Network network = new Network(List.of(node("l1", true), node("l2", true)), List.of(), List.of());

    @Test
    void a_frame_has_the_bytes_of_802_1ab() {
        byte[] frame = new LldpFrame(L1, 5).encode(MacAddress.parse("02:00:00:00:00:01"), 12, KEY);
        assertThat(java.util.HexFormat.of().formatHex(frame))
                .startsWith("0180c200000e" + "020000000001" + "88cc"
                        + "0203" + "07" + "6c31"
                        + "0402" + "07" + "31"
                        + "0602" + "000c"
                        + "fe1c" + "0a535801" + "0000000000000005")
                .endsWith("0000");
        assertThat(frame).hasSizeGreaterThanOrEqualTo(60);
        assertThat(LldpFrame.decode(frame, KEY)).contains(new LldpFrame(L1, 5));
    }

    @Test
    void a_frame_with_any_bit_changed_proves_nothing_new() {
        byte[] frame = new LldpFrame(L1, 5).encode(new MacAddress(1), 12, KEY);
        for (int bit = 14 * 8; bit < frame.length * 8; bit++) {
            byte[] forged = frame.clone();
            forged[bit / 8] ^= (byte) (1 << bit % 8);
            // TTL and padding are not covered: changing them may leave the frame the same, but never make another one.
            assertThat(LldpFrame.decode(forged, KEY))
                    .as("bit " + bit)
                    .isIn(Optional.empty(), Optional.of(new LldpFrame(L1, 5)));
        }
        assertThat(LldpFrame.decode(frame, "another key".getBytes(java.nio.charset.StandardCharsets.UTF_8)))
                .isEmpty();
    }

    @Test
    void torn_frames_are_passed_over() {
        byte[] frame = new LldpFrame(L1, 5).encode(new MacAddress(1), 12, KEY);
        int complete = 14 + 5 + 4 + 4 + 30; // all but the end TLV and the padding
        for (int length = 0; length < complete; length++) {
            assertThat(LldpFrame.decode(java.util.Arrays.copyOf(frame, length), KEY))
                    .as("length " + length)
                    .isEmpty();
        }
    }

    @Test
    void a_frame_that_arrives_makes_one_direction_of_a_link() {
        discovery.round(network, BOTH);
        assertThat(sent).extracting(Sent::from).containsExactly(L1, L2);
        discovery.received("l2", 1, sent.get(0).frame());
        assertThat(last().links()).containsExactly(Map.entry(L1, L2));
        discovery.received("l2", 1, sent.get(0).frame());
        assertThat(told).hasSize(1);
    }

    @Test
    void only_ports_that_are_up_on_nodes_that_are_ready_send() {
        Network half = new Network(List.of(node("l1", false), node("l2", true)), List.of(), List.of());
        discovery.round(half, BOTH);
        assertThat(sent).extracting(Sent::from).containsExactly(L2);
        sent.clear();
        discovery.round(network, Set.of("l1"));
        assertThat(sent).extracting(Sent::from).containsExactly(L1);
    }

    @Test
    void an_old_frame_proves_nothing() {
        discovery.round(network, BOTH);
        byte[] old = sent.get(0).frame();
        for (int i = 0; i < Discovery.MISSED_ROUNDS; i++) {
            discovery.round(network, BOTH);
        }
        discovery.received("l2", 1, old);
        assertThat(told).isEmpty();
    }

    @Test
    void what_is_made_up_or_old_is_counted_and_proves_nothing() {
        byte[] madeUp = new LldpFrame(L1, 1)
                .encode(
                        new MacAddress(1),
                        12,
                        "another key that is as long".getBytes(java.nio.charset.StandardCharsets.UTF_8));
        discovery.round(network, BOTH);
        byte[] old = sent.get(0).frame();
        for (int i = 0; i < Discovery.MISSED_ROUNDS; i++) {
            discovery.round(network, BOTH);
        }
        discovery.received("l2", 1, madeUp);
        discovery.received("l2", 1, madeUp);
        discovery.received("l2", 1, old);
        discovery.received("l2", 1, new byte[60]);
        assertThat(told).isEmpty();
        assertThat(discovery.refused()).isEqualTo(Map.of(Discovery.Refusal.FORGED, 2L, Discovery.Refusal.REPLAYED, 1L));
    }

    /** Two hosts that forward the nodes' frames to each other must not become a link between their nodes. */
    @Test
    void nothing_is_sent_to_outsiders_nor_believed_from_them() {
        Network hosts = new Network(
                network.nodes().values(), List.of(), List.of(new Host("h", Optional.empty(), List.of(), L1)));
        discovery.round(hosts, BOTH);
        assertThat(sent).extracting(Sent::from).containsExactly(L2);
        discovery.received("l1", 1, sent.get(0).frame());
        assertThat(told).isEmpty();
        assertThat(discovery.refused()).isEqualTo(Map.of(Discovery.Refusal.OUTSIDE, 1L));
    }

    @Test
    void a_link_at_a_port_that_is_an_outsiders_now_is_forgotten() {
        discovery.round(network, BOTH);
        discovery.received("l2", 1, sent.get(0).frame());
        discovery.round(
                new Network(
                        network.nodes().values(), List.of(), List.of(new Host("h", Optional.empty(), List.of(), L2))),
                BOTH);
        assertThat(last()).isEqualTo(DiscoveredLinks.NOTHING);
    }

    @Test
    void a_link_that_falls_silent_is_lost_after_some_rounds_and_found_again() {
        discovery.round(network, BOTH);
        discovery.received("l2", 1, sent.get(0).frame());
        for (int i = 0; i < Discovery.MISSED_ROUNDS; i++) {
            discovery.round(network, BOTH);
            assertThat(last().lost()).isEmpty();
        }
        discovery.round(network, BOTH);
        assertThat(last()).isEqualTo(new DiscoveredLinks(Map.of(), Set.of(L1)));
        discovery.received("l2", 1, sent.get(sent.size() - 2).frame());
        assertThat(last().links()).containsExactly(Map.entry(L1, L2));
    }

    @Test
    void silence_proves_nothing_while_an_end_cannot_speak() {
        discovery.round(network, BOTH);
        discovery.received("l2", 1, sent.get(0).frame());
        for (int i = 0; i < 3 * Discovery.MISSED_ROUNDS; i++) {
            discovery.round(network, Set.of("l1"));
        }
        assertThat(told).hasSize(1);
    }

    @Test
    void a_port_that_hears_itself_is_no_link() {
        discovery.round(network, BOTH);
        discovery.received("l1", 1, sent.get(0).frame());
        assertThat(told).isEmpty();
    }

    @Test
    void links_of_a_removed_node_are_forgotten() {
        discovery.round(network, BOTH);
        discovery.received("l2", 1, sent.get(0).frame());
        discovery.round(new Network(List.of(node("l1", true)), List.of(), List.of()), BOTH);
        assertThat(last()).isEqualTo(DiscoveredLinks.NOTHING);
    }

    /** Rounds and frames come on threads of their own. */
    @Test
    void what_is_told_last_is_the_last_that_is_known() throws Exception {
        CountDownLatch telling = new CountDownLatch(1);
        CountDownLatch toldAgain = new CountDownLatch(1);
        List<DiscoveredLinks> heard = new CopyOnWriteArrayList<>();
        Discovery slow = new Discovery(
                KEY, 12, (node, port, frame) -> sent.add(new Sent(new Link.End(node, port), frame)), now -> {
                    if (telling.getCount() > 0) {
                        telling.countDown();
                        awaitBriefly(toldAgain);
                    }
                    heard.add(now);
                    toldAgain.countDown();
                });
        slow.round(network, BOTH);
        CompletableFuture<Void> first = CompletableFuture.runAsync(
                () -> slow.received("l2", 1, sent.get(0).frame()));
        assertThat(telling.await(20, TimeUnit.SECONDS)).isTrue();
        CompletableFuture<Void> second = CompletableFuture.runAsync(
                () -> slow.received("l1", 1, sent.get(1).frame()));
        CompletableFuture.allOf(first, second).get(20, TimeUnit.SECONDS);
        assertThat(heard).hasSize(2);
        assertThat(heard.get(1).links()).isEqualTo(Map.of(L1, L2, L2, L1));
    }

    /** Gives another thread the chance to overtake this one, which it must not use. */
    private static void awaitBriefly(CountDownLatch latch) {
        try {
            assertThat(latch.await(200, TimeUnit.MILLISECONDS)).as("overtaken").isFalse();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private DiscoveredLinks last() {
        return told.get(told.size() - 1);
    }

    private static Node node(String name, boolean up) {
        TreeMap<Integer, Port> ports =
                new TreeMap<>(Map.of(1, new Port(1, Optional.empty(), Optional.empty(), 0, up, List.of())));
        return new Node(
                name,
                "device:" + name,
                "grpc://127.0.0.1:1?device_id=1",
                "org.sextant.linux",
                Optional.empty(),
                ports,
                Optional.empty());
    }
}
