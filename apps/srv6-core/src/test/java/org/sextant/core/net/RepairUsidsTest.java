// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.sextant.core.Problem;
import org.sextant.core.ip.IpPrefix;
import org.sextant.core.underlay.RepairSids;
import org.sextant.core.underlay.SidPlan;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class RepairUsidsTest {

    private static NetworkFile.Reading read(String top, String defaults, String... nodes) {
        StringBuilder devices = new StringBuilder();
        for (int i = 0; i < nodes.length; i++) {
            devices.append(i == 0 ? "" : ", ")
                    .append("'device:")
                    .append((char) ('a' + i))
                    .append("': {'srv6': {")
                    .append(nodes[i])
                    .append("}}");
        }
        return NetworkFile.parse(("{" + top + "'apps': {'org.sextant.srv6': {'srv6': {" + defaults + "}}}, 'devices': {"
                        + devices + "}}")
                .replace('\'', '"'));
    }

    private static Network network(String defaults, String... nodes) {
        return read("'protection': {}, ", defaults, nodes).orThrow();
    }

    private static long usid(Network network, String node) {
        return network.nodes().get(node).srv6().orElseThrow().repairUsid().orElseThrow();
    }

    @Test
    void a_network_without_repairs_has_none() {
        Network network =
                read("", "'block': 'fcbb:bbbb::/32'", "'uSid': '0100'").orThrow();
        assertThat(network.nodes().get("a").srv6().orElseThrow().repairUsid()).isEqualTo(OptionalLong.empty());
        assertThat(SidPlan.of(network.nodes().get("a")).orElseThrow().repairs()).isEmpty();
    }

    @Test
    void all_nodes_have_one_if_any_is_to_have_repairs() {
        Network network = read("", "'block': 'fcbb:bbbb::/32'", "'uSid': '0100', 'protection': {}", "'uSid': '0200'")
                .orThrow();
        assertThat(usid(network, "a")).isEqualTo(0xdf00);
        assertThat(usid(network, "b")).isEqualTo(0xde00);
    }

    @Test
    void it_is_the_mirror_image_in_every_format() {
        assertThat(usid(network("'block': 'fcbb::/16', 'format': 'F1616'", "'uSid': '0001'"), "a"))
                .isEqualTo(0xdfff);
        assertThat(usid(network("'block': 'fcbb:bbbb:1::/48', 'format': 'F4816'", "'uSid': '0100'"), "a"))
                .isEqualTo(0xdf00);
        assertThat(usid(network("'block': 'fcbb:bbbb:1::/48', 'format': '48/32'", "'uSid': '00000100'"), "a"))
                .isEqualTo(0xdfffff00L);
        assertThat(usid(network("'block': 'fcbb:bbbb::/32', 'format': '32/32'", "'uSid': '00000100'"), "a"))
                .isEqualTo(0xdfffff00L);
    }

    /** 0xdf00 decapsulates packets to 0xdf01 and 0xdf02, and others route to it by a /44. */
    @Test
    void one_that_another_node_has_is_left_out_with_those_of_its_numbering() {
        Network network = network("'block': 'fcbb:bbbb::/32'", "'uSid': '0100'", "'uSid': 'df00'", "'uSid': '0101'");
        assertThat(usid(network, "a")).isEqualTo(0xdeff);
        assertThat(usid(network, "b"))
                .as("0100 and 0101 are nodes, and 0100 has no numbering")
                .isEqualTo(0xff);
        assertThat(usid(network, "c")).isEqualTo(0xdefe);
    }

    @Test
    void one_that_is_named_counts_and_what_overlaps_it_is_refused() {
        String block = "'block': 'fcbb:bbbb::/32'";
        Network network = network(block, "'uSid': '0100', 'repairUSid': '0a00'", "'uSid': '0200'");
        assertThat(usid(network, "a")).isEqualTo(0xa00);
        assertThat(NetworkFile.read(NetworkFile.write(network)).orThrow()).isEqualTo(network);
        for (String other : List.of("'uSid': '0a00'", "'uSid': '0200', 'repairUSid': '0a00'")) {
            List<Problem> problems = read("'protection': {}, ", block, "'uSid': '0100', 'repairUSid': '0a00'", other)
                    .problems();
            assertThat(problems).extracting(Problem::code).containsExactly(Problem.Code.CONFLICT);
        }
        assertThat(read("", block, "'uSid': '0100', 'repairUSid': '0100'").problems())
                .isNotEmpty();
        assertThat(read("", block, "'uSid': '0100', 'repairUSid': 'e001'").problems())
                .isNotEmpty();
    }

    @Test
    void a_node_whose_numbering_it_would_lie_in_has_no_numbering() {
        Network network =
                network("'block': 'fcbb:bbbb::/32'", "'uSid': '0100', 'repairUSid': '0203'", "'uSid': '0200'");
        assertThat(network.nodes().get("b").srv6().orElseThrow().numbered()).isFalse();
    }

    @Test
    void a_range_that_is_full_leaves_nodes_without_one() {
        String tiny = "'block': 'fcbb:bbbb::/32', 'format': {'block': 32, 'usid': 16, 'localStart': '4'}";
        Network network = network(tiny, "'uSid': '1'", "'uSid': '2'");
        assertThat(usid(network, "a")).isEqualTo(3);
        assertThat(network.nodes().get("b").srv6().orElseThrow().repairUsid()).isEqualTo(OptionalLong.empty());
    }

    @Property(tries = 200)
    void no_locator_of_repairs_overlaps_another_prefix(
            @ForAll @Size(min = 1, max = 20) List<@IntRange(min = 1, max = 0xdfff) Integer> usids) {
        String[] nodes = usids.stream()
                .distinct()
                .map(usid -> "'uSid': '" + Integer.toHexString(usid) + "'"
                        + (usid % 3 == 0 ? ", 'gtpLocator': 'fd00:" + Integer.toHexString(usid) + "::/32'" : ""))
                .toArray(String[]::new);
        Network network = network("'block': 'fcbb:bbbb::/32'", nodes);
        List<IpPrefix> repairs = network.nodes().values().stream()
                .map(node -> SidPlan.of(node).flatMap(SidPlan::repairs).orElseThrow())
                .map(RepairSids::locator)
                .toList();
        List<IpPrefix> all = network.nodes().values().stream()
                .flatMap(node -> SidPlan.of(node).stream())
                .flatMap(sids -> Stream.concat(sids.reachedUnder().stream(), sids.protectedUnder().stream()))
                .distinct()
                .toList();
        assertThat(repairs).doesNotHaveDuplicates();
        for (IpPrefix repair : repairs) {
            assertThat(all.stream()
                            .filter(other -> other.contains(repair.address()) || repair.contains(other.address())))
                    .containsExactly(repair);
        }
    }
}
