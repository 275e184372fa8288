// SPDX-License-Identifier: Apache-2.0
package org.sextant.sera.imports;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;
import org.sextant.kit.Family;
import org.sextant.sera.IcmpType;
import org.sextant.sera.Numbers;
import org.sextant.sera.Peer;
import org.sextant.sera.Protocols;
import org.sextant.sera.Rule;
import org.sextant.sera.TcpFlags;
import org.sextant.sera.Verb;
import org.sextant.sera.imports.NftTokens.Token;

/** One rule of nft: what it asks for, and what it does. */
final class NftLine {
    private static final String SPEC = "a firewall here has no counterpart of it";

    /** Names that nft prints where it is not told -n, as far as they are common. */
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

    private final List<Token> words;
    private final Map<String, List<Token>> sets;
    private final String chains;
    private final Draft draft = new Draft();
    private final List<IcmpType> icmpTypes = new ArrayList<>();
    private Optional<String> name = Optional.empty();
    private Target target = new Target.Count();
    private boolean aimed;
    private boolean log;
    private int at;

    /** @param chains what stands in front of the names of chains of the same table */
    NftLine(List<Token> words, Map<String, List<Token>> sets, String chains) {
        this.words = words;
        this.sets = sets;
        this.chains = chains;
    }

    Step read(int number, String line, Optional<Family> family) {
        try {
            if (family.isPresent()) {
                draft.family(family.get());
            }
            while (at < words.size()) {
                if (words.get(at).quoted()) {
                    throw new Refused("a text in quotes stands where a statement begins");
                }
                statement(next());
            }
            boolean logsOnly = log && target instanceof Target.Count;
            return new Step(
                    number,
                    line,
                    rules(),
                    logsOnly ? new Target.Log() : target,
                    log && !logsOnly,
                    name,
                    Optional.empty(),
                    List.copyOf(draft.warnings));
        } catch (Refused e) {
            return Step.refused(number, line, e.why());
        }
    }

    /** A rule for each type of ICMP that is asked for. */
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

    private String next() throws Refused {
        if (at == words.size()) {
            throw new Refused("something is missing at its end");
        }
        return words.get(at++).text();
    }

    private String peek() {
        return at < words.size() ? words.get(at).text() : "";
    }

    private boolean take(String word) {
        boolean taken = at < words.size() && words.get(at).is(word);
        at += taken ? 1 : 0;
        return taken;
    }

    private void statement(String word) throws Refused {
        switch (word) {
            case "ip", "ip6" -> header(word, next());
            case "meta" -> meta(next());
            case "tcp", "udp", "udplite", "sctp", "dccp", "th" -> transport(word, next());
            case "icmp", "icmpv6" -> icmp(word.equals("icmpv6"), next());
            case "ct" -> state(next());
            case "rt", "srh" -> routing(word, next());
            case "exthdr" -> exists(next());
            case "counter" -> {
                if (take("packets")) {
                    next();
                    take("bytes");
                    next();
                }
            }
            case "comment" -> name = Names.of(next());
            case "log" -> log();
            default -> verdict(word);
        }
    }

    private void log() throws Refused {
        log = true;
        while (Set.of("prefix", "level", "group", "snaplen", "queue-threshold", "flags")
                .contains(peek())) {
            next();
            next();
        }
    }

    private void verdict(String word) throws Refused {
        switch (word) {
            case "accept" -> aim(new Target.Decide(Verb.ACCEPT));
            case "drop" -> aim(new Target.Decide(Verb.DROP));
            case "reject" -> {
                aim(new Target.Decide(Verb.DROP));
                draft.warnings.add("the sender is not told: reject becomes drop");
                if (take("with")) {
                    next();
                    take("type");
                    next();
                }
            }
            case "return" -> aim(new Target.Return());
            case "jump" -> aim(new Target.Jump(chains + next(), true));
            case "goto" -> aim(new Target.Jump(chains + next(), false));
            case "continue" -> aim(new Target.Count());
            default -> throw new Refused("\"" + word + "\": " + SPEC);
        }
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
                peers(draft.source);
            }
            case "daddr" -> {
                draft.family(family);
                peers(draft.destination);
            }
            case "protocol" -> {
                draft.family(family);
                draft.protocol(numbers(8, Protocols::named));
            }
            case "nexthdr" ->
                throw new Refused("ip6 nexthdr is what follows the IPv6 header, perhaps an extension header: write"
                        + " meta l4proto for what is behind those");
            default -> throw new Refused(version + " " + field + ": " + SPEC);
        }
    }

    private void meta(String field) throws Refused {
        switch (field) {
            case "l4proto" -> draft.protocol(numbers(8, Protocols::named));
            case "nfproto" ->
                draft.family(
                        switch (next()) {
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
            case "sport" -> draft.ports(true, numbers(16, NftLine::service));
            case "dport" -> draft.ports(false, numbers(16, NftLine::service));
            case "flags" -> draft.flags(flags());
            default -> throw new Refused(protocol + " " + field + ": " + SPEC);
        }
        if (words.stream().anyMatch(token -> token.is("!="))) {
            draft.warnings.add("later fragments have no ports and flags, and match no negation of one; in nft they do");
        }
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
        boolean not = take("!=");
        take("==");
        List<String> values = values();
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
        if (!field.equals("state")) {
            throw new Refused("ct " + field + ": " + SPEC);
        }
        if (peek().equals("vmap") || peek().equals("!=")) {
            throw new Refused("ct state " + peek() + ": write a rule for each state");
        }
        Set<String> states = Set.copyOf(values());
        if (!Set.of("new", "established", "related").containsAll(states) || states.equals(Set.of("related"))) {
            throw new Refused("flows are known here or not; there is no state " + String.join(",", states));
        }
        if (states.contains("related")) {
            draft.warnings.add("packets that are related to a flow, such as ICMP errors, are not taken for it");
        }
        if (!(states.contains("new") && states.contains("established"))) {
            draft.established(states.contains("established"));
        }
    }

    /** nft counts SIDs from 1: {@code srh sid[1]} is list[0]. */
    private void routing(String header, String field) throws Refused {
        switch (header + " " + field) {
            case "rt type" -> {
                if (!take("4")) {
                    throw new Refused("a firewall here looks at routing headers of type 4 only");
                }
                draft.srh();
            }
            case "rt seg-left" -> draft.srh("left", numbers(8, NftLine::service));
            case "rt hdrlength" -> draft.srh("length", numbers(8, NftLine::service));
            case "rt nexthdr" -> draft.srh("next", numbers(8, Protocols::named));
            case "srh last-entry" -> draft.srh("last", numbers(8, NftLine::service));
            case "srh tag" -> draft.srh("tag", numbers(16, NftLine::service));
            case "srh flags" -> {
                Numbers value = numbers(8, NftLine::service);
                Numbers.Span only = value.spans().get(0);
                if (value.negated() || value.spans().size() > 1 || only.low() != only.high()) {
                    throw new Refused("a rule asks for one value of the flags of the header");
                }
                draft.srhFlags(only.low());
            }
            case "srh sid[1]" -> {
                boolean not = take("!=");
                draft.sid("last", Draft.peer(next(), not));
            }
            default -> throw new Refused(header + " " + field + ": " + SPEC);
        }
    }

    private void exists(String header) throws Refused {
        if (!header.equals("rt") || !(take("exists") || take("1"))) {
            throw new Refused("exthdr " + header + ": " + SPEC);
        }
        draft.srh();
    }

    private void peers(List<Peer> to) throws Refused {
        boolean not = take("!=");
        take("==");
        if (!not && to.stream().anyMatch(peer -> !peer.negated())) {
            throw new Refused("it asks for addresses twice");
        }
        for (String value : values()) {
            if (value.matches("[0-9.]+-[0-9.]+|[0-9a-f:]+-[0-9a-f:]+")) {
                throw new Refused("a range of addresses that is no prefix: write the prefixes that it has");
            }
            to.add(Draft.peer(value, not));
        }
    }

    private Numbers numbers(int bits, java.util.function.Function<String, OptionalInt> named) throws Refused {
        boolean not = take("!=");
        take("==");
        String how = Set.of("<", ">", "<=", ">=").contains(peek()) ? next() : "";
        String text = how + String.join(",", values());
        Numbers numbers = Draft.read(() -> Numbers.parse(bits, text, named));
        return not ? Draft.read(numbers::not) : numbers;
    }

    /** One value, several with commas between, those in braces, or those of a set. */
    private List<String> values() throws Refused {
        if (take("{")) {
            return elements(words, "}");
        }
        if (peek().startsWith("@")) {
            String set = next().substring(1);
            List<Token> known = sets.getOrDefault(set, List.of());
            if (known.isEmpty()) {
                throw new Refused("set " + set + " is empty, or not in the text");
            }
            return new NftLine(known, sets, chains).elements(known, "");
        }
        List<String> values = new ArrayList<>(List.of(next()));
        while (take(",")) {
            values.add(next());
        }
        return values;
    }

    private List<String> elements(List<Token> from, String end) throws Refused {
        List<String> values = new ArrayList<>();
        while (at < from.size() && !take(end)) {
            if (!take(",")) {
                values.add(next());
            }
        }
        if (values.stream()
                .anyMatch(value -> Set.of(":", "timeout", "expires", "counter").contains(value))) {
            throw new Refused("elements that lead somewhere or expire: " + SPEC);
        }
        return values;
    }

    /**
     * {@code syn / fin,syn,rst,ack}, {@code & (fin | syn) == syn}; {@code == syn} and {@code != syn} are about all flags, {@code
     * syn} alone is that it is set, whatever the others are.
     */
    private TcpFlags flags() throws Refused {
        if (take("&")) {
            int mask = bits(alternatives());
            boolean other = take("!=");
            if (!other && !take("==")) {
                throw new Refused("tcp flags: it does not say what is set");
            }
            int set = peek().equals("0x0") || peek().equals("0") ? zero() : bits(alternatives());
            return Draft.read(() -> new TcpFlags(other, mask, set));
        }
        boolean not = take("!=");
        boolean exact = not || take("==");
        if (peek().equals("{") || peek().equals("(") || peek().startsWith("@")) {
            throw new Refused("tcp flags: one of several values: write a rule for each");
        }
        List<String> named = values();
        int set = bits(named);
        if (take("/")) {
            int mask = bits(values());
            return Draft.read(() -> new TcpFlags(not, mask, set));
        }
        if (named.size() > 1 || peek().equals("|")) {
            throw new Refused("tcp flags: one of several flags: write \"set / looked at\"");
        }
        return Draft.read(() -> new TcpFlags(not, exact ? 0xff : set, set));
    }

    private int zero() throws Refused {
        next();
        return 0;
    }

    private static int bits(List<String> names) throws Refused {
        return Draft.read(() -> TcpFlags.bits(names.stream().collect(Collectors.joining(","))));
    }

    /** {@code (fin | syn)}, or one. */
    private List<String> alternatives() throws Refused {
        boolean several = take("(");
        List<String> names = new ArrayList<>(List.of(next()));
        while (take("|")) {
            names.add(next());
        }
        if (several && !take(")")) {
            throw new Refused("tcp flags: a parenthesis is not closed");
        }
        return names;
    }
}
