// SPDX-License-Identifier: Apache-2.0
package org.sextant.sera.imports;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import org.sextant.core.ip.IpPrefix;
import org.sextant.kit.Family;
import org.sextant.sera.IcmpType;
import org.sextant.sera.Numbers;
import org.sextant.sera.Peer;
import org.sextant.sera.Protocols;
import org.sextant.sera.Rule;
import org.sextant.sera.Verb;
import org.sextant.sera.imports.NftTokens.Token;

/** One rule of nft: its match and its action. */
final class NftLine {
    static final String SPEC = "a firewall here has no counterpart of it";

    /** Common names that nft prints by default, without -n. */
    private static final Map<String, Integer> SERVICES = Map.ofEntries(
            Map.entry("ftp", 21),
            Map.entry("ssh", 22),
            Map.entry("telnet", 23),
            Map.entry("smtp", 25),
            Map.entry("domain", 53),
            Map.entry("bootps", 67),
            Map.entry("bootpc", 68),
            Map.entry("http", 80),
            Map.entry("pop3", 110),
            Map.entry("ntp", 123),
            Map.entry("imap2", 143),
            Map.entry("snmp", 161),
            Map.entry("bgp", 179),
            Map.entry("https", 443),
            Map.entry("syslog", 514),
            Map.entry("imaps", 993),
            Map.entry("mdns", 5353));

    /** First words of selectors of one word, and of two: {@code iifname}, {@code ip saddr}. */
    private static final Set<String> SHORT = Set.of("iif", "oif", "iifname", "oifname");

    private static final Set<String> LONG =
            Set.of("ip", "ip6", "meta", "tcp", "udp", "udplite", "sctp", "dccp", "th", "icmp", "icmpv6", "ct");

    private static final int MOST_NUMBERS = 64;

    /**
     * The surroundings of a rule.
     *
     * @param chains the prefix of the names of chains in the same table
     * @param family of all packets; empty: both
     */
    record Context(
            Map<String, NftElements.NamedSet> sets, String chains, Interfaces interfaces, Optional<Family> family) {}

    private final NftWords words;
    private final Context context;
    private final List<Step.Branch> mapped = new ArrayList<>();
    private final Draft draft = new Draft();
    private final List<IcmpType> icmpTypes = new ArrayList<>();
    private Optional<String> name = Optional.empty();
    private Target target = new Target.Count();
    private boolean aimed;
    private boolean log;
    private boolean limited;

    NftLine(List<Token> words, Context context) {
        this.words = new NftWords(words, context.sets());
        this.context = context;
    }

    Step read(int number, String line) {
        try {
            List<Step.Branch> branches = branches();
            boolean logsOnly = log && !branches.isEmpty() && branches.get(0).target() instanceof Target.Log;
            return new Step(number, line, branches, log && !logsOnly, name, Optional.empty(), draft.warnings);
        } catch (Refused e) {
            return Step.refused(number, line, e.why());
        }
    }

    private List<Step.Branch> branches() throws Refused {
        if (context.family().isPresent()) {
            draft.family(context.family().get());
        }
        while (words.more()) {
            if (words.quoted()) {
                throw new Refused("a text in quotes stands where a statement begins");
            }
            if (!keyed()) {
                statement(words.next());
            }
        }
        Target to = log && target instanceof Target.Count && !aimed ? new Target.Log() : target;
        if (limited && !(to instanceof Target.Log)) {
            throw new Refused("\"limit\": " + SPEC);
        }
        List<Step.Branch> branches = new ArrayList<>();
        for (Rule rule : rules()) {
            if (mapped.isEmpty()) {
                branches.add(new Step.Branch(rule, to));
            }
            for (Step.Branch one : mapped) {
                Conjunction.of(rule, one.match()).ifPresent(both -> branches.add(new Step.Branch(both, one.target())));
            }
        }
        return branches;
    }

    /** Reads a concatenation or a verdict map, if one is next; otherwise leaves the words unread. */
    private boolean keyed() throws Refused {
        int begin = words.place();
        List<List<Token>> selectors = new ArrayList<>();
        do {
            int length = SHORT.contains(words.peek()) ? 1 : LONG.contains(words.peek()) ? 2 : 0;
            List<Token> selector = words.take(length);
            if (selector.isEmpty()) {
                words.place(begin);
                return false;
            }
            selectors.add(selector);
        } while (words.take("."));
        boolean map = words.take("vmap");
        if (!map && selectors.size() == 1) {
            words.place(begin);
            return false;
        }
        if (!map && words.take("!=")) {
            throw new Refused("a negated concatenation: " + SPEC);
        }
        words.take("==");
        List<Step.Branch> branches = new ArrayList<>();
        for (List<Token> statement : NftElements.statements(selectors, words.elements())) {
            if (!map && statement.stream().anyMatch(token -> token.is(":"))) {
                throw new Refused("a map without verdicts: " + SPEC);
            }
            NftLine one = new NftLine(statement, context);
            branches.addAll(one.branches());
            draft.warnings.addAll(one.draft.warnings);
        }
        if (map) {
            if (log) {
                throw new Refused("a log of all packets in front of a map: " + SPEC);
            }
            aim(new Target.Count());
            mapped.addAll(branches);
            if (branches.isEmpty()) {
                draft.also(List.of());
            }
        } else {
            draft.also(branches.stream().map(Step.Branch::match).toList());
        }
        return true;
    }

    /** A rule for each matched type of ICMP. */
    private List<Rule> rules() throws Refused {
        if (icmpTypes.isEmpty()) {
            return draft.rules();
        }
        List<Rule> rules = new ArrayList<>();
        Rule rest = draft.rule();
        for (IcmpType type : icmpTypes) {
            Draft one = new Draft();
            one.icmp(type);
            Conjunction.of(rest, one.rule()).ifPresent(rules::add);
        }
        return rules;
    }

    private void statement(String word) throws Refused {
        switch (word) {
            case "ip", "ip6" -> header(word, words.next());
            case "meta" -> meta(words.next());
            case "tcp", "udp", "udplite", "sctp", "dccp", "th" -> transport(word, words.next());
            case "icmp", "icmpv6" -> icmp(word.equals("icmpv6"), words.next());
            case "ct" -> state(words.next());
            case "iif", "iifname" -> interfaces(true);
            case "oif", "oifname" -> interfaces(false);
            case "limit" -> limit();
            case "rt", "srh" -> new NftRouting(words, draft).read(word, words.next());
            case "exthdr" -> new NftRouting(words, draft).exists(words.next());
            case "counter" -> {
                if (words.take("packets")) {
                    words.next();
                    words.take("bytes");
                    words.next();
                } else if (words.take("name")) {
                    words.next();
                }
            }
            case "comment" -> name = Names.of(words.next());
            case "log" -> log();
            default -> verdict(word);
        }
    }

    private void log() throws Refused {
        log = true;
        while (Set.of("prefix", "level", "group", "snaplen", "queue-threshold", "flags")
                .contains(words.peek())) {
            boolean flags = words.next().equals("flags");
            String value = words.next();
            if (flags && Set.of("tcp", "ip").contains(value)) {
                words.next();
            }
            while (flags && words.take(",")) {
                words.next();
            }
        }
    }

    /** {@code limit rate 5/minute burst 5 packets}. */
    private void limit() throws Refused {
        limited = true;
        if (!words.take("rate") || words.peek().equals("over")) {
            throw new Refused("\"limit\": " + SPEC);
        }
        words.next();
        if (words.take("burst")) {
            words.next();
            words.next();
        }
        draft.warnings.add("a node logs 20 packets a second of a firewall, whatever limit the line has");
    }

    private void interfaces(boolean from) throws Refused {
        boolean not = words.take("!=");
        words.take("==");
        List<Rule> either = new ArrayList<>();
        for (String one : words.values()) {
            if (not) {
                context.interfaces().match(draft, one, from, true, context.family());
            } else {
                Draft single = new Draft();
                context.interfaces().match(single, one, from, false, context.family());
                either.addAll(single.rules());
                draft.warnings.addAll(single.warnings);
            }
        }
        if (!not) {
            draft.also(either);
        }
    }

    private void verdict(String word) throws Refused {
        switch (word) {
            case "accept" -> aim(new Target.Decide(Verb.ACCEPT));
            case "drop" -> aim(new Target.Decide(Verb.DROP));
            case "reject" -> {
                aim(new Target.Decide(Verb.DROP));
                draft.warnings.add("the sender gets no ICMP error: reject becomes drop");
                if (words.take("with")) {
                    rejects(words.next());
                    words.take("type");
                    words.next();
                }
            }
            case "return" -> aim(new Target.Return());
            case "jump" -> aim(jump(true));
            case "goto" -> aim(jump(false));
            case "continue" -> aim(new Target.Count());
            default -> throw new Refused("\"" + word + "\": " + SPEC);
        }
    }

    /** An error of one protocol replies to packets of that only, and nft does not always list the match on it. */
    private void rejects(String error) throws Refused {
        switch (error) {
            case "tcp" -> draft.implied(Protocols.TCP);
            case "icmp" -> draft.family(Family.IPV4);
            case "icmpv6" -> draft.family(Family.IPV6);
            default -> {}
        }
    }

    private Target jump(boolean back) throws Refused {
        if (words.peek().equals("{")) {
            throw new Refused("a chain without a name: " + SPEC);
        }
        return new Target.Jump(context.chains() + words.next(), back);
    }

    private void aim(Target to) throws Refused {
        if (aimed) {
            throw new Refused("it has two verdicts");
        }
        aimed = true;
        target = to;
    }

    private void header(String version, String field) throws Refused {
        Family family = version.equals("ip") ? Family.IPV4 : Family.IPV6;
        switch (field) {
            case "saddr" -> {
                draft.family(family);
                peers(draft.source, family);
            }
            case "daddr" -> {
                draft.family(family);
                peers(draft.destination, family);
            }
            case "protocol" -> {
                draft.family(family);
                draft.protocol(words.numbers(8, Protocols::named));
            }
            case "nexthdr" ->
                throw new Refused("ip6 nexthdr is what follows the IPv6 header, perhaps an extension header: write"
                        + " meta l4proto for what is behind those");
            default -> throw new Refused(version + " " + field + ": " + SPEC);
        }
    }

    private void meta(String field) throws Refused {
        switch (field) {
            case "iif", "iifname" -> interfaces(true);
            case "oif", "oifname" -> interfaces(false);
            case "l4proto" -> draft.protocol(words.numbers(8, Protocols::named));
            case "nfproto" ->
                draft.family(
                        switch (words.next()) {
                            case "ipv4", "2" -> Family.IPV4;
                            case "ipv6", "10" -> Family.IPV6;
                            default -> throw new Refused("meta nfproto: " + SPEC);
                        });
            default -> throw new Refused("meta " + field + ": " + SPEC);
        }
    }

    private void transport(String protocol, String field) throws Refused {
        if (!protocol.equals("th")) {
            draft.implied(Protocols.named(protocol).orElseThrow());
        }
        switch (field) {
            case "sport" -> ports(true);
            case "dport" -> ports(false);
            case "flags" -> draft.flags(new NftFlags(words).read());
            default -> throw new Refused(protocol + " " + field + ": " + SPEC);
        }
        if (words.has("!=")) {
            draft.warnings.add("later fragments have no ports and flags, and match no negation of one; in nft they do");
        }
    }

    /** Ports; more than the maximum of a rule become several rules. */
    private void ports(boolean ofSource) throws Refused {
        int begin = words.place();
        boolean plain = !Set.of("!=", "<", ">", "<=", ">=").contains(words.peek());
        List<String> values = plain ? words.values() : List.of();
        if (values.size() <= MOST_NUMBERS) {
            words.place(begin);
            draft.ports(ofSource, words.numbers(16, NftLine::service));
            return;
        }
        List<Rule> either = new ArrayList<>();
        for (int i = 0; i < values.size(); i += MOST_NUMBERS) {
            String text = String.join(",", values.subList(i, Math.min(values.size(), i + MOST_NUMBERS)));
            Draft one = new Draft();
            one.ports(ofSource, Draft.read(() -> Numbers.parse(16, text, NftLine::service)));
            either.add(one.rule());
        }
        draft.also(either);
    }

    private static OptionalInt service(String name) {
        Integer port = SERVICES.get(name);
        return port == null ? OptionalInt.empty() : OptionalInt.of(port);
    }

    private void icmp(boolean six, String field) throws Refused {
        draft.family(six ? Family.IPV6 : Family.IPV4);
        draft.implied(six ? Protocols.ICMPV6 : Protocols.ICMP);
        if (!field.equals("type")) {
            throw new Refused((six ? "icmpv6 " : "icmp ") + field + ": " + SPEC);
        }
        boolean not = words.take("!=");
        words.take("==");
        List<String> values = words.values();
        if (not && values.size() > 1) {
            throw new Refused("a rule leaves out one type of ICMP, not several");
        }
        for (String value : values) {
            IcmpType type = Draft.read(() -> IcmpType.parse(
                    value.replaceFirst("^nd-", "")
                            .replaceFirst("solicit$", "solicitation")
                            .replaceFirst("advert$", "advertisement"),
                    six));
            icmpTypes.add(not ? type.not() : type);
        }
    }

    private void state(String field) throws Refused {
        if (field.equals("status") && Set.of("dnat", "snat", "dnat,snat").contains(words.peek())) {
            draft.warnings.add("no packet is translated here: no packet has status " + words.next());
            draft.also(List.of());
            return;
        }
        if (!field.equals("state")) {
            throw new Refused("ct " + field + ": " + SPEC);
        }
        if (words.peek().equals("!=")) {
            throw new Refused("ct state " + words.peek() + ": write a rule for each state");
        }
        Set<String> states = new HashSet<>(words.values());
        if (states.remove("untracked")) {
            draft.warnings.add("no packet is untracked here");
            if (states.isEmpty()) {
                draft.also(List.of());
                return;
            }
        }
        if (states.contains("new") && states.remove("invalid")) {
            draft.warnings.add("a packet of no known flow is new here, and invalid is taken for a part of new");
        }
        if (!Set.of("new", "established", "related").containsAll(states) || states.equals(Set.of("related"))) {
            throw new Refused(
                    "flows are known here or not; there is no state " + String.join(",", new TreeSet<>(states)));
        }
        if (states.containsAll(Set.of("new", "established"))) {
            return;
        }
        if (states.contains("established") != states.contains("related")) {
            draft.warnings.add("packets that are related to a flow, such as ICMP errors, are established here");
        }
        draft.established(states.contains("established"));
    }

    private void peers(List<Peer> to, Family family) throws Refused {
        boolean not = words.take("!=");
        words.take("==");
        if (!not && to.stream().anyMatch(peer -> !peer.negated())) {
            throw new Refused("it asks for addresses twice");
        }
        AddressRanges ranges = new AddressRanges(family == Family.IPV6 ? 128 : 32);
        for (String value : words.values()) {
            ranges.add(value);
        }
        List<IpPrefix> prefixes = ranges.prefixes();
        prefixes.forEach(prefix -> to.add(not ? Peer.of(prefix).not() : Peer.of(prefix)));
        if (prefixes.isEmpty() && !not) {
            draft.also(List.of());
        }
    }
}
