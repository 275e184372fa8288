// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.view;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.SortedSet;
import org.sextant.core.port.Member;
import org.sextant.core.text.Moments;
import org.sextant.northbound.cluster.Shares;

/** The cluster as REST and CLI show it. */
public final class ClusterView {
    private ClusterView() {}

    public static ObjectNode of(Shares shares) {
        ObjectNode view = JsonNodeFactory.instance.objectNode();
        shares.self().ifPresent(self -> view.put("answers", self.id()));
        shares.settles().ifPresent(member -> view.put("settles", member));
        ArrayNode members = view.putArray("members");
        shares.members().forEach(member -> members.add(member(member, shares.of(member.id()))));
        ArrayNode unattended = view.putArray("unattended");
        shares.unattended().forEach(unattended::add);
        return view;
    }

    private static ObjectNode member(Member member, SortedSet<String> nodes) {
        ObjectNode view = JsonNodeFactory.instance.objectNode();
        view.put("id", member.id()).put("state", member.state().name()).put("self", member.self());
        member.since().ifPresent(time -> view.put("since", Moments.iso(time)));
        if (!member.address().isEmpty()) {
            view.put("address", member.address());
        }
        if (!member.version().isEmpty()) {
            view.put("version", member.version());
        }
        view.put("count", nodes.size());
        ArrayNode names = view.putArray("nodes");
        nodes.forEach(names::add);
        return view;
    }
}
