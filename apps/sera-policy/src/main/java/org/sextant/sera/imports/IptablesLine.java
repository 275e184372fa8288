// SPDX-License-Identifier: Apache-2.0
package org.sextant.sera.imports;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.sextant.kit.Family;
import org.sextant.sera.IcmpType;
import org.sextant.sera.Numbers;
import org.sextant.sera.Peer;
import org.sextant.sera.Protocols;
import org.sextant.sera.Rule;
import org.sextant.sera.TcpFlags;
import org.sextant.sera.Verb;

/** One line of iptables-save: what it asks for, and its target. */
final class IptablesLine {
    /** Matches whose options are known here; the names themselves ask for nothing. */
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
            "comment",
            "srh",
            "SRH",
            "state",
            "conntrack");

    /** Options of -m srh, those of the paper's Listing 2 and those that iptables has got. */
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

    private final Family family;
    private final Draft draft = new Draft();
    private Optional<String> name = Optional.empty();
    private Target target = new Target.Count();
    private boolean inHeader;
    private boolean plainSource;
    private boolean plainDestination;

    IptablesLine(Family family) {
        this.family = family;
    }

    Step read(int number, String line, String rest) {
        try {
            Words words = Words.of(rest);
            draft.family(family);
            while (words.more()) {
                boolean not = words.take("!");
                option(words.next(), not, words);
            }
            outer();
            Rule rule = draft.rule();
            return new Step(
                    number, line, List.of(rule), target, false, name, Optional.empty(), List.copyOf(draft.warnings));
        } catch (Refused e) {
            return Step.refused(number, line, e.why());
        }
    }

    /** Beside -m srh, addresses are those of the header that carries it, as in the kernel; elsewhere those of the packet. */
    private void outer() throws Refused {
        if (!inHeader) {
            return;
        }
        if (plainDestination) {
            throw new Refused("beside -m srh, -d is the destination of the outer header, which is this firewall's SID:"
                    + " leave it out, or ask for --inner-dst");
        }
        if (plainSource) {
            draft.warnings.add("beside -m srh, -s is the source of the outer header: it is taken for \"outerSource\"");
        }
    }

    private void option(String option, boolean not, Words words) throws Refused {
        switch (option) {
            case "-s", "--source", "--src" -> {
                plainSource = true;
                source(words.next(), not, words);
            }
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
            case "--icmp-type", "--icmpv6-type" -> icmp(words.next(), not);
            case "--comment" -> name = Names.of(words.next());
            case "--ctstate", "--state" -> state(words.next(), not);
            case "-j", "--jump" -> target(words.next(), words);
            case "-g", "--goto" -> target = new Target.Jump(words.next(), false);
            default -> srh(option, not, words);
        }
    }

    /** Whether -m srh follows is not known yet, so that a line is looked through for it. */
    private void source(String text, boolean not, Words words) throws Refused {
        peers(draft.asksForHeader || words.has("srh") ? draft.outerSource : draft.source, text, not);
    }

    private static void peers(List<Peer> to, String text, boolean not) throws Refused {
        for (String one : text.split(",", -1)) {
            to.add(Draft.peer(one, not));
        }
    }

    private void protocol(String text, boolean not) throws Refused {
        if (text.equals("all") || text.equals("0")) {
            return;
        }
        Numbers numbers = Draft.read(() -> Numbers.parse(8, text.toLowerCase(Locale.ROOT), Protocols::named));
        draft.protocol(not ? numbers.not() : numbers);
    }

    private void match(String match) throws Refused {
        if (!MATCHES.contains(match)) {
            throw new Refused("-m " + match + ": " + SPEC);
        }
        if (match.equals("srh") || match.equals("SRH")) {
            inHeader = true;
            draft.asksForHeader = true;
            draft.srh();
        }
    }

    private void ports(boolean ofSource, String text, boolean not) throws Refused {
        StringBuilder ranges = new StringBuilder();
        for (String part : text.split(",", -1)) {
            String[] ends = part.split(":", -1);
            String range = ends.length == 1
                    ? part
                    : (ends[0].isEmpty() ? "0" : ends[0]) + "-" + (ends[1].isEmpty() ? "65535" : ends[1]);
            ranges.append(ranges.length() > 0 ? "," : "").append(range);
        }
        Numbers numbers = Draft.numbers(16, ranges.toString());
        draft.ports(ofSource, not ? numbers.not() : numbers);
    }

    private void flags(String mask, String set, boolean not) throws Refused {
        draft.flags(Draft.read(() -> new TcpFlags(not, TcpFlags.bits(mask), TcpFlags.bits(set))));
    }

    private void icmp(String text, boolean not) throws Refused {
        if (text.equals("any") || text.equals("255")) {
            return;
        }
        IcmpType type = Draft.read(() -> IcmpType.parse(text, family == Family.IPV6));
        draft.icmp(not ? type.not() : type);
    }

    private void state(String text, boolean not) throws Refused {
        Set<String> states = Set.of(text.split(","));
        if (!Set.of("NEW", "ESTABLISHED", "RELATED").containsAll(states) || not) {
            throw new Refused("flows are known here or not; there is no state " + (not ? "! " : "") + text);
        }
        boolean established = states.contains("ESTABLISHED");
        boolean fresh = states.contains("NEW");
        if (!established && !fresh) {
            throw new Refused("what is related to a flow is not known here");
        }
        if (states.contains("RELATED")) {
            draft.warnings.add("packets that are RELATED to a flow, such as ICMP errors, are not taken for it");
        }
        if (!(established && fresh)) {
            draft.established(established);
        }
    }

    private void target(String name, Words words) throws Refused {
        switch (name) {
            case "ACCEPT" -> target = new Target.Decide(Verb.ACCEPT);
            case "DROP" -> target = new Target.Decide(Verb.DROP);
            case "REJECT" -> {
                target = new Target.Decide(Verb.DROP);
                draft.warnings.add("the sender is not told: REJECT becomes drop");
                words.rest();
            }
            case "RETURN" -> target = new Target.Return();
            case "LOG", "NFLOG" -> {
                target = new Target.Log();
                words.rest();
            }
            case "SEG6" -> target = new Target.Decide(seg6(words));
            default -> jump(name, words);
        }
    }

    private void jump(String name, Words words) throws Refused {
        if (name.matches("[A-Z][A-Z0-9]+") && words.more()) {
            throw new Refused("target " + name + ": " + SPEC);
        }
        target = new Target.Jump(name, true);
    }

    /** As the paper's Listing 3 calls the actions, or as its code does. */
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
