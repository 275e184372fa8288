// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.sextant.core.ProblemException;
import org.sextant.core.intent.EntryState;
import org.sextant.core.intent.EntryStatus;
import org.sextant.core.intent.IntentRef;
import org.sextant.core.ip.IpPrefix;
import org.sextant.core.ip.Ipv6;
import org.sextant.core.port.DataPlane.Code;
import org.sextant.core.port.DataPlane.Counters;
import org.sextant.core.port.DataPlane.Failure;
import org.sextant.core.table.Behavior;
import org.sextant.core.table.MySid;
import org.sextant.core.table.SidList;
import org.sextant.core.table.Steering;

@DisplayNameGeneration(ReplaceUnderscores.class)
class EntryViewTest {

    @Test
    void a_refused_entry_shows_code_reason_and_owner() {
        EntryStatus status = new EntryStatus(
                "l1",
                new MySid(IpPrefix.parse("fcbb:bbbb:100::/48"), new Behavior.Un(32, 16)),
                EntryState.FAILED,
                Optional.of(new Failure(Code.UNIMPLEMENTED, "the kernel dropped next-csid")),
                List.of(new IntentRef("node", "l1")),
                Optional.of(new Counters(3, 312)));

        assertThat(EntryView.of(status).toString())
                .isEqualTo(
                        "{'node':'l1','table':'my_sid','match':'fcbb:bbbb:100::/48','action':'un 32 16','state':'FAILED',"
                                        .replace('\'', '"')
                                + "'code':'UNIMPLEMENTED','reason':'the kernel dropped next-csid','owners':['node/l1'],'packets':3,'bytes':312}"
                                        .replace('\'', '"'));
    }

    @Test
    void an_entry_that_waits_shows_for_which_node() {
        MySid entry = new MySid(IpPrefix.parse("fcbb:bbbb:100::/48"), new Behavior.Un(32, 16));
        EntryStatus status = new EntryStatus(
                "l1",
                entry.key(),
                Optional.of(entry),
                EntryState.PENDING,
                Optional.of(new Failure(Code.UNAVAILABLE, "held back")),
                List.of(),
                Optional.empty(),
                Optional.of("p7"));
        assertThat(EntryView.of(status).path("waitsFor").asText()).isEqualTo("p7");
    }

    @Test
    void weights_show_only_where_there_is_a_choice() {
        SidList.Member one = new SidList.Member(3, List.of(Ipv6.parse("fcbb:bbbb:200::")));
        SidList.Member two =
                new SidList.Member(1, List.of(Ipv6.parse("fcbb:bbbb:700::"), Ipv6.parse("fcbb:bbbb:300:f00d::")));
        assertThat(new SidList(1, List.of(one)).actionText()).isEqualTo("fcbb:bbbb:200::");
        assertThat(new SidList(1, List.of(one, two)).actionText())
                .isEqualTo("3x(fcbb:bbbb:200::) 1x(fcbb:bbbb:700::, fcbb:bbbb:300:f00d::)");
        assertThat(new Steering(0, IpPrefix.parse("10.0.0.0/8"), -1, true).actionText())
                .isEqualTo("h_encaps_red sid_list 4294967295");
    }

    @Test
    void a_filter_that_makes_no_sense_says_what_would() {
        assertThatThrownBy(() -> EntryView.filter("", "", "broken"))
                .isInstanceOf(ProblemException.class)
                .hasMessageContaining("installed, pending, failed or removing");
        assertThatThrownBy(() -> EntryView.filter("", "p1", ""))
                .isInstanceOf(ProblemException.class)
                .hasMessageContaining("kind/id");
        assertThat(EntryView.filter(null, "policy/p1", "failed").state()).contains(EntryState.FAILED);
    }
}
