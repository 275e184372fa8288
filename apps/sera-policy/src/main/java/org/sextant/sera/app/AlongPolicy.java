// SPDX-License-Identifier: Apache-2.0
package org.sextant.sera.app;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.sextant.core.Problem;
import org.sextant.core.ProblemException;
import org.sextant.core.intent.CompileContext;
import org.sextant.core.intent.EntryFilter;
import org.sextant.core.intent.EntryState;
import org.sextant.core.intent.EntryStatus;
import org.sextant.core.intent.IntentRef;
import org.sextant.core.intent.IntentStatus;
import org.sextant.core.intent.Intents;
import org.sextant.core.ip.IpAddress;
import org.sextant.core.ip.Ipv6;
import org.sextant.core.table.SidList;
import org.sextant.core.table.Steering;
import org.sextant.kit.Family;
import org.sextant.kit.Headend;
import org.sextant.kit.path.FirewallHandle;
import org.sextant.sera.Firewall;
import org.sextant.sera.Versioned;
import org.sextant.sera.plan.FirewallKind;
import org.sextant.sera.trace.PacketTrace;
import org.sextant.sera.trace.TraceRequest;

/**
 * Follows a packet along a policy. This app has no dependency on policies, and reads the desired entries from the
 * engine.
 */
final class AlongPolicy {
    /** The kind of intents whose paths contain firewalls. */
    static final String POLICY = "policy";

    private final Intents engine;
    private final FirewallKind kind;

    AlongPolicy(Intents engine, FirewallKind kind) {
        this.engine = engine;
        this.kind = kind;
    }

    /** A steered prefix at a headend, and its segment list. */
    private record Steered(String headend, Steering steering, SidList list) {}

    /** @throws ProblemException if no such policy passes the firewall, or it does not steer the packet */
    ObjectNode trace(String firewall, TraceRequest asked) {
        String policy = asked.policy().orElseThrow();
        IntentRef ref = new IntentRef(POLICY, policy);
        if (!engine.referers(new IntentRef(kind.name(), firewall)).contains(ref)) {
            throw unfeasible(
                    "/policy",
                    "no policy \"" + policy + "\" leads through firewall \"" + firewall + "\"",
                    "name one of those that the firewall is shown with");
        }
        Map<String, Firewall> firewalls = new HashMap<>();
        engine.list(kind)
                .forEach(one -> firewalls.put(one.id(), one.intent().intent().firewall()));
        List<FirewallHandle> handles =
                engine.list(kind).stream().flatMap(one -> handle(one).stream()).toList();
        FirewallHandle here = handles.stream()
                .filter(one -> one.id().equals(firewall))
                .findFirst()
                .orElseThrow(() -> unfeasible(
                        "/id", "firewall \"" + firewall + "\" is not installed", "look at what stands against it"));
        CompileContext context = engine.context();
        Steered steered = steered(ref, PacketTrace.destination(asked));
        ObjectNode json = new PacketTrace(context.underlay().fib(), handles, firewalls)
                .follow(asked, pushed(steered, asked, context), here);
        return json.put("policy", policy)
                .put("path", asked.path())
                .put("paths", steered.list().members().size());
    }

    private static Optional<FirewallHandle> handle(IntentStatus<Versioned> status) {
        return status.plan().offer() instanceof FirewallHandle handle ? Optional.of(handle) : Optional.empty();
    }

    /** The headend's longest-prefix match. */
    private Steered steered(IntentRef policy, IpAddress destination) {
        List<EntryStatus> wanted =
                engine.entries(new EntryFilter(Optional.empty(), Optional.of(policy), Optional.empty())).stream()
                        .filter(entry -> entry.state() != EntryState.REMOVING)
                        .toList();
        return wanted.stream()
                .filter(entry -> entry.entry().orElse(null) instanceof Steering steering
                        && steering.destination().contains(destination))
                .max(Comparator.comparingInt(
                        entry -> prefix(entry).destination().length()))
                .flatMap(entry -> wanted.stream()
                        .filter(other -> other.node().equals(entry.node())
                                && other.entry().orElse(null) instanceof SidList list
                                && list.id() == prefix(entry).sidList())
                        .findFirst()
                        .map(list -> new Steered(entry.node(), prefix(entry), (SidList)
                                list.entry().orElseThrow())))
                .orElseThrow(() -> unfeasible(
                        "/packet/destination",
                        "policy \"" + policy.id() + "\" does not carry packets to " + destination,
                        "give a packet to one of the prefixes that it steers, as its host sends it"));
    }

    private static Steering prefix(EntryStatus entry) {
        return (Steering) entry.entry().orElseThrow();
    }

    private static PacketTrace.Pushed pushed(Steered steered, TraceRequest asked, CompileContext context) {
        List<SidList.Member> members = steered.list().members();
        if (asked.path() >= members.size()) {
            throw unfeasible("/path", "the policy has " + members.size() + " paths", "count them from 0");
        }
        List<Ipv6> segments = members.get(asked.path()).segments();
        String headend = steered.headend();
        Family family = Family.of(steered.steering().destination().address());
        boolean bare =
                steered.steering().reduced() || segments.size() == 1 && Headend.leavesOutSrh(context, headend, family);
        Ipv6 source = context.network()
                .node(headend)
                .flatMap(node -> node.srv6())
                .orElseThrow(() -> unfeasible("/policy", "its headend is not there now", "look at the policy"))
                .encapSource();
        return new PacketTrace.Pushed(
                headend, source, bare, segments, Headend.copiesHopLimit(context, headend, family));
    }

    private static ProblemException unfeasible(String field, String message, String remedy) {
        return new ProblemException(new Problem(Problem.Code.UNFEASIBLE, field, message, remedy));
    }
}
