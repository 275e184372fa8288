// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.sid;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.sextant.core.ip.IpPrefix;
import org.sextant.core.ip.Ipv6;
import org.sextant.core.sid.Fib.Adjacency;
import org.sextant.core.sid.Trace.Reason;
import org.sextant.core.table.Behavior;
import org.sextant.core.table.Behavior.Family;
import org.sextant.core.table.EndT;
import org.sextant.core.table.MySid;
import org.sextant.core.table.TableCodec;

/** Nodes a - b - c; b owns 2001:db8::b with End.T, c decapsulates at 2001:db8::c. */
class EndTTest {
    private static final Ipv6 B = Ipv6.parse("2001:db8::b");
    private static final Ipv6 C = Ipv6.parse("2001:db8::c");

    private final TestFib fib = new TestFib()
            .sid("b", B + "/128", new EndT(7))
            .sid("c", C + "/128", new Behavior.Udt(Family.IPV6, 0))
            .route("a", 0, B + "/128", link("a", "b"));

    @Test
    void comes_back_from_its_row() {
        MySid sid = new MySid(IpPrefix.parse(B + "/128"), new EndT(7));
        assertThat(TableCodec.decode(sid.row())).isEqualTo(sid);
        assertThat(sid.actionText()).isEqualTo("end_t vrf 7");
    }

    @Test
    void the_next_segment_is_looked_up_in_its_table_whatever_the_main_one_says() {
        fib.route("b", 7, C + "/128", link("b", "c")).route("b", 0, C + "/128", link("b", "a"));
        Trace trace = walk();
        assertThat(trace.hops()).extracting(Trace.Hop::behavior).containsExactly("H.Encaps.Red", "End.T", "End.DT6");
        assertThat(trace.arrival().orElseThrow().node()).isEqualTo("c");
    }

    @Test
    void a_table_without_a_route_is_told() {
        assertThat(walk().failure()).map(Trace.Failure::reason).isEqualTo(Optional.of(Reason.NO_ROUTE));
        assertThat(walk().failure().orElseThrow().message()).contains("End.T", "VRF 7");
    }

    private static Adjacency link(String from, String to) {
        return new Adjacency(from + "-" + to, to, false);
    }

    private Trace walk() {
        return Walk.encapsulate(fib, "a", true, List.of(B, C), Payload.of(Family.IPV6));
    }
}
