// SPDX-License-Identifier: Apache-2.0
package org.sextant.sera;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.stream.Stream;
import org.sextant.core.ip.IpPrefix;
import org.sextant.core.json.JsonInput;

/** The prefixes of groups, with those of nested groups. */
public final class Groups {
    /** The maximum number of prefixes of all groups. */
    private static final int MOST = 65_536;

    private final SortedMap<String, List<Peer>> groups;
    private final Map<String, List<IpPrefix>> known = new HashMap<>();

    public Groups(SortedMap<String, List<Peer>> groups) {
        this.groups = groups;
    }

    /** The prefixes of a peer, without regard to its negation. */
    public List<IpPrefix> prefixes(Peer peer) {
        return peer.prefix().map(List::of).orElseGet(() -> prefixes(peer.group().orElseThrow()));
    }

    private List<IpPrefix> prefixes(String group) {
        List<IpPrefix> prefixes = known.get(group);
        if (prefixes == null) {
            Set<IpPrefix> all = new LinkedHashSet<>();
            groups.getOrDefault(group, List.of()).forEach(peer -> all.addAll(prefixes(peer)));
            prefixes = List.copyOf(all);
            known.put(group, prefixes);
        }
        return prefixes;
    }

    /** Reports empty groups, missing members and membership cycles. */
    static void check(SortedMap<String, List<Peer>> groups, JsonInput input) {
        boolean sound = true;
        for (Map.Entry<String, List<Peer>> group : groups.entrySet()) {
            String part = "/" + group.getKey();
            List<Peer> members = group.getValue();
            if (members.isEmpty()) {
                input.invalid(
                        part, "group \"" + group.getKey() + "\" is empty", "list an element, or remove the group");
            }
            for (int i = 0; i < members.size(); i++) {
                sound &= checkMember(groups, members.get(i), input, part + "/" + i);
            }
            List<String> circle = circle(groups, new ArrayList<>(List.of(group.getKey())));
            if (!circle.isEmpty()) {
                sound = false;
                input.invalid(
                        part, "groups are members of each other: " + String.join(", ", circle), "take one of them out");
            }
        }
        if (sound && sizes(groups) > MOST) {
            input.invalid("groups come to more than " + MOST + " prefixes", "make them smaller");
        }
    }

    private static boolean checkMember(
            SortedMap<String, List<Peer>> groups, Peer member, JsonInput input, String part) {
        if (member.negated()) {
            input.invalid(part, member + " is no member: groups have no exceptions", "write ! where a rule names it");
            return false;
        }
        boolean there = member.group().map(groups::containsKey).orElse(true);
        if (!there) {
            unknown(member, groups, input, part);
        }
        return there;
    }

    /** Reports that there is no such group, with a problem at {@code part} of the input. */
    static void unknown(Peer peer, SortedMap<String, List<Peer>> groups, JsonInput input, String part) {
        input.invalid(
                part,
                "there is no group \"" + peer.group().orElseThrow() + "\"",
                groups.isEmpty() ? "write it in \"groups\"" : "the groups are " + String.join(", ", groups.keySet()));
    }

    /** A cycle of groups from the last of {@code way} back to it; empty if none. Each group is visited once. */
    private static List<String> circle(SortedMap<String, List<Peer>> groups, List<String> way) {
        String from = way.get(0);
        Map<String, String> reachedBy = new HashMap<>();
        List<String> open = new ArrayList<>(way);
        while (!open.isEmpty()) {
            String at = open.remove(open.size() - 1);
            for (String next : members(groups, at)) {
                if (next.equals(from)) {
                    return back(reachedBy, from, at);
                }
                if (reachedBy.putIfAbsent(next, at) == null) {
                    open.add(next);
                }
            }
        }
        return List.of();
    }

    private static List<String> members(SortedMap<String, List<Peer>> groups, String group) {
        return groups.getOrDefault(group, List.of()).stream()
                .flatMap(peer -> peer.group().stream())
                .toList();
    }

    private static List<String> back(Map<String, String> reachedBy, String from, String last) {
        List<String> circle = new ArrayList<>(List.of(from));
        for (String at = last; at != null && !at.equals(from); at = reachedBy.get(at)) {
            circle.add(1, at);
        }
        circle.add(from);
        return circle;
    }

    /** The number of prefixes of the groups, counted without listing them. */
    private static long sizes(SortedMap<String, List<Peer>> groups) {
        Map<String, Long> sizes = new HashMap<>();
        return groups.keySet().stream()
                .mapToLong(group -> size(groups, group, sizes))
                .reduce(0, (a, b) -> Math.min(a + b, Integer.MAX_VALUE));
    }

    private static long size(SortedMap<String, List<Peer>> groups, String group, Map<String, Long> sizes) {
        Long known = sizes.get(group);
        if (known != null) {
            return known;
        }
        Stream<Long> members = groups.getOrDefault(group, List.of()).stream()
                .map(peer ->
                        peer.group().map(inner -> size(groups, inner, sizes)).orElse(1L));
        long size = members.reduce(0L, (a, b) -> Math.min(a + b, Integer.MAX_VALUE));
        sizes.put(group, size);
        return size;
    }
}
