// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.sextant.core.filter.RuleSet.Row;
import org.sextant.core.ip.IpAddress;
import org.sextant.core.ip.IpPrefix;
import org.sextant.core.ip.Ipv6;

class BoxTest {
    private static final Facts UDP = Facts.NONE
            .with(KeyField.IP_VERSION, 6)
            .with(KeyField.SRC, IpAddress.parse("2001:db8::1"))
            .with(KeyField.DST, IpAddress.parse("2001:db8:2::1"))
            .with(KeyField.IP_PROTOCOL, 17);

    @Test
    void what_a_packet_does_not_have_matches_no_range_and_no_negated_one() {
        Facts fragment = UDP;
        Facts first = UDP.with(KeyField.SRC_PORT, 0).with(KeyField.DST_PORT, 53);
        assertThat(Box.within(KeyField.SRC_PORT, 0, 65535).contains(fragment)).isFalse();
        assertThat(Box.within(KeyField.DST_PORT, 0, 52).contains(fragment)).isFalse();
        assertThat(Box.within(KeyField.DST_PORT, 54, 65535).contains(fragment)).isFalse();
        assertThat(Box.within(KeyField.SRC_PORT, 0, 65535).contains(first)).isTrue();
        assertThat(Box.equal(KeyField.SRC_PORT, 0).contains(first)).isTrue();
        assertThat(Box.equal(KeyField.SRC_PORT, 0).contains(fragment)).isFalse();
        assertThat(Box.lacking(KeyField.HAS_SRH).contains(first)).isTrue();
        assertThat(Box.equal(KeyField.SRH_TAG, 0).contains(first)).isFalse();
    }

    @Test
    void flags_are_those_of_tcp() {
        Box syn = Box.masked(KeyField.TCP_FLAGS, new Ipv6(0, 2), new Ipv6(0, 2));
        assertThat(syn).hasToString("ip_protocol 6 has 1&1 tcp_flags 2&2");
        assertThat(syn.intersect(Box.equal(KeyField.IP_PROTOCOL, 17))).isEmpty();
        assertThatThrownBy(() -> syn.and(Box.equal(KeyField.IP_PROTOCOL, 17)))
                .hasMessageStartingWith("no packet is both ip_protocol 6");
    }

    @Test
    void addresses_of_both_families_stand_in_one_field() {
        Box four = Box.within(KeyField.DST, IpPrefix.parse("10.0.2.0/24"));
        assertThat(four).hasToString("dst 10.0.2.0/24");
        assertThat(four.contains(Facts.NONE.with(KeyField.DST, IpAddress.parse("10.0.2.9"))))
                .isTrue();
        assertThat(Box.within(KeyField.DST, IpPrefix.parse("0.0.0.0/0")).contains(UDP))
                .isFalse();
        assertThat(Box.within(KeyField.DST, IpPrefix.parse("::/0"))).isEqualTo(Box.ALL);
    }

    @Test
    void a_constraint_is_a_wildcard_if_no_value_of_the_field_is_outside() {
        List<Constraint> constraints = List.of(
                new Constraint.Interval(0, 65535),
                new Constraint.Interval(0, 65534),
                new Constraint.Interval(1, 65535),
                new Constraint.Interval(0, 70000),
                new Constraint.Bits(Ipv6.ZERO, new Ipv6(0, 1)),
                new Constraint.Bits(Ipv6.ZERO, new Ipv6(0, 0x8000)),
                new Constraint.Bits(Ipv6.ZERO, new Ipv6(0, 0x10000)),
                new Constraint.Bits(Ipv6.ZERO, new Ipv6(1, 0)));
        for (Constraint constraint : constraints) {
            assertThat(constraint.isWildcard(16))
                    .as("%s", constraint)
                    .isEqualTo(Constraint.but(constraint, 16).isEmpty());
        }
    }

    /** {@code !} of a /n is n rows, of a range two. */
    @Test
    void what_is_not_in_a_box_has_as_many_rows_as_it_takes() {
        assertThat(Box.ALL.subtract(Box.within(KeyField.SRC, IpPrefix.parse("2001:db8::/32"))))
                .hasSize(32);
        assertThat(Box.having(KeyField.HAS_PORTS).subtract(Box.within(KeyField.DST_PORT, 53, 60)))
                .hasSize(2);
        assertThat(Box.ALL.subtract(
                        List.of(
                                Box.within(KeyField.SRC, IpPrefix.parse("2001:db8::1/128")),
                                Box.within(KeyField.DST, IpPrefix.parse("2001:db8::1/128"))),
                        4096))
                .as("128 times 128 rows are more than are allowed")
                .isEmpty();
    }

    @Test
    void a_row_that_others_cover_together_is_not_reached() {
        RuleSet rules = new RuleSet(
                1,
                List.of(
                        new Row(4, Box.within(KeyField.SRC, IpPrefix.parse("2001:db8::/33")), Verdict.DROP, false, "a"),
                        new Row(
                                3,
                                Box.within(KeyField.SRC, IpPrefix.parse("2001:db8:8000::/33")),
                                Verdict.SKIP_NEXT,
                                false,
                                "b"),
                        new Row(2, Box.within(KeyField.SRC, IpPrefix.parse("2001:db8::/32")), Verdict.DROP, false, "c"),
                        new Row(1, Box.ALL, Verdict.GO_NEXT, false, "default")));
        assertThat(rules.reachable(Box.ALL)).extracting(Row::rule).containsExactly("a", "b", "default");
        assertThat(rules.reachable(Box.within(KeyField.SRC, IpPrefix.parse("2001:db8:1::/48"))))
                .extracting(Row::rule)
                .containsExactly("a");
        assertThat(rules.judge(UDP)).get().extracting(Row::rule).isEqualTo("a");
        assertThat(new RuleSet(1, List.of()).judge(UDP)).isEmpty();
    }

    /** The search ends, with the result "undecided", even for rules that overlap in many combinations. */
    @Test
    void a_search_ends() {
        List<Box> stripes = new ArrayList<>();
        for (int i = 0; i < 64; i++) {
            stripes.add(Box.masked(KeyField.SRC, Ipv6.ZERO, new Ipv6(0, 1).shiftLeft(i))
                    .and(Box.masked(KeyField.DST, Ipv6.ZERO, new Ipv6(0, 1).shiftLeft(63 - i))));
        }
        stripes.add(Box.masked(KeyField.SRC, Ipv6.ZERO, new Ipv6(0, 1)));
        assertThat(Cover.of(Box.ALL, stripes, 1000)).isIn(Cover.NOT_WHOLE, Cover.UNDECIDED);
        assertThat(Cover.of(Box.ALL, stripes, 1)).isEqualTo(Cover.UNDECIDED);
    }
}
