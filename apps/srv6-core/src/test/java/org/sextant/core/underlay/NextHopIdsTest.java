// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.underlay;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.sextant.core.ip.MacAddress;
import org.sextant.core.underlay.NextHopIds.Attachment;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class NextHopIdsTest {

    /** Written down once: another version of the controller that gives other ids rewrites every node. */
    @Test
    void ids_are_the_same_in_every_version() {
        assertThat(NextHopIds.ofHosts(
                        List.of(host(2, 0x0200_0000_000bL), host(3, 0x0200_0000_000cL), host(510, 0xffff_ffff_ffffL))))
                .isEqualTo(Map.of(
                        host(2, 0x0200_0000_000bL), 36534,
                        host(3, 0x0200_0000_000cL), 59588,
                        host(510, 0xffff_ffff_ffffL), 15489));
    }

    @Property(tries = 200)
    void no_two_hosts_have_one_id_and_all_ids_fit(
            @ForAll Random random, @ForAll @IntRange(min = 0, max = 1200) int size) {
        Map<Attachment, Integer> ids = NextHopIds.ofHosts(hosts(random, size));
        assertThat(ids.values()).doesNotHaveDuplicates().allMatch(id -> id >= 1024 && id <= 65_279);
    }

    @Property(tries = 200)
    void the_order_in_which_hosts_are_told_says_nothing(
            @ForAll Random random, @ForAll @IntRange(min = 2, max = 1200) int size) {
        List<Attachment> hosts = hosts(random, size);
        Map<Attachment, Integer> ids = NextHopIds.ofHosts(hosts);
        Collections.shuffle(hosts, random);
        assertThat(NextHopIds.ofHosts(hosts)).isEqualTo(ids);
    }

    @Property(tries = 200)
    void a_host_that_comes_moves_only_those_whose_ids_it_wants(
            @ForAll Random random, @ForAll @IntRange(min = 1, max = 300) int size) {
        List<Attachment> hosts = hosts(random, size);
        Map<Attachment, Integer> before = NextHopIds.ofHosts(hosts.subList(1, size));
        Map<Attachment, Integer> after = NextHopIds.ofHosts(hosts);
        int newcomers = after.get(hosts.get(0));
        long moved = before.keySet().stream()
                .filter(host -> !before.get(host).equals(after.get(host)))
                .count();
        assertThat(moved == 0).isEqualTo(!before.containsValue(newcomers));
    }

    @Test
    void all_ids_can_be_given_and_who_comes_after_that_has_none() {
        List<Attachment> hosts = new ArrayList<>();
        for (int i = 0; i < 64_256 + 2; i++) {
            hosts.add(host(1, i));
        }
        assertThat(NextHopIds.ofHosts(hosts)).hasSize(64_256).doesNotContainKeys(hosts.get(64_256), hosts.get(64_257));
        assertThat(NextHopIds.ofHosts(hosts).values()).doesNotHaveDuplicates();
    }

    @Test
    void first_choices_are_spread_evenly() {
        Map<Integer, Integer> perKilo = new HashMap<>();
        for (int mac = 0; mac < 64_256; mac++) {
            perKilo.merge(
                    (NextHopIds.choice(host(1 + mac % 3, 0x5254_0000_0000L + mac), 0) - 1024) / 1004, 1, Integer::sum);
        }
        assertThat(perKilo).hasSize(64);
        assertThat(perKilo.values())
                .as("1004 each, give or take five standard deviations")
                .allMatch(count -> Math.abs(count - 1004) < 160);
    }

    private static List<Attachment> hosts(Random random, int size) {
        List<Attachment> hosts = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            hosts.add(host(1 + random.nextInt(510), random.nextLong() >>> 16));
        }
        return hosts;
    }

    private static Attachment host(int port, long mac) {
        return new Attachment(port, new MacAddress(mac));
    }
}
