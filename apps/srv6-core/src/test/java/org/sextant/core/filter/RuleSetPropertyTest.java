// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.filter;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.sextant.core.filter.RuleSet.Row;
import org.sextant.core.ip.IpAddress;
import org.sextant.core.ip.IpPrefix;
import org.sextant.core.ip.Ipv6;

/** The algebra of boxes against packets, one by one: of a small world all packets, of the great one samples. */
class RuleSetPropertyTest {
    private static final int WORLD_BITS = 4;

    /** Two ports, an address and flags, each of a few values at the ends of its range. */
    private static List<Facts> smallWorld() {
        List<Facts> world = new ArrayList<>();
        int values = 1 << WORLD_BITS;
        for (int tag = 0; tag < values; tag++) {
            for (int last = 0; last < values; last++) {
                for (int code = 0; code < 4; code++) {
                    world.add(packet(tag, last, code));
                }
            }
        }
        return world;
    }

    private static Facts packet(int args, int left, int code) {
        return Facts.NONE
                .with(KeyField.ARGS, args)
                .with(KeyField.SEGMENTS_LEFT, left)
                .with(KeyField.IP_VERSION, code);
    }

    private static final Box WORLD = Box.masked(KeyField.ARGS, Ipv6.ZERO, new Ipv6(0, 0xfff0))
            .and(Box.within(KeyField.SEGMENTS_LEFT, 0, (1 << WORLD_BITS) - 1))
            .and(Box.masked(KeyField.IP_VERSION, Ipv6.ZERO, new Ipv6(0, 0xc)))
            .and(Box.of(Map.of(KeyField.HAS, new Constraint.Bits(new Ipv6(0, KeyField.HAS_SRH), new Ipv6(0, 31)))));

    private static Box randomBox(Random random) {
        Box box = WORLD;
        if (random.nextInt(4) > 0) {
            long mask = random.nextInt(1 << WORLD_BITS);
            box = box.and(
                    Box.masked(KeyField.ARGS, new Ipv6(0, random.nextInt(1 << WORLD_BITS) & mask), new Ipv6(0, mask)));
        }
        if (random.nextInt(4) > 0) {
            int first = random.nextInt(1 << WORLD_BITS);
            int last = first + random.nextInt((1 << WORLD_BITS) - first);
            box = box.and(Box.within(KeyField.SEGMENTS_LEFT, first, last));
        }
        if (random.nextInt(3) == 0) {
            box = box.and(Box.equal(KeyField.IP_VERSION, random.nextInt(4)));
        }
        return box;
    }

    @Property(tries = 300)
    void what_is_left_of_a_box_is_what_is_in_it_and_not_in_the_others_and_once(@ForAll Random random) {
        Box box = randomBox(random);
        List<Box> others = new ArrayList<>();
        for (int i = random.nextInt(6); i >= 0; i--) {
            others.add(randomBox(random));
        }
        List<Box> left = box.subtract(others, 100_000).orElseThrow();
        boolean any = false;
        for (Facts packet : smallWorld()) {
            boolean expected = box.contains(packet) && others.stream().noneMatch(other -> other.contains(packet));
            any |= expected;
            assertThat(left.stream().filter(part -> part.contains(packet)).count())
                    .as("%s of %s without %s", packet, box, others)
                    .isEqualTo(expected ? 1 : 0);
        }
        assertThat(Cover.of(box, others, 1_000_000)).isEqualTo(any ? Cover.NOT_WHOLE : Cover.WHOLE);
    }

    @Property(tries = 300)
    void intersections_and_covers_are_those_of_their_packets(@ForAll Random random) {
        Box one = randomBox(random);
        Box other = randomBox(random);
        List<Facts> both = smallWorld().stream()
                .filter(packet -> one.contains(packet) && other.contains(packet))
                .toList();
        assertThat(one.intersects(other)).isEqualTo(!both.isEmpty());
        assertThat(one.intersect(other)
                        .map(box -> smallWorld().stream().filter(box::contains).toList()))
                .isEqualTo(both.isEmpty() ? Optional.empty() : Optional.of(both));
        assertThat(one.covers(other))
                .isEqualTo(smallWorld().stream().filter(other::contains).allMatch(one::contains));
    }

    @Property(tries = 300)
    void rules_that_can_be_reached_are_those_that_decide_about_some_packet(@ForAll Random random) {
        List<Row> rows = new ArrayList<>();
        int count = 1 + random.nextInt(12);
        for (int i = 0; i < count; i++) {
            Verdict verdict = Verdict.values()[random.nextInt(Verdict.values().length)];
            rows.add(new Row(count - i, randomBox(random), verdict, false, "r" + i));
        }
        RuleSet rules = new RuleSet(1, rows);
        Box traffic = randomBox(random);
        Set<Row> deciding = new HashSet<>();
        smallWorld().stream()
                .filter(traffic::contains)
                .forEach(packet -> rules.judge(packet).ifPresent(deciding::add));
        assertThat(rules.reachable(traffic)).containsExactlyInAnyOrderElementsOf(deciding);
    }

    /** With too small a budget, no decisive rule is left out. */
    @Property(tries = 200)
    void too_much_work_leaves_no_rule_out(@ForAll Random random) {
        List<Box> covers = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            covers.add(randomBox(random));
        }
        Box box = randomBox(random);
        Cover sure = Cover.of(box, covers, 1_000_000);
        assertThat(Cover.of(box, covers, random.nextInt(40))).isIn(sure, Cover.UNDECIDED);
    }

    /** Real rules: prefixes of both families, ports, sizes of negations; samples at their edges. */
    @Property(tries = 100)
    void samples_of_real_rules_get_only_verdicts_that_can_be_reached(@ForAll Random random) {
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            rows.add(new Row(100 - i, realBox(random), Verdict.GO_NEXT, false, "r" + i));
        }
        rows.add(new Row(1, Box.ALL, Verdict.DROP, false, "default"));
        RuleSet rules = new RuleSet(1, rows);
        Box traffic = Box.within(KeyField.SRC, prefix(random));
        List<Row> reachable = rules.reachable(traffic);
        for (int i = 0; i < 300; i++) {
            Facts packet = realPacket(random);
            if (traffic.contains(packet)) {
                assertThat(reachable).contains(rules.judge(packet).orElseThrow());
            }
        }
    }

    private static Box realBox(Random random) {
        Box box = random.nextBoolean() ? Box.within(KeyField.SRC, prefix(random)) : Box.ALL;
        box = random.nextBoolean() ? box.and(Box.within(KeyField.DST, prefix(random))) : box;
        int port = 50 + random.nextInt(8);
        box = random.nextBoolean() ? box.and(Box.within(KeyField.DST_PORT, port, port + random.nextInt(3))) : box;
        return random.nextBoolean() ? box.and(Box.equal(KeyField.IP_PROTOCOL, random.nextBoolean() ? 6 : 17)) : box;
    }

    private static IpPrefix prefix(Random random) {
        int last = random.nextInt(4);
        return random.nextBoolean()
                ? IpPrefix.of(IpAddress.parse("10.0." + last + ".0"), 22 + random.nextInt(3))
                : IpPrefix.of(IpAddress.parse("2001:db8:" + last + "::"), 46 + random.nextInt(3));
    }

    private static Facts realPacket(Random random) {
        boolean six = random.nextBoolean();
        String source = six ? "2001:db8:" + random.nextInt(4) + "::1" : "10.0." + random.nextInt(4) + ".1";
        String destination = six ? "2001:db8:" + random.nextInt(4) + "::2" : "10.0." + random.nextInt(4) + ".2";
        Facts packet = Facts.NONE
                .with(KeyField.IP_VERSION, six ? 6 : 4)
                .with(KeyField.SRC, IpAddress.parse(source))
                .with(KeyField.DST, IpAddress.parse(destination))
                .with(KeyField.IP_PROTOCOL, random.nextBoolean() ? 6 : 17);
        return random.nextInt(4) == 0
                ? packet
                : packet.with(KeyField.SRC_PORT, 1000).with(KeyField.DST_PORT, 48 + random.nextInt(12));
    }

    /** The cost of a plan through a firewall with the most rules, none of which hides another. */
    @Test
    void four_thousand_rules_are_no_reason_to_wait() {
        List<Row> rows = new ArrayList<>();
        Random random = new Random(1);
        for (int i = 0; i < 4096; i++) {
            rows.add(new Row(
                    100_000 - i,
                    Box.within(KeyField.SRC, IpPrefix.of(new Ipv6(random.nextLong(), 0), 24 + random.nextInt(40)))
                            .and(Box.within(KeyField.DST_PORT, i, i + random.nextInt(100))),
                    Verdict.GO_NEXT,
                    false,
                    "r" + i));
        }
        rows.add(new Row(1, Box.ALL, Verdict.DROP, false, "default"));
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long start = threads.getCurrentThreadCpuTime();
        assertThat(new RuleSet(1, rows).reachable(Box.equal(KeyField.IP_VERSION, 6)))
                .hasSizeBetween(4090, 4097);
        assertThat(Duration.ofNanos(threads.getCurrentThreadCpuTime() - start)).isLessThan(Duration.ofSeconds(10));
    }
}
