// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid.probe;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.osgi.service.component.annotations.ReferencePolicyOption;
import org.sextant.core.Problem;
import org.sextant.core.Problem.Code;
import org.sextant.core.ProblemException;
import org.sextant.core.calls.Daemons;
import org.sextant.core.intent.IntentState;
import org.sextant.core.intent.IntentStatus;
import org.sextant.core.ip.IpAddress;
import org.sextant.core.json.Fields;
import org.sextant.core.net.Host;
import org.sextant.core.net.Network;
import org.sextant.core.port.Pinger;
import org.sextant.core.port.Pinger.Echoes;
import org.sextant.core.port.Pinger.Ping;
import org.sextant.usid.Policy;
import org.sextant.usid.app.PolicyApp;

/** Probes policies: their headends send echo requests that are steered like users' packets. */
@Component(service = PolicyProbes.class)
public class PolicyProbes {
    private static final int MAX_COUNT = 100;
    private static final int DEFAULT_COUNT = 5;
    private static final int AT_ONCE = 16;
    private static final int MAX_TARGETS = 64;
    private static final Duration INTERVAL = Duration.ofMillis(100);
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    @Reference
    protected PolicyApp policies;

    /** Null on a host without pings. */
    @Reference(
            cardinality = ReferenceCardinality.OPTIONAL,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    protected volatile Pinger pinger;

    private final ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE, Daemons.numbered("sextant-probes"));

    @Deactivate
    protected void close() {
        threads.shutdownNow();
    }

    /**
     * Reads a count; null is the default.
     *
     * @throws ProblemException if it is no number from 1 to {@link #MAX_COUNT}
     */
    public static int count(String text) {
        if (text == null) {
            return DEFAULT_COUNT;
        }
        int value = text.matches("[0-9]{1,3}") ? Integer.parseInt(text) : 0;
        if (value < 1 || value > MAX_COUNT) {
            throw refused(
                    Code.INVALID,
                    "/count",
                    "\"" + Fields.shorten(text) + "\" is not a number from 1 to " + MAX_COUNT,
                    "leave it out for " + DEFAULT_COUNT);
        }
        return value;
    }

    /**
     * Sends {@code count} requests for each prefix that the policy steers, in parallel, and waits for the replies.
     *
     * @param destination probe this host or address only
     * @throws ProblemException if the policy does not exist, is being removed, or steers no such address, or this host
     *     has no pings
     */
    public PolicyProbe probe(String id, int count, Optional<String> destination) {
        IntentStatus<Policy> status = policies.stored(id);
        Pinger able = pinger;
        if (able == null) {
            throw refused(
                    Code.UNFEASIBLE,
                    "",
                    "this host of Sextant has no way to make nodes send",
                    "ping from a host of yours");
        }
        if (status.state() == IntentState.REMOVING) {
            throw refused(Code.UNKNOWN, "/id", "policy \"" + id + "\" is being removed", "there is nothing to try");
        }
        return new PolicyProbe(status, tries(able, targets(status, destination), count));
    }

    private List<ProbeTarget> targets(IntentStatus<Policy> status, Optional<String> destination) {
        Network network = policies.intents().network();
        List<IpAddress> wanted =
                destination.map(text -> addresses(text, network)).orElse(List.of());
        List<ProbeTarget> targets = ProbeTarget.of(policies.intents().plan(status), network, wanted);
        if (targets.isEmpty()) {
            throw refused(
                    Code.UNFEASIBLE,
                    "/destination",
                    destination
                            .map(address -> "the policy does not steer " + address)
                            .orElse("the policy steers nothing"),
                    "give an address within what it steers");
        }
        if (targets.size() > MAX_TARGETS) {
            throw refused(
                    Code.UNFEASIBLE,
                    "/destination",
                    "the policy steers " + targets.size() + " prefixes, more than " + MAX_TARGETS
                            + " are not tried at once",
                    "give one destination");
        }
        return targets;
    }

    private static List<IpAddress> addresses(String text, Network network) {
        Optional<Host> host = network.host(text);
        if (host.isPresent()) {
            return host.get().addresses();
        }
        try {
            return List.of(IpAddress.parse(text));
        } catch (IllegalArgumentException e) {
            throw refused(
                    Code.INVALID,
                    "/destination",
                    "\"" + Fields.shorten(text) + "\" is neither a host nor an address",
                    "give one of the two");
        }
    }

    private List<PolicyProbe.Try> tries(Pinger able, List<ProbeTarget> targets, int count) {
        List<CompletableFuture<PolicyProbe.Try>> running = targets.stream()
                .map(target -> CompletableFuture.supplyAsync(
                        () -> new PolicyProbe.Try(target, ping(able, target, count)), threads))
                .toList();
        return running.stream().map(CompletableFuture::join).toList();
    }

    private static Echoes ping(Pinger able, ProbeTarget target, int count) {
        if (target.destination().isEmpty()) {
            return Echoes.failed("no host is known in " + target.prefix() + "; name an address there as destination");
        }
        if (target.beside()) {
            return Echoes.failed(target.destination().get().host().orElseThrow().name() + " is attached to "
                    + target.headend() + " itself: packets to it do not enter the policy");
        }
        if (target.source().isEmpty()) {
            return Echoes.failed("replies would not find " + target.headend() + ", which has no "
                    + (target.prefix().isIpv6() ? "IPv6" : "IPv4")
                    + " address that others route or this policy steers to");
        }
        return able.ping(
                target.headend(),
                new Ping(target.destination().get().address(), target.source().get(), count, INTERVAL, PATIENCE));
    }

    private static ProblemException refused(Code code, String field, String message, String remedy) {
        return new ProblemException(new Problem(code, field, message, remedy));
    }
}
