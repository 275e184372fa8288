// SPDX-License-Identifier: Apache-2.0
package org.sextant.sera.imports;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.sextant.core.ip.IpPrefix;
import org.sextant.kit.Family;
import org.sextant.sera.IcmpType;
import org.sextant.sera.Numbers;
import org.sextant.sera.Peer;
import org.sextant.sera.Protocols;
import org.sextant.sera.Rule;
import org.sextant.sera.TcpFlags;
import org.sextant.sera.Verb;

/** One line of iptables-save: its match and its target. */
final class IptablesLine {
    /** Matches with supported options; the names themselves match all packets. */
    private static final Set<String> MATCHES = Set.of(
            "tcp",
            "udp",
            "udplite",
            "sctp",
            "dccp",
            "icmp",
            "icmp6",
            "ipv6-icmp",
            "icmpv6",
            "multiport",
            "iprange",
            "set",
            "comment",
            "srh",
            "SRH",
            "state",
            "conntrack");

    /** Options of -m srh, those of the paper's Listing 2 and those of the present iptables. */
    private static final Map<String, String> SRH_NUMBERS = Map.of(
            "--srh-len", "length",
            "--srh-hdr-len", "length",
            "--srh-segs", "left",
            "--srh-segs-left", "left",
            "--srh-last", "last",
            "--srh-last-entry", "last");

    private static final Map<String, String> SRH_SIDS =
            Map.of("--srh-psid", "previous", "--srh-nsid", "next", "--srh-lsid", "last");

    private static final Map<String, Verb> SEG6 = Map.of(
            "go-next", Verb.ACCEPT,
            "skip-next", Verb.SKIP_NEXT,
            "go-last", Verb.GO_LAST,
            "eval-args", Verb.EVAL_ARGS);

    private static final String SPEC = "a firewall here has no counterpart of it";

    /** Options of the target, and options that are no match, cannot be negated. */
    private static final Set<String> NOT_NEGATED =
            Set.of("-m", "--match", "-j", "--jump", "-g", "--goto", "--comment", "--reject-with");

    /** Options of logging targets without an effect here; by name, the number of their arguments. */
    private static final Map<String, Integer> LOGGED = Map.ofEntries(
            Map.entry("--log-prefix", 1),
            Map.entry("--log-level", 1),
            Map.entry("--log-tcp-sequence", 0),
            Map.entry("--log-tcp-options", 0),
            Map.entry("--log-ip-options", 0),
            Map.entry("--log-uid", 0),
            Map.entry("--log-macdecode", 0),
            Map.entry("--nflog-group", 1),
            Map.entry("--nflog-prefix", 1),
            Map.entry("--nflog-range", 1),
            Map.entry("--nflog-size", 1),
            Map.entry("--nflog-threshold", 1));

    /** Matches on a header behind those of IP, which a later fragment does not have: each requires that header. */
    private static final Map<String, Integer> HEADERS = Map.ofEntries(
            Map.entry("tcp", Protocols.TCP),
            Map.entry("udp", Protocols.UDP),
            Map.entry("udplite", 136),
            Map.entry("sctp", 132),
            Map.entry("dccp", 33),
            Map.entry("icmp", Protocols.ICMP),
            Map.entry("icmp6", Protocols.ICMPV6),
            Map.entry("ipv6-icmp", Protocols.ICMPV6),
            Map.entry("icmpv6", Protocols.ICMPV6));

    /** States that no packet has at a firewall that neither translates addresses nor leaves flows untracked. */
    private static final Set<String> NEVER = Set.of("UNTRACKED", "DNAT", "SNAT");

    /**
     * The surroundings of a line.
     *
     * @param family of all packets
     * @param called the full name of a chain of the same table
     */
    record Context(Family family, UnaryOperator<String> called, IpSets sets, Interfaces interfaces) {}

    private final Context context;
    private final Family family;
    private final Draft draft = new Draft();

    /** The sources of -s: with -m srh, anywhere in the line, they are sources of the outer header. */
    private final List<Peer> sources = new ArrayList<>();

    private Optional<String> name = Optional.empty();
    private Target target = new Target.Count();
    private boolean inHeader;
    private boolean plainDestination;
    private boolean targeted;
    private boolean rejects;
    private Optional<String> limited = Optional.empty();

    IptablesLine(Context context) {
        this.context = context;
        this.family = context.family();
    }

    /** Reads the options behind the chain. */
    Step read(int number, String line, Words words) {
        try {
            draft.family(family);
            while (words.more()) {
                boolean not = words.take("!");
                String option = words.next();
                if (not && NOT_NEGATED.contains(option)) {
                    throw new Refused("! in front of " + option + " means nothing");
                }
                option(option, not, words);
            }
            outer();
            if (limited.isPresent() && !(target instanceof Target.Log)) {
                throw new Refused("-m " + limited.get() + ": " + SPEC);
            }
            if (limited.isPresent()) {
                draft.warnings.add("a node logs 20 packets a second of a firewall, whatever limit the line has");
            }
            List<Step.Branch> branches = draft.rules().stream()
                    .map(rule -> new Step.Branch(rule, target))
                    .toList();
            return new Step(number, line, branches, false, name, Optional.empty(), draft.warnings);
        } catch (Refused e) {
            return Step.refused(number, line, e.why());
        }
    }

    /** With -m srh, addresses are those of the header that carries it, as in the kernel; else those of the packet. */
    private void outer() throws Refused {
        if (!inHeader) {
            draft.source.addAll(sources);
            return;
        }
        if (plainDestination) {
            throw new Refused("beside -m srh, -d is the destination of the outer header, which is this firewall's SID:"
                    + " leave it out, or ask for --inner-dst");
        }
        draft.outerSource.addAll(sources);
        if (!sources.isEmpty()) {
            draft.warnings.add("beside -m srh, -s is the source of the outer header: it is taken for \"outerSource\"");
        }
    }

    private void option(String option, boolean not, Words words) throws Refused {
        switch (option) {
            case "-s", "--source", "--src" -> peers(sources, words.next(), not);
            case "-d", "--destination", "--dst" -> {
                plainDestination = true;
                peers(draft.destination, words.next(), not);
            }
            case "--inner-src" -> peers(draft.source, words.next(), not);
            case "--inner-dst" -> peers(draft.destination, words.next(), not);
            case "-p", "--protocol" -> protocol(words.next(), not);
            case "-m", "--match" -> match(words.next());
            case "--sport", "--source-port", "--sports", "--source-ports" -> ports(true, words.next(), not);
            case "--dport", "--destination-port", "--dports", "--destination-ports" -> ports(false, words.next(), not);
            case "--tcp-flags" -> flags(words.next(), words.next(), not);
            case "--syn" -> flags("FIN,SYN,RST,ACK", "SYN", not);
            case "--icmp-type" -> icmp(Family.IPV4, words.next(), not);
            case "--icmpv6-type" -> icmp(Family.IPV6, words.next(), not);
            case "--comment" -> name = Names.of(words.next());
            case "--ctstate", "--state" -> state(words.next(), not);
            case "--ports" -> eitherPort(words.next(), not);
            case "--src-range" -> range(true, words.next(), not);
            case "--dst-range" -> range(false, words.next(), not);
            case "--match-set" -> context.sets().match(draft, words.next(), words.next(), not, family);
            case "-i", "--in-interface" ->
                context.interfaces().match(draft, words.next(), true, not, Optional.of(family));
            case "-o", "--out-interface" ->
                context.interfaces().match(draft, words.next(), false, not, Optional.of(family));
            case "-j", "--jump" -> target(words.next(), words);
            case "-g", "--goto" -> aim(new Target.Jump(context.called().apply(words.next()), false));
            default -> ofTarget(option, not, words);
        }
    }

    /** Options of the target without an effect here. */
    private void ofTarget(String option, boolean not, Words words) throws Refused {
        if (target instanceof Target.Log && LOGGED.containsKey(option) && !not) {
            for (int i = LOGGED.getOrDefault(option, 0); i > 0; i--) {
                words.next();
            }
        } else if (limited.isPresent() && option.matches("--(hash)?limit.*") && !not) {
            words.next();
        } else if (rejects && option.equals("--reject-with")) {
            words.next();
        } else {
            srh(option, not, words);
        }
    }

    private void aim(Target to) throws Refused {
        if (targeted) {
            throw new Refused("it has two targets");
        }
        targeted = true;
        target = to;
    }

    private static void peers(List<Peer> to, String text, boolean not) throws Refused {
        if (!to.isEmpty()) {
            throw new Refused("it asks for addresses twice");
        }
        if (not && text.contains(",")) {
            throw new Refused("! in front of several addresses means nothing");
        }
        for (String one : text.split(",", -1)) {
            to.add(Draft.peer(one, not));
        }
    }

    private void protocol(String text, boolean not) throws Refused {
        if (!text.matches("[0-9]+|[A-Za-z][A-Za-z0-9.+-]*")) {
            throw new Refused("\"" + text + "\" is no protocol");
        }
        if (text.equals("all") || text.equals("0")) {
            if (not) {
                throw new Refused("no packet is of no protocol");
            }
            return;
        }
        Numbers numbers = Draft.read(() -> Numbers.parse(8, text.toLowerCase(Locale.ROOT), Protocols::named));
        draft.protocol(not ? Draft.read(numbers::not) : numbers);
    }

    private void match(String match) throws Refused {
        if (match.equals("limit") || match.equals("hashlimit")) {
            limited = Optional.of(match);
            return;
        }
        if (!MATCHES.contains(match)) {
            throw new Refused("-m " + match + ": " + SPEC);
        }
        if (match.equals("srh") || match.equals("SRH")) {
            inHeader = true;
            draft.srh();
        }
        if (HEADERS.containsKey(match)) {
            draft.header(HEADERS.getOrDefault(match, 0));
        }
    }

    private void ports(boolean ofSource, String text, boolean not) throws Refused {
        Numbers numbers = numbers(text);
        draft.ports(ofSource, not ? Draft.read(numbers::not) : numbers);
    }

    /** Either port is one of these; negated: neither is. */
    private void eitherPort(String text, boolean not) throws Refused {
        if (not) {
            ports(true, text, true);
            ports(false, text, true);
            return;
        }
        List<Rule> either = new ArrayList<>();
        for (boolean ofSource : List.of(true, false)) {
            Draft one = new Draft();
            one.ports(ofSource, numbers(text));
            either.add(one.rule());
        }
        draft.also(either);
    }

    private void range(boolean ofSource, String text, boolean not) throws Refused {
        AddressRanges ranges = new AddressRanges(family == Family.IPV6 ? 128 : 32);
        ranges.add(text);
        Draft one = new Draft();
        for (IpPrefix prefix : ranges.prefixes()) {
            (ofSource ? one.source : one.destination).add(not ? Peer.of(prefix).not() : Peer.of(prefix));
        }
        draft.also(List.of(one.rule()));
    }

    private static Numbers numbers(String text) throws Refused {
        StringBuilder ranges = new StringBuilder();
        for (String part : text.split(",", -1)) {
            String[] ends = part.split(":", -1);
            if (ends.length > 2 || !part.matches("[0-9:]+") || part.matches(".*(^|:)0[0-9].*")) {
                throw new Refused("\"" + part + "\" is no port, nor a range of them");
            }
            String range = ends.length == 1
                    ? part
                    : (ends[0].isEmpty() ? "0" : ends[0]) + "-" + (ends[1].isEmpty() ? "65535" : ends[1]);
            ranges.append(ranges.length() > 0 ? "," : "").append(range);
        }
        return Draft.numbers(16, ranges.toString());
    }

    private void flags(String mask, String set, boolean not) throws Refused {
        draft.flags(Draft.read(() -> new TcpFlags(not, TcpFlags.bits(mask), TcpFlags.bits(set))));
    }

    private void icmp(Family of, String text, boolean not) throws Refused {
        if (family != of) {
            throw new Refused("it asks for a type of the other ICMP");
        }
        draft.header(of == Family.IPV6 ? Protocols.ICMPV6 : Protocols.ICMP);
        if (text.equals("any") || of == Family.IPV4 && text.equals("255")) {
            if (not) {
                throw new Refused("no packet is of no type");
            }
            return;
        }
        IcmpType type = Draft.read(() -> IcmpType.parse(text, of == Family.IPV6));
        draft.icmp(not ? type.not() : type);
    }

    private void state(String text, boolean not) throws Refused {
        Set<String> states = new HashSet<>(List.of(text.split(",")));
        if (!not && states.removeAll(NEVER)) {
            draft.warnings.add("no packet is untracked or translated here: " + text + " is taken without these states");
            if (states.isEmpty()) {
                draft.also(List.of());
                return;
            }
        }
        if (!not && states.contains("NEW") && states.remove("INVALID")) {
            draft.warnings.add("a packet of no known flow is NEW here, and INVALID is taken for a part of NEW");
        }
        if (!Set.of("NEW", "ESTABLISHED", "RELATED").containsAll(states) || not) {
            throw new Refused("flows are known here or not; there is no state " + (not ? "! " : "") + text);
        }
        boolean established = states.contains("ESTABLISHED");
        boolean fresh = states.contains("NEW");
        if (!established && !fresh) {
            throw new Refused("what is related to a flow is not known here");
        }
        if (established != states.contains("RELATED") && !(established && fresh)) {
            draft.warnings.add("packets that are RELATED to a flow, such as ICMP errors, are ESTABLISHED here");
        }
        if (!(established && fresh)) {
            draft.established(established);
        }
    }

    private void target(String name, Words words) throws Refused {
        switch (name) {
            case "ACCEPT" -> aim(new Target.Decide(Verb.ACCEPT));
            case "DROP" -> aim(new Target.Decide(Verb.DROP));
            case "REJECT" -> {
                aim(new Target.Decide(Verb.DROP));
                rejects = true;
                draft.warnings.add("the sender gets no ICMP error: REJECT becomes drop");
            }
            case "RETURN" -> aim(new Target.Return());
            case "LOG", "NFLOG" -> aim(new Target.Log());
            case "SEG6" -> aim(new Target.Decide(seg6(words)));
            default -> jump(name, words);
        }
    }

    private void jump(String name, Words words) throws Refused {
        if (name.matches("[A-Z][A-Z0-9]+") && words.peek().startsWith("--")) {
            throw new Refused("target " + name + ": " + SPEC);
        }
        aim(new Target.Jump(context.called().apply(name), true));
    }

    /** The names of actions in the paper's Listing 3, or in its code. */
    private static Verb seg6(Words words) throws Refused {
        String option = words.next();
        if (!option.equals("--seg6-action")) {
            throw new Refused("option " + option + " of target SEG6 is not known here");
        }
        String action = words.next().replaceFirst("^seg6-", "");
        if (action.equals("bind-sid")) {
            throw new Refused("bind-sid sends packets into another policy, which no node here does by a rule: lead them"
                    + " there by a policy of its own");
        }
        Verb verb = SEG6.get(action);
        if (verb == null) {
            throw new Refused("action " + action + " of target SEG6 is not known here");
        }
        return verb;
    }

    private void srh(String option, boolean not, Words words) throws Refused {
        if (option.equals("--srh-next-hdr")) {
            String text = words.next();
            put("next", Draft.read(() -> Numbers.parse(8, text.toLowerCase(Locale.ROOT), Protocols::named)), not);
        } else if (option.equals("--srh-tag")) {
            put("tag", Draft.numbers(16, words.next()), not);
            draft.warnings.add("the tag is taken as it is on the wire; the kernel's own match swaps its bytes on most"
                    + " machines");
        } else if (SRH_SIDS.containsKey(option)) {
            draft.sid(SRH_SIDS.getOrDefault(option, ""), Draft.peer(words.next(), not));
        } else {
            compared(option, not, words);
        }
    }

    /** {@code --srh-segs-left-gt 1}. */
    private void compared(String option, boolean not, Words words) throws Refused {
        int dash = option.lastIndexOf('-');
        String field = SRH_NUMBERS.get(option.substring(0, Math.max(0, dash)));
        String how = switch (option.substring(dash + 1)) {
            case "eq" -> "=";
            case "gt" -> ">";
            case "lt" -> "<";
            default -> "";
        };
        if (field == null || how.isEmpty()) {
            throw new Refused("option " + option + ": " + SPEC);
        }
        put(field, Draft.numbers(8, how + words.next()), not);
    }

    private void put(String field, Numbers numbers, boolean not) throws Refused {
        draft.srh(field, not ? Draft.read(numbers::not) : numbers);
    }
}
