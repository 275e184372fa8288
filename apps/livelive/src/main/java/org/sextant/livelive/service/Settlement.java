// SPDX-License-Identifier: Apache-2.0
package org.sextant.livelive.service;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.sextant.core.ProblemException;
import org.sextant.core.intent.IntentStatus;
import org.sextant.core.net.Network;
import org.sextant.kit.Findings;
import org.sextant.livelive.Accepted;
import org.sextant.livelive.LiveLive;
import org.sextant.livelive.Numbers;
import org.sextant.livelive.plan.FlowEnds;

/**
 * Who keeps numbers that two flows have. Two controllers that accept flows at the same moment may give the same ones, and a
 * host that moves may bring its flow to an egress where its window is taken. It depends on the stored flows and the network
 * alone: the flow that comes first by number and id keeps what it has, whichever controller looks.
 */
final class Settlement {
    private static final Comparator<IntentStatus<Accepted>> ORDER = Comparator.<IntentStatus<Accepted>>comparingInt(
                    status -> status.intent().number())
            .thenComparing(IntentStatus::ref);

    private Settlement() {}

    /** Where each direction of a flow ends; empty where nobody knows now. */
    static List<Optional<String>> egresses(LiveLive flow, Network network) {
        Optional<FlowEnds> ends = FlowEnds.resolve(flow, network, new Findings());
        List<Optional<String>> egresses = new ArrayList<>();
        egresses.add(ends.map(known -> known.egress().name()));
        if (flow.symmetric()) {
            egresses.add(ends.map(known -> known.ingress().name()));
        }
        return egresses;
    }

    /** An allocation in which all that these flows have is taken. */
    static Allocation among(List<IntentStatus<Accepted>> flows, Network network, Turn turn) {
        Allocation allocation = new Allocation(turn);
        for (IntentStatus<Accepted> flow : flows) {
            Accepted accepted = flow.intent().intent();
            List<Optional<String>> egresses = egresses(accepted.flow(), network);
            for (int i = 0; i < egresses.size(); i++) {
                allocation.take(accepted.numbers().get(i), egresses.get(i));
            }
        }
        return allocation;
    }

    /** @param turn whose turn it is behind those that were given anew */
    record Result(Map<String, Accepted> renumbered, Turn turn) {}

    /** The flows that have to give something up, by id, with what they get. */
    static Result of(List<IntentStatus<Accepted>> flows, Network network, Turn turn) {
        Allocation all = among(flows, network, turn);
        Allocation settled = new Allocation(turn);
        Map<String, Accepted> renumbered = new LinkedHashMap<>();
        for (IntentStatus<Accepted> flow : flows.stream().sorted(ORDER).toList()) {
            Accepted had = flow.intent().intent();
            List<Numbers> gets = settle(had, egresses(had.flow(), network), settled, all);
            if (!gets.equals(had.numbers())) {
                renumbered.put(flow.id(), new Accepted(had.flow(), gets));
            }
        }
        return new Result(renumbered, all.turn());
    }

    private static List<Numbers> settle(
            Accepted flow, List<Optional<String>> egresses, Allocation settled, Allocation all) {
        List<Numbers> gets = new ArrayList<>();
        for (int i = 0; i < egresses.size(); i++) {
            Numbers had = flow.numbers().get(i);
            Numbers numbers = settled.taken(had, egresses.get(i)) ? other(had, egresses.get(i), all) : had;
            settled.take(numbers, egresses.get(i));
            gets.add(numbers);
        }
        return gets;
    }

    /** The same where there are no others: then it stays as it is until one is free. */
    private static Numbers other(Numbers had, Optional<String> egress, Allocation all) {
        try {
            return egress.map(all::next).orElse(had);
        } catch (ProblemException full) {
            return had;
        }
    }
}
