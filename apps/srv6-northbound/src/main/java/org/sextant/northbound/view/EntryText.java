// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.view;

import java.util.List;
import java.util.stream.Collectors;
import org.sextant.core.table.Behavior;
import org.sextant.core.table.Copy;
import org.sextant.core.table.DedupFlow;
import org.sextant.core.table.EncapSource;
import org.sextant.core.table.Entry;
import org.sextant.core.table.Flow;
import org.sextant.core.table.MySid;
import org.sextant.core.table.NextHop;
import org.sextant.core.table.Punt;
import org.sextant.core.table.Route;
import org.sextant.core.table.SidList;
import org.sextant.core.table.Steering;

/** What an entry does, in one line for people: {@code un 32 16}, {@code h_encaps_red sid_list 16}. */
final class EntryText {
    private EntryText() {}

    static String action(Entry entry) {
        if (entry instanceof MySid sid) {
            return behavior(sid.behavior());
        }
        if (entry instanceof Steering steering) {
            return (steering.reduced() ? "h_encaps_red" : "h_encaps") + " sid_list " + Integer.toUnsignedString(steering.sidList());
        }
        if (entry instanceof SidList list) {
            return weighted(list.members(), SidList.Member::weight, member ->
                    member.segments().stream().map(Object::toString).collect(Collectors.joining(", ")));
        }
        if (entry instanceof Route route) {
            return weighted(route.members(), Route.Member::weight, member -> "next_hop " + member.nextHop());
        }
        if (entry instanceof NextHop hop) {
            return "forward port " + hop.port() + " " + hop.source() + " to " + hop.destination();
        }
        if (entry instanceof EncapSource source) {
            return "set_encap_source " + source.source();
        }
        if (entry instanceof Flow flow) {
            return "replicate flow_id " + Integer.toUnsignedString(flow.flowId()) + " group " + flow.group() + " copies " + flow.copies();
        }
        if (entry instanceof Copy copy) {
            return "send_copy sid_list " + Integer.toUnsignedString(copy.sidList());
        }
        if (entry instanceof DedupFlow flow) {
            return "deduplicate window " + flow.window();
        }
        return ((Punt) entry).discard() ? "discard" : "to_controller";
    }

    private static <T> String weighted(
            List<T> members, java.util.function.ToIntFunction<T> weight, java.util.function.Function<T, String> text) {
        if (members.size() == 1) {
            return text.apply(members.get(0));
        }
        return members.stream()
                .map(member -> weight.applyAsInt(member) + "x(" + text.apply(member) + ")")
                .collect(Collectors.joining(" "));
    }

    private static String behavior(Behavior behavior) {
        if (behavior instanceof Behavior.Un un) {
            return "un " + un.blockLength() + " " + un.csidLength();
        }
        if (behavior instanceof Behavior.Ua ua) {
            return "ua " + ua.blockLength() + " " + ua.csidLength() + " next_hop " + ua.nextHop();
        }
        if (behavior instanceof Behavior.EndX x) {
            return "end_x next_hop " + x.nextHop();
        }
        if (behavior instanceof Behavior.Udt udt) {
            return udt.action() + " vrf " + udt.vrf();
        }
        if (behavior instanceof Behavior.Udx udx) {
            return udx.action() + " next_hop " + udx.nextHop();
        }
        if (behavior instanceof Behavior.B6EncapsRed b6) {
            return "b6_encaps_red sid_list " + Integer.toUnsignedString(b6.sidList());
        }
        if (behavior instanceof Behavior.Dedup dedup) {
            return "dedup vrf " + dedup.vrf() + " path " + dedup.path();
        }
        return behavior.action();
    }
}
