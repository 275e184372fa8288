// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent.install;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sextant.core.ip.IpPrefix;
import org.sextant.core.table.Entry;
import org.sextant.core.table.Route;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class RouteReportTest {
    private static final Route V6 = route("fcbb:bbbb:100::/48", 3, 1);
    private static final Route V4 = route("10.0.0.0/8", 2);

    private static Route route(String prefix, int... hops) {
        List<Route.Member> members =
                Arrays.stream(hops).mapToObj(hop -> new Route.Member(1, hop)).toList();
        return new Route(0, IpPrefix.parse(prefix), members);
    }

    private static RouteReport report(String plan, String... v6) {
        TreeMap<Entry.Key, SortedSet<String>> unsettled = new TreeMap<>();
        unsettled.put(V6.key(), new TreeSet<>(List.of(v6)));
        unsettled.put(V4.key(), new TreeSet<>(List.of(RouteReport.NONE)));
        return new RouteReport(7, plan, Optional.of(unsettled));
    }

    @Test
    void what_is_stored_is_read_as_it_was() {
        RouteReport known = report("12ab", "l1", "p7");
        RouteReport unknown = new RouteReport(8, "12ab", Optional.empty());
        assertThat(RouteReport.parse(known.encode())).contains(known);
        assertThat(RouteReport.parse(unknown.encode())).contains(unknown);
        assertThat(known.encode())
                .isEqualTo("{\"number\":7,\"plan\":\"12ab\",\"unsettled\":{\"route_v4\":{\"vrf 0 10.0.0.0/8\":[\"\"]},"
                        + "\"route_v6\":{\"vrf 0 fcbb:bbbb:100::/48\":[\"l1\",\"p7\"]}}}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{}",
                "[1]",
                "{\"number\":1}",
                "{\"number\":\"1\",\"plan\":\"a\"}",
                "{\"number\":1,\"plan\":7}",
                "{\"number\":1,\"plan\":\"a\",\"unsettled\":{\"route_v6\":{\"no prefix\":[\"l1\"]}}}"
            })
    void what_is_no_report_is_none(String text) {
        assertThat(RouteReport.parse(text)).isEmpty();
    }

    @Test
    void a_report_covers_what_leaves_less_open_under_the_same_plan() {
        assertThat(report("a", "l1", "p7").covers(report("a", "l1"))).isTrue();
        assertThat(report("a", "l1").covers(report("a", "l1", "p7"))).isFalse();
        assertThat(report("a", "l1").covers(report("b", "l1"))).isFalse();
        RouteReport unknown = new RouteReport(1, "a", Optional.empty());
        assertThat(unknown.covers(report("a", "l1"))).isTrue();
        assertThat(report("a", "l1").covers(unknown)).isFalse();
    }

    @Test
    void a_digest_is_about_prefixes_and_next_hops_in_any_order() {
        assertThat(RouteReports.digest(V6)).isEqualTo(RouteReports.digest(route("fcbb:bbbb:100::/48", 1, 3)));
        assertThat(RouteReports.digest(V6)).isNotEqualTo(RouteReports.digest(route("fcbb:bbbb:100::/48", 1)));
        assertThat(RouteReports.digest(V6)).isNotEqualTo(RouteReports.digest(route("fcbb:bbbb:100::/44", 1, 3)));
        assertThat(RouteReports.digest(route("fcbb:1::/48", 1)) + RouteReports.digest(route("fcbb:2::/48", 2)))
                .isNotEqualTo(
                        RouteReports.digest(route("fcbb:1::/48", 2)) + RouteReports.digest(route("fcbb:2::/48", 1)));
    }
}
