// SPDX-License-Identifier: Apache-2.0
package org.sextant.sera.imports;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.sextant.core.Problem;
import org.sextant.core.ProblemException;
import org.sextant.core.json.Fields;
import org.sextant.kit.Family;
import org.sextant.kit.Metadata;
import org.sextant.sera.Firewall;
import org.sextant.sera.Rule;
import org.sextant.sera.Verb;
import org.sextant.sera.imports.ImportResult.Remark;

/** Reads the output of firewall programs, and converts a base chain and the chains it jumps to. */
public final class Importer {
    /** The maximum size of a text in bytes. */
    public static final int MOST_BYTES = 1 << 20;

    private Importer() {}

    /** The formats of a text. */
    public enum Format {
        IP6TABLES("ip6tables-save"),
        IPTABLES("iptables-save"),
        NFT("nft");

        private final String spelling;

        Format(String spelling) {
            this.spelling = spelling;
        }

        /** @throws ProblemException if no format has that name */
        public static Format of(@org.jspecify.annotations.Nullable String text) {
            for (Format format : values()) {
                if (format.spelling.equals(text)) {
                    return format;
                }
            }
            throw invalid(
                    "/format",
                    text == null ? "which format is it?" : "\"" + Fields.shorten(text) + "\" is no format",
                    "give format=ip6tables-save, iptables-save or nft");
        }
    }

    /**
     * Reads a text.
     *
     * @param chain a base chain: {@code FORWARD}; of nft, perhaps with its table: {@code inet/filter/forward}
     * @throws ProblemException if it is too long, or has no such chain
     */
    public static ImportResult read(Format format, String text, String chain, String name, String node) {
        return read(format, text, chain, name, node, Interfaces.NONE);
    }

    /**
     * Reads a text of a machine with interfaces.
     *
     * @param chain a base chain: {@code FORWARD}; of nft, perhaps with its table: {@code inet/filter/forward}
     * @throws ProblemException if it is too long, or has no such chain
     */
    public static ImportResult read(
            Format format, String text, String chain, String name, String node, Interfaces interfaces) {
        if (text.length() > MOST_BYTES) {
            throw invalid("", "the text has more than " + MOST_BYTES + " bytes", "import one table, or fewer rules");
        }
        List<String> lines = text.lines().toList();
        String plain = String.join("\n", lines);
        Ruleset ruleset = switch (format) {
            case IP6TABLES -> IptablesText.read(lines, Family.IPV6, interfaces);
            case IPTABLES -> IptablesText.read(lines, Family.IPV4, interfaces);
            case NFT -> NftText.read(plain, lines, interfaces);
        };
        SortedMap<String, Chain> chains = ruleset.chains();
        String base = base(chains, chain);
        Chain first = chains.getOrDefault(base, new Chain());
        Verb policy = first.policy()
                .orElseThrow(() -> invalid(
                        "/chain",
                        "chain " + base + " is no base chain: packets come to it from others only",
                        "name one of " + bases(chains)));
        if (!List.of("", "ip", "ip6", "inet")
                .contains(first.hook().map(Hook::family).orElse(""))) {
            throw invalid(
                    "/chain",
                    "chain " + base + " is of a table that has no packets of a firewall here",
                    "name a chain of a table ip, ip6 or inet");
        }
        ChainInliner.ChainRules inlined = ChainInliner.run(chains, base, policy, family(format, base));
        List<Remark> refused = new ArrayList<>(ruleset.besides(base));
        refused.addAll(inlined.refused());
        refused.sort(Comparator.comparingInt(Remark::line));
        return imported(name, node, policy, inlined, refused);
    }

    private static Optional<Family> family(Format format, String base) {
        if (format == Format.NFT) {
            return base.startsWith("ip6/")
                    ? Optional.of(Family.IPV6)
                    : base.startsWith("ip/") ? Optional.of(Family.IPV4) : Optional.empty();
        }
        return Optional.of(format == Format.IP6TABLES ? Family.IPV6 : Family.IPV4);
    }

    private static ImportResult imported(
            String name, String node, Verb policy, ChainInliner.ChainRules inlined, List<Remark> refused) {
        List<Rule> rules = inlined.rules();
        boolean advanced = rules.stream()
                .anyMatch(rule -> rule.srh().isPresent()
                        || !rule.outerSource().isEmpty()
                        || !rule.verb().basic());
        Firewall firewall = new Firewall(
                name, node, advanced, policy, false, Firewall.DEFAULT_FLOWS, new TreeMap<>(), rules, Metadata.NONE);
        return new ImportResult(
                firewall,
                refused,
                inlined.warnings().stream()
                        .sorted(Comparator.comparingInt(Remark::line))
                        .toList());
    }

    private static String base(SortedMap<String, Chain> chains, String wanted) {
        List<String> names = chains.entrySet().stream()
                .filter(chain -> mayBecomeOne(chain.getValue()))
                .map(Map.Entry::getKey)
                .toList();
        if (names.contains(wanted)) {
            return wanted;
        }
        List<String> found =
                names.stream().filter(chain -> chain.endsWith("/" + wanted)).toList();
        List<String> alike = found.isEmpty()
                ? names.stream()
                        .filter(chain -> chain.substring(chain.lastIndexOf('/') + 1)
                                .toLowerCase(Locale.ROOT)
                                .equals(wanted.toLowerCase(Locale.ROOT)))
                        .toList()
                : found;
        if (alike.size() != 1 || wanted.isBlank()) {
            throw invalid(
                    "/chain",
                    alike.isEmpty() || wanted.isBlank()
                            ? "the text has no chain \"" + Fields.shorten(wanted) + "\""
                            : "several chains are called so: " + String.join(", ", alike),
                    "name one of " + bases(chains));
        }
        return alike.get(0);
    }

    /** Is true unless the chain is of an iptables table other than filter. */
    private static boolean mayBecomeOne(Chain chain) {
        return chain.hook().map(Hook::becomesFirewall).orElse(true);
    }

    private static String bases(SortedMap<String, Chain> chains) {
        List<String> bases = chains.entrySet().stream()
                .filter(chain -> chain.getValue().policy().isPresent() && mayBecomeOne(chain.getValue()))
                .map(Map.Entry::getKey)
                .limit(20)
                .toList();
        return bases.isEmpty() ? "those that the text should have: this has no base chain" : String.join(", ", bases);
    }

    private static ProblemException invalid(String field, String message, String remedy) {
        return new ProblemException(new Problem(Problem.Code.INVALID, field, message, remedy));
    }
}
