// SPDX-License-Identifier: Apache-2.0
package org.sextant.livelive.service;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.sextant.core.Problem;
import org.sextant.core.Problem.Code;
import org.sextant.core.net.Network;
import org.sextant.kit.Findings;
import org.sextant.kit.app.ExclusiveIntents;
import org.sextant.livelive.LiveLive;
import org.sextant.livelive.plan.FlowEnds;

/** The flows of a network, and a check of their overlaps. */
final class OverlapCheck implements ExclusiveIntents.Held<LiveLive> {
    private final Network network;
    private final Function<LiveLive, String> identity;
    private final List<Held> held = new ArrayList<>();

    private record Held(String identity, String id, LiveLive flow, FlowEnds ends) {
        boolean overlaps(LiveLive other, FlowEnds theirs) {
            return ends.overlaps(theirs)
                    || flow.symmetric() && ends.reversed().overlaps(theirs)
                    || other.symmetric() && ends.overlaps(theirs.reversed());
        }
    }

    /** @param identity equal for two submissions of the same flow */
    OverlapCheck(Network network, Function<LiveLive, String> identity) {
        this.network = network;
        this.identity = identity;
    }

    @Override
    public boolean isEmpty() {
        return held.isEmpty();
    }

    @Override
    public void add(String id, LiveLive flow) {
        FlowEnds.resolve(flow, network, new Findings())
                .ifPresent(ends -> held.add(new Held(identity.apply(flow), id, flow, ends)));
    }

    /** The flow has no ends in this network, or overlaps with another flow that it does not replace. */
    @Override
    public List<Problem> against(LiveLive flow) {
        Findings findings = new Findings();
        Optional<FlowEnds> ends = FlowEnds.resolve(flow, network, findings);
        if (!findings.clean()) {
            return findings.problems();
        }
        return held.stream()
                .filter(other -> !other.identity().equals(identity.apply(flow)))
                .filter(other -> other.overlaps(flow, ends.orElseThrow()))
                .findFirst()
                .map(other -> List.of(new Problem(
                        Code.CONFLICT,
                        "/from",
                        "flow " + other.id() + " has packets of this one: those from "
                                + other.ends().from().label() + " to "
                                + other.ends().to().label(),
                        "remove " + other.id() + " first, or distinguish the two by protocol and ports")))
                .orElse(List.of());
    }
}
