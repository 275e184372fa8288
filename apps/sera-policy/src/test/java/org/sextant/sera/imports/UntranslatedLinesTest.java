// SPDX-License-Identifier: Apache-2.0
package org.sextant.sera.imports;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.sextant.core.ProblemException;
import org.sextant.sera.FirewallShape;
import org.sextant.sera.imports.Importer.Format;

/** Each line is imported, or refused with a remark; none changes its meaning, and none affects others. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class UntranslatedLinesTest {
    private static final String START = "*filter\n:FORWARD DROP [0:0]\n:srh - [0:0]\n:web - [0:0]\n";

    private static ImportResult six(String text) {
        return Importer.read(Format.IP6TABLES, text, "FORWARD", "fw", "l2");
    }

    /** Imports lines of the chain FORWARD of ip6tables-save; the first is line 5. */
    private static ImportResult lines(String... lines) {
        return six(START + String.join("\n", lines) + "\nCOMMIT\n");
    }

    private static ImportResult nft(String text) {
        return Importer.read(Format.NFT, text, "forward", "fw", "l2");
    }

    /** Imports rules of a chain in an nft table inet; the first is line 4. */
    private static ImportResult inet(String... rules) {
        return nft("table inet x {\nchain forward {\ntype filter hook forward priority 0; policy drop;\n"
                + String.join("\n", rules) + "\n}\n}\n");
    }

    private static List<String> rules(ImportResult imported) {
        JsonNode json = FirewallShape.FIREWALL.write(
                FirewallShape.FIREWALL.decode(FirewallShape.FIREWALL.write(imported.firewall())));
        List<String> rules = new ArrayList<>();
        json.get("rules").forEach(rule -> {
            List<String> words = new ArrayList<>();
            rule.fields().forEachRemaining(field -> {
                if (!List.of("name", "family").contains(field.getKey())) {
                    words.add(field.getKey() + " "
                            + (field.getValue().isTextual()
                                    ? field.getValue().textValue()
                                    : field.getValue().toString().replace("\"", "")));
                }
            });
            rules.add(String.join(" ", words));
        });
        return rules;
    }

    private static List<Integer> refused(ImportResult imported) {
        return imported.refused().stream().map(ImportResult.Remark::line).toList();
    }

    @Test
    void tables_that_packets_come_to_before_are_refused_line_by_line() {
        ImportResult imported = six("""
                *raw
                :PREROUTING ACCEPT [0:0]
                :OUTPUT ACCEPT [0:0]
                -A PREROUTING -s 2001:db8:bad::/48 -j DROP
                -A OUTPUT -j DROP
                COMMIT
                *mangle
                :PREROUTING DROP [0:0]
                :quick - [0:0]
                -A PREROUTING -p tcp -j quick
                -A quick -p tcp --dport 23 -j DROP
                -A POSTROUTING -j HL --hl-set 64
                COMMIT
                *security
                :FORWARD ACCEPT [0:0]
                -A FORWARD -j LOG
                COMMIT
                *filter
                :FORWARD ACCEPT [0:0]
                :INPUT DROP [0:0]
                -A INPUT -j DROP
                -A FORWARD -p udp -j DROP
                COMMIT
                """);
        assertThat(refused(imported)).containsExactly(4, 8, 10, 11, 12, 16);
        assertThat(rules(imported)).containsExactly("protocol udp action drop");
        assertThat(imported.refused().get(0).text()).isEqualTo("-A PREROUTING -s 2001:db8:bad::/48 -j DROP");
        assertThat(imported.refused().get(0).why()).contains("table raw judges packets");
    }

    @Test
    void other_tables_through_which_packets_pass_as_they_are_cost_nothing() {
        assertThat(six("""
                *raw
                :PREROUTING ACCEPT [0:0]
                -A PREROUTING -s 2001:db8::/48
                -A PREROUTING -j ACCEPT
                COMMIT
                *nat
                :PREROUTING ACCEPT [0:0]
                :OUTPUT ACCEPT [0:0]
                -A OUTPUT -j REDIRECT
                COMMIT
                *filter
                :FORWARD DROP [0:0]
                COMMIT
                """).refused()).isEmpty();
    }

    @Test
    void lines_outside_of_tables_and_tables_that_come_twice_are_refused() {
        assertThat(refused(six(
                        "*filter\n:FORWARD DROP\nCOMMIT\n-A FORWARD -j ACCEPT\n*filter\n:FORWARD QUEUE\n:web DROP\n")))
                .containsExactly(4, 5, 6, 7);
        assertThat(refused(six("*filter\n:FORWARD DROP\n-P FORWARD ACCEPT\n-N web\n-I FORWARD -j ACCEPT\n")))
                .containsExactly(3, 4, 5);
    }

    @Test
    void base_chains_beside_the_first_are_refused_rule_by_rule() {
        ImportResult imported = nft("""
                table inet x {
                  chain forward {
                    type filter hook forward priority 0; policy accept;
                    udp dport 53 drop
                  }
                  chain more {
                    type filter hook forward priority 10; policy accept;
                    tcp dport 22 drop
                    accept
                  }
                  chain local {
                    type filter hook input priority 0; policy drop;
                    drop
                  }
                }
                table ip6 y {
                  chain early {
                    type filter hook prerouting priority raw;
                    policy drop;
                    jump deeper
                  }
                  chain deeper { ip6 saddr 2001:db8:bad::/48 drop
                  }
                }
                table arp z {
                  chain a { type filter hook input priority 0; policy drop; }
                }
                table bridge z {
                  chain b { type filter hook prerouting priority 0; ether type ip6 drop; }
                }
                table ip nat {
                  chain pre { type nat hook prerouting priority dstnat; tcp dport 80 dnat to 10.0.0.1; }
                }
                """);
        assertThat(refused(imported)).containsExactly(8, 9, 19, 20, 22, 29, 32, 32);
        assertThat(rules(imported)).containsExactly("protocol udp destinationPorts 53 action drop");
    }

    @Test
    void tables_of_the_other_family_and_chains_that_do_nothing_cost_nothing() {
        ImportResult imported = nft("""
                table ip6 x {
                  chain forward { type filter hook forward priority 0; policy drop; accept
                  }
                }
                table ip y {
                  chain early { type filter hook prerouting priority 0; policy drop; drop
                  }
                }
                table inet z {
                  chain early { type filter hook prerouting priority 0; counter packets 1 bytes 2 accept
                  }
                  counter hits { packets 0 bytes 0
                  }
                }
                """);
        assertThat(imported.refused()).isEmpty();
        assertThat(rules(imported)).containsExactly("action accept");
    }

    @Test
    void nft_lines_that_are_no_list_of_rules_are_refused() {
        assertThat(refused(nft("""
                flush ruleset
                table inet x {
                  flags dormant
                  rule of thumb
                  chain forward { policy drop; type filter hook forward priority 0
                    accept
                  }
                }
                add rule inet x forward drop
                """))).containsExactly(1, 3, 4, 9);
        ImportResult policyFirst =
                nft("table inet x { chain forward { policy drop; type filter hook forward priority 0; accept; } }");
        assertThat(policyFirst.firewall().otherwise().spelling()).isEqualTo("drop");
        assertThat(refused(nft("table inet x { chain forward { type filter hook forward priority 0; policy $p; } }")))
                .containsExactly(1);
    }

    /** nft(8): a comparison is with all flags; a flag alone, and a mask, are about the named ones. */
    @Test
    void flags_of_nft_mean_what_they_say() {
        ImportResult imported = inet(
                "tcp flags != syn drop",
                "tcp flags == syn drop",
                "tcp flags syn drop",
                "tcp flags & (syn | ack) != syn drop",
                "tcp flags & rst != 0 drop",
                "tcp flags != syn / syn,ack drop",
                "tcp flags { syn, ack } drop",
                "tcp flags { syn } drop",
                "tcp flags syn,ack drop",
                "tcp flags ! syn drop",
                "tcp flags syn | ack drop");
        assertThat(rules(imported))
                .containsExactly(
                        "protocol tcp tcpFlags !fin,syn,rst,psh,ack,urg,ece,cwr/syn action drop",
                        "protocol tcp tcpFlags fin,syn,rst,psh,ack,urg,ece,cwr/syn action drop",
                        "protocol tcp tcpFlags syn/syn action drop",
                        "protocol tcp tcpFlags !syn,ack/syn action drop",
                        "protocol tcp tcpFlags !rst/none action drop",
                        "protocol tcp tcpFlags !syn,ack/syn action drop");
        assertThat(refused(imported)).containsExactly(10, 11, 12, 13, 14);
    }

    @Test
    void names_are_no_keywords() {
        ImportResult imported = lines(
                "-A FORWARD -s 2001:db8:1::/64 -m comment --comment srh -j DROP",
                "-A FORWARD -s 2001:db8:2::/64 -j srh",
                "-A FORWARD -m srh -s fc00::/16 -j DROP",
                "-A FORWARD -m comment --comment \"! -d ::/0 -j ACCEPT\" -p tcp -j DROP",
                "-A srh -p udp -j DROP");
        assertThat(imported.refused()).isEmpty();
        assertThat(rules(imported))
                .containsExactly(
                        "source [2001:db8:1::/64] action drop",
                        "source [2001:db8:2::/64] protocol udp action drop",
                        "srh {present:true} outerSource [fc00::/16] action drop",
                        "protocol tcp action drop");
        assertThat(rules(inet("log prefix \"drop\" meta l4proto tcp accept comment \"reject with jump\"")))
                .containsExactly("protocol tcp action accept log true");
        assertThat(refused(inet("\"accept\"", "accept"))).containsExactly(4);
    }

    /** ip6tables' -m tcp, -m udp and -m icmp6 require the header, and match no later fragment; -p alone does. */
    @Test
    void a_match_of_a_protocol_asks_for_its_header() {
        ImportResult imported = lines(
                "-A FORWARD -p udp -m udp -j DROP",
                "-A FORWARD -p udp -j DROP",
                "-A FORWARD -p tcp -m tcp --tcp-flags SYN SYN -j DROP",
                "-A FORWARD -p ipv6-icmp -m icmp6 --icmpv6-type any -j DROP",
                "-A FORWARD -p ipv6-icmp -j DROP",
                "-A FORWARD -p tcp -m udp -j DROP",
                "-A FORWARD -p tcp -m multiport --dports 1,2 -j DROP");
        assertThat(rules(imported))
                .containsExactly(
                        "protocol udp destinationPorts >=0 action drop",
                        "protocol udp action drop",
                        "protocol tcp tcpFlags syn/syn action drop",
                        "protocol icmpv6 icmpType 0 action drop",
                        "protocol icmpv6 icmpType !0 action drop",
                        "protocol icmpv6 action drop",
                        "protocol tcp destinationPorts 1-2 action drop");
        assertThat(refused(imported)).containsExactly(10);
    }

    @Test
    void headers_of_nft_that_are_not_behind_extensions_are_refused() {
        ImportResult imported = inet(
                "ip6 nexthdr udp drop",
                "ip protocol udp drop",
                "meta l4proto { tcp, udp } tcp dport 80 drop",
                "meta nfproto != ipv4 drop",
                "meta nfproto 7 drop",
                "meta nfproto ipv6 drop",
                "icmp type echo-request drop",
                "ip6 saddr 2001:db8::/32 ip6 saddr 2001:db8:1::/48 drop",
                "srh flags != 0 drop",
                "srh flags 1-2 drop",
                "accept drop",
                "reject with icmpx type host-unreachable tcp dport 7");
        assertThat(refused(imported)).containsExactly(4, 7, 8, 11, 12, 13, 14);
        assertThat(rules(imported))
                .containsExactly(
                        "protocol udp action drop",
                        "protocol tcp destinationPorts 80 action drop",
                        "action drop",
                        "protocol icmp icmpType 8 action drop",
                        "protocol tcp destinationPorts 7 action drop");
        assertThat(imported.firewall().rules())
                .extracting(rule -> rule.family().map(Object::toString).orElse("both"))
                .containsExactly("IPV4", "both", "IPV6", "IPV4", "both");
    }

    @Test
    void sets_that_packets_or_time_change_are_refused() {
        assertThat(refused(nft("""
                table inet x {
                  set seen { type ipv6_addr; size 10; flags dynamic; elements = { 2001:db8::1 }
                  }
                  set soon { type ipv6_addr; timeout 1h; elements = { 2001:db8::1 }
                  }
                  set fixed { type ipv6_addr; elements = { 2001:db8::1 }
                  }
                  chain forward {
                    type filter hook forward priority 0;
                    ip6 saddr @seen drop
                    ip6 saddr @soon drop
                    ip6 saddr @fixed drop
                  }
                }
                """))).containsExactly(10, 11);
    }

    @Test
    void one_line_does_not_take_the_others_with_it() {
        ImportResult imported = lines(
                "-A FORWARD -p tcp -m tcp ! --dport 0:65535 -j DROP",
                "-A FORWARD -s 2001:db8:1::1 -j web",
                "-A web ! -s 2001:db8::/32 -j DROP",
                "-A web -p tcp -j DROP",
                "-A FORWARD -m multiport --dports 80 -j DROP",
                "-A FORWARD -p tcp ! -s 2001:db8::1 ! -d 2001:db8::2 -m multiport ! --dports 1,3,5 -j DROP",
                "-A FORWARD -p tcp --dport 1:2:3 -j DROP",
                "-A FORWARD -p tcp --dport 010 -j DROP",
                "-A FORWARD -j ACCEPT");
        assertThat(refused(imported)).containsExactly(5, 9, 11, 12);
        assertThat(imported.warnings()).extracting(ImportResult.Remark::line).containsExactly(7);
        assertThat(rules(imported))
                .as("where an address is excepted, the rule behind the line follows")
                .containsExactly(
                        "source [2001:db8:1::1/128] protocol tcp action drop",
                        "source [2001:db8::1/128] protocol tcp destinationPorts !1,3,5 action accept",
                        "destination [2001:db8::2/128] protocol tcp destinationPorts !1,3,5 action accept",
                        "protocol tcp destinationPorts !1,3,5 action drop",
                        "action accept");
        ImportResult th =
                inet("th dport 80 drop", "meta l4proto tcp jump web", "accept", "}", "chain web {", "th dport 81 drop");
        assertThat(refused(th)).containsExactly(4);
        assertThat(rules(th)).containsExactly("protocol tcp destinationPorts 81 action drop", "action accept");
    }

    @Test
    void words_that_are_passed_over_would_change_the_line() {
        ImportResult imported = lines(
                "-A FORWARD -j REJECT --reject-with icmp6-port-unreachable -p tcp --dport 80",
                "-A FORWARD -j LOG --log-prefix \"-j DROP\" -p udp",
                "-A FORWARD -p udp -j DROP",
                "-A FORWARD ! -j DROP",
                "-A FORWARD -j DROP -j ACCEPT",
                "-A FORWARD -s 2001:db8::1 -s 2001:db8::2 -j DROP",
                "-A FORWARD ! -s 2001:db8::1,2001:db8::2 -j DROP",
                "-A FORWARD ! -p all -j DROP",
                "-A FORWARD -p icmp -m icmp --icmp-type 8 -j DROP",
                "-A \"FORWARD\" -p sctp -j DROP");
        assertThat(refused(imported)).containsExactly(8, 9, 10, 11, 12, 13);
        assertThat(rules(imported))
                .containsExactly(
                        "protocol tcp destinationPorts 80 action drop",
                        "protocol udp action drop log true",
                        "protocol sctp action drop");
    }

    /** Any text is imported or fails with problems; no other exception is thrown. */
    @Test
    void texts_cut_and_mixed_at_random_are_read_or_refused() {
        long seed = Long.getLong("import.seed", System.nanoTime());
        Random random = new Random(seed);
        String tables = START + """
                -A FORWARD -p tcp -m tcp ! --dport 0:65535 -s 2001:db8::/32 -j web
                -A web ! -s 2001:db8::1 -m srh --srh-segs-gt 1 --srh-tag 3 -j SEG6 --seg6-action go-last
                -A web -p ipv6-icmp -m icmp6 ! --icmpv6-type 128/0 -m comment --comment "a \\" b" -g srh
                -A srh -m multiport --dports 1,2:3 -m state --state NEW -j LOG --log-prefix x
                -A srh -p tcp --tcp-flags SYN,ACK SYN -j RETURN
                COMMIT
                """;
        String sets = """
                table inet x { set s { type ipv6_addr; elements = { 2001:db8::1, 2001:db8::2 } }
                chain forward { type filter hook forward priority 0; policy drop; ct state new,established accept
                ip6 saddr @s tcp dport { 1, 3-4 } tcp flags & (syn | ack) != syn log prefix "x" jump c
                icmpv6 type { echo-request, 3 } reject with icmpx type no-route } chain c { meta l4proto { tcp, udp } th dport != 7 return
                srh tag 3 rt seg-left > 1 srh sid[1] != fc00::1 goto d } }
                """;
        for (int i = 0; i < 1500; i++) {
            boolean nft = i % 2 == 0;
            List<String> words = new ArrayList<>(List.of((nft ? sets : tables).split("(?<=[ \n])")));
            for (int changes = 1 + random.nextInt(6); changes > 0; changes--) {
                int at = random.nextInt(words.size());
                switch (random.nextInt(3)) {
                    case 0 -> words.remove(at);
                    case 1 -> words.add(at, words.get(random.nextInt(words.size())));
                    default ->
                        words.set(
                                at,
                                List.of("! ", "0 ", "\" ", "} ", "{ ", "-1 ", "65536 ", "\n", "!= ")
                                        .get(random.nextInt(9)));
                }
                if (words.isEmpty()) {
                    break;
                }
            }
            String text = String.join("", words);
            assertThatCode(() -> {
                        try {
                            ImportResult read = nft ? nft(text) : six(text);
                            FirewallShape.FIREWALL.decode(FirewallShape.FIREWALL.write(read.firewall()));
                        } catch (ProblemException problem) {
                            assertThat(problem.problems())
                                    .extracting(one -> one.field())
                                    .containsOnly("/chain");
                        }
                    })
                    .as("seed %d, text %d:%n%s", seed, i, text)
                    .doesNotThrowAnyException();
        }
    }
}
