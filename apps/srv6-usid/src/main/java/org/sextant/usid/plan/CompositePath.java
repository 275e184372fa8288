// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid.plan;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.sextant.core.intent.CompileContext;
import org.sextant.core.intent.Exporter;
import org.sextant.core.net.Node;
import org.sextant.kit.Findings;
import org.sextant.kit.path.Hop;
import org.sextant.kit.path.Resolver;
import org.sextant.usid.Candidate.Composite;
import org.sextant.usid.Candidate.Constituent;
import org.sextant.usid.Policy.Candidates;
import org.sextant.usid.Policy.WeightedHops;

/**
 * The segment lists of other policies from the same headend to the same endpoint, each policy's with its share (RFC
 * 9256, 2.2 and 5.3). The others take the share of a policy without a valid path.
 */
record CompositePath(Candidates form, CompileContext context, Findings findings) {
    private static final int MOST = 255;

    /** A policy's lists, and its weight among the policies. */
    private record Share(int weight, List<WeightedHops> lists) {
        long total() {
            return lists.stream().mapToLong(WeightedHops::weight).sum();
        }
    }

    /** Empty if there are problems: none of the policies has a path, or one of them is composite itself. */
    List<WeightedHops> lists(Composite composite, String at) {
        Resolver resolver = new Resolver(context.network(), findings);
        Optional<Node> headend = resolver.node(form.headend(), "/headend");
        Optional<Node> endpoint = resolver.node(form.endpoint(), "/endpoint");
        if (headend.isEmpty() || endpoint.isEmpty()) {
            return List.of();
        }
        List<Share> shares = new ArrayList<>();
        Map<String, String> missing = new LinkedHashMap<>();
        for (int i = 0; i < composite.of().size(); i++) {
            Constituent one = composite.of().get(i);
            String field = at + "/" + i + "/color";
            Optional<Exporter> policy =
                    find(one, headend.get().name(), endpoint.get().name());
            if (policy.isEmpty()) {
                missing.put(
                        field,
                        "no policy of color " + one.color() + " from "
                                + headend.get().name() + " to "
                                + endpoint.get().name() + " has a valid path");
            } else if (member(policy.get()).composes()) {
                findings.unfeasible(
                        field,
                        "policy \"" + policy.get().ref().id() + "\" of color " + one.color()
                                + " is composed of others itself (RFC 9256, 2.2)",
                        "name those that it is composed of");
            } else if (needsOthers(member(policy.get()).lists())) {
                findings.unfeasible(
                        field,
                        "policy \"" + policy.get().ref().id() + "\" of color " + one.color()
                                + " leads through a firewall or into another policy, which a policy names itself or not at all",
                        "write its hops into a candidate path");
            } else {
                shares.add(new Share(one.weight(), member(policy.get()).lists()));
            }
        }
        if (shares.isEmpty()) {
            missing.forEach((field, message) -> findings.unfeasible(
                    field, message, "add one, or look at what stands against the one that is there"));
        } else {
            missing.values().forEach(message -> findings.warn(message + ": the others take its share"));
        }
        return findings.clean() ? together(shares) : List.of();
    }

    private static boolean needsOthers(List<WeightedHops> lists) {
        return lists.stream()
                .flatMap(list -> list.hops().stream())
                .anyMatch(hop -> hop instanceof Hop.Firewall || hop instanceof Hop.Binding);
    }

    private static Member member(Exporter policy) {
        return (Member) policy.offer();
    }

    private Optional<Exporter> find(Constituent one, String headend, String endpoint) {
        return context.followed(Member.name(one.color())).stream()
                .filter(policy -> member(policy).headend().equals(headend)
                        && member(policy).endpoint().equals(endpoint))
                .filter(policy ->
                        member(policy).composes() || !member(policy).lists().isEmpty())
                .findFirst();
    }

    /** Weights in the smallest whole numbers; rounded if a sum of them exceeds the maximum of a list. */
    private List<WeightedHops> together(List<Share> shares) {
        BigInteger common = shares.stream()
                .map(share -> BigInteger.valueOf(share.total()))
                .reduce((one, other) -> one.multiply(other).divide(one.gcd(other)))
                .orElseThrow();
        Map<List<Hop>, BigInteger> weights = new LinkedHashMap<>();
        for (Share share : shares) {
            BigInteger factor =
                    common.divide(BigInteger.valueOf(share.total())).multiply(BigInteger.valueOf(share.weight()));
            share.lists()
                    .forEach(list -> weights.merge(
                            list.hops(), factor.multiply(BigInteger.valueOf(list.weight())), BigInteger::add));
        }
        BigInteger divisor = weights.values().stream().reduce(BigInteger::gcd).orElseThrow();
        weights.replaceAll((hops, weight) -> weight.divide(divisor));
        BigInteger sum = weights.values().stream().reduce(BigInteger::add).orElseThrow();
        if (sum.compareTo(BigInteger.valueOf(MOST)) > 0) {
            findings.warn("the weights of what it is composed of are rounded: they add up to more than " + MOST);
            BigInteger parts = BigInteger.valueOf(Math.max(MOST - weights.size(), 1)); // each may be rounded up to one
            weights.replaceAll(
                    (hops, weight) -> weight.multiply(parts).divide(sum).max(BigInteger.ONE));
        }
        return weights.entrySet().stream()
                .map(list -> new WeightedHops(list.getValue().intValueExact(), list.getKey()))
                .toList();
    }
}
