// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.view;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;
import java.util.SortedSet;
import org.sextant.core.intent.CompilerStatus;
import org.sextant.core.intent.CompilerVersions;
import org.sextant.core.port.Member;
import org.sextant.core.text.Moments;
import org.sextant.northbound.cluster.Shares;

/** The cluster as REST and CLI show it. */
public final class ClusterView {
    private ClusterView() {}

    public static ObjectNode of(Shares shares, CompilerStatus compiler) {
        ObjectNode view = JsonNodeFactory.instance.objectNode();
        shares.self().ifPresent(self -> view.put("answers", self.id()));
        shares.settles().ifPresent(member -> view.put("settles", member));
        view.set("compiler", compiler(compiler));
        ArrayNode members = view.putArray("members");
        shares.members()
                .forEach(member -> members.add(member(member, compilers(member, compiler), shares.of(member.id()))));
        ArrayNode unattended = view.putArray("unattended");
        shares.unattended().forEach(unattended::add);
        return view;
    }

    private static ObjectNode compiler(CompilerStatus compiler) {
        ObjectNode view = JsonNodeFactory.instance.objectNode();
        view.put("inForce", compiler.inForce());
        view.set("own", versions(compiler.own()));
        compiler.standsAside().ifPresent(reason -> view.put("standsAside", reason));
        ArrayNode members = view.putArray("heldBackBy");
        compiler.heldBackBy().forEach(members::add);
        return view;
    }

    private static ObjectNode versions(CompilerVersions versions) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("oldest", versions.oldest())
                .put("newest", versions.newest());
    }

    private static Optional<CompilerVersions> compilers(Member member, CompilerStatus compiler) {
        return member.self()
                ? Optional.of(compiler.own())
                : Optional.ofNullable(compiler.members().get(member.id()));
    }

    private static ObjectNode member(Member member, Optional<CompilerVersions> compilers, SortedSet<String> nodes) {
        ObjectNode view = JsonNodeFactory.instance.objectNode();
        view.put("id", member.id()).put("state", member.state().name()).put("self", member.self());
        member.since().ifPresent(time -> view.put("since", Moments.iso(time)));
        if (!member.address().isEmpty()) {
            view.put("address", member.address());
        }
        if (!member.version().isEmpty()) {
            view.put("version", member.version());
        }
        compilers.ifPresent(versions -> view.set("compilers", versions(versions)));
        view.put("count", nodes.size());
        ArrayNode names = view.putArray("nodes");
        nodes.forEach(names::add);
        return view;
    }
}
