// SPDX-License-Identifier: Apache-2.0
package org.sextant.sera.imports;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.sextant.core.ProblemException;
import org.sextant.sera.imports.Importer.Format;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ImporterTest {

    private static ImportResult six(String... lines) {
        return Importer.read(
                Format.IP6TABLES,
                "*filter\n:FORWARD DROP [0:0]\n:web - [0:0]\n:log - [0:0]\n" + String.join("\n", lines) + "\nCOMMIT\n",
                "FORWARD",
                "fw",
                "l2");
    }

    private static ImportResult nft(String text) {
        return Importer.read(Format.NFT, text, "forward", "fw", "l2");
    }

    private static List<String> refused(ImportResult imported) {
        return imported.refused().stream()
                .map(remark -> remark.line() + ": " + remark.why())
                .toList();
    }

    @Test
    void lines_become_rules_and_the_policy_the_default() {
        ImportResult imported = six(
                "-A FORWARD -s 2001:db8:1::/64 -d 2001:db8:2::5/64 -p tcp -m tcp --sport 1024:65535 --dport 80 -m comment"
                        + " --comment \"web, of all\" -j ACCEPT",
                "[12:3456] -A FORWARD ! -s 2001:db8::1 -p udp -m multiport ! --dports 53,5353:5360 -j DROP",
                "-A FORWARD -p ipv6-icmp -m icmp6 --icmpv6-type 128 -j ACCEPT",
                "-A FORWARD -p tcp -m tcp ! --tcp-flags FIN,SYN,RST,ACK SYN -m state --state NEW -j DROP",
                "-A FORWARD -m conntrack --ctstate RELATED,ESTABLISHED -j ACCEPT");
        assertThat(RuleTexts.of(imported))
                .containsExactly(
                        "source [2001:db8:1::/64] destination [2001:db8:2::/64] protocol tcp sourcePorts >=1024"
                                + " destinationPorts 80 action accept",
                        "source [!2001:db8::1/128] protocol udp destinationPorts !53,5353-5360 action drop",
                        "protocol icmpv6 icmpType 128 action accept",
                        "protocol tcp tcpFlags !fin,syn,rst,ack/syn state [new] action drop",
                        "state [established] action accept");
        assertThat(imported.refused()).isEmpty();
        assertThat(imported.warnings()).isEmpty();
        assertThat(imported.firewall().rules().get(0).name()).contains("web-of-all");
        assertThat(imported.firewall().rules().get(1).name()).contains("line-6");
        assertThat(imported.firewall().otherwise().spelling()).isEqualTo("drop");
        assertThat(imported.firewall().advanced()).isFalse();
    }

    /** A node matches ESTABLISHED and RELATED by one bit. */
    @Test
    void established_without_related_is_both_with_a_warning() {
        ImportResult imported = six("-A FORWARD -m conntrack --ctstate ESTABLISHED -j ACCEPT");
        assertThat(RuleTexts.of(imported)).containsExactly("state [established] action accept");
        assertThat(imported.warnings())
                .extracting(ImportResult.Remark::why)
                .containsExactly("packets that are RELATED to a flow, such as ICMP errors, are ESTABLISHED here");
    }

    /** SERA paper, Listings 2 and 3: every option of the match, every action of the target. */
    @Test
    void the_papers_options_and_actions_are_known() {
        ImportResult imported = six(
                "-A FORWARD -m srh --inner-src 2001:db8:1::/64 ! --inner-dst 2001:db8:2::/64 -j SEG6 --seg6-action"
                        + " seg6-go-next",
                "-A FORWARD -m srh --srh-next-hdr 41 --srh-len-eq 4 --srh-segs-gt 1 --srh-last-lt 3 -j SEG6 --seg6-action"
                        + " seg6-skip-next",
                "-A FORWARD -m srh ! --srh-len-gt 6 ! --srh-segs-eq 0 ! --srh-last-eq 1 -j SEG6 --seg6-action seg6-go-last",
                "-A FORWARD -m srh ! --srh-tag 3 --srh-psid fc00:1::/64 ! --srh-nsid fc00:3::d6 -j SEG6 --seg6-action"
                        + " seg6-eval-args",
                "-A FORWARD -m srh --srh-len-lt 9 --srh-segs-lt 2 --srh-last-gt 0 -j DROP");
        assertThat(imported.refused()).isEmpty();
        assertThat(RuleTexts.of(imported))
                .containsExactly(
                        "source [2001:db8:1::/64] destination [!2001:db8:2::/64] srh {present:true} action accept",
                        "srh {present:true,nextHeader:41,headerLength:4,segmentsLeft:>=2,lastEntry:<=2} action skipNext",
                        "srh {present:true,headerLength:!>=7,segmentsLeft:!0,lastEntry:!1} action goLast",
                        "srh {present:true,tag:!3,previousSid:fc00:1::/64,nextSid:!fc00:3::d6/128} action evalArgs",
                        "srh {present:true,headerLength:<=8,segmentsLeft:<=1,lastEntry:>=1} action drop");
        assertThat(imported.firewall().advanced()).isTrue();
        assertThat(imported.warnings()).singleElement().satisfies(warning -> {
            assertThat(warning.line()).isEqualTo(8);
            assertThat(warning.why()).contains("the kernel's own match swaps its bytes");
        });
    }

    @Test
    void what_iptables_has_got_of_the_paper_is_known_too() {
        ImportResult imported = six(
                "-A FORWARD -m srh --srh-hdr-len-eq 4 --srh-segs-left-gt 0 --srh-last-entry-eq 1 --srh-lsid fc00::1 -j SEG6"
                        + " --seg6-action go-last",
                "-A FORWARD -s fc00:1::/32 -m srh -j DROP");
        assertThat(RuleTexts.of(imported))
                .containsExactly(
                        "srh {present:true,headerLength:4,segmentsLeft:>=1,lastEntry:1,lastSid:fc00::1/128} action goLast",
                        "srh {present:true} outerSource [fc00:1::/32] action drop");
        assertThat(refused(six(
                        "-A FORWARD -m srh -d fc00::1 -j DROP",
                        "-A FORWARD -j SEG6 --seg6-action bind-sid --bsid fc00::9 --bsid-tbl 7",
                        "-A FORWARD -j SEG6 --seg6-action fly")))
                .hasSize(3)
                .anySatisfy(text -> assertThat(text).startsWith("5: beside -m srh, -d is the destination"))
                .anySatisfy(text -> assertThat(text).startsWith("6: bind-sid sends packets into another policy"))
                .anySatisfy(text -> assertThat(text).startsWith("7: action fly"));
    }

    @Test
    void lines_without_a_counterpart_are_refused_with_number_text_and_why() {
        ImportResult imported = six(
                "-A FORWARD -i eth0 -j ACCEPT",
                "-A FORWARD -m limit --limit 5/min -j ACCEPT",
                "-A FORWARD -m mark --mark 1 -j ACCEPT",
                "-A FORWARD -j DNAT --to-destination 2001:db8::1",
                "-A FORWARD -p tcp --dport 99999 -j ACCEPT",
                "-A FORWARD -m conntrack --ctstate INVALID -j DROP",
                "-A FORWARD -s 2001:db8::/ffff:0:ffff:: -j DROP",
                "-A FORWARD -m comment --comment \"open -j DROP",
                "-A FORWARD -j nowhere",
                "nonsense",
                "-A FORWARD -p tcp --dport 80 -j ACCEPT");
        assertThat(refused(imported))
                .containsExactlyInAnyOrder(
                        "5: a firewall here has no interface eth0: say which addresses are behind it, as in"
                                + " interfaces=eth0=2001:db8:1::/64,10.0.1.0/24",
                        "6: -m limit: a firewall here has no counterpart of it",
                        "7: -m mark: a firewall here has no counterpart of it",
                        "8: target DNAT: a firewall here has no counterpart of it",
                        "9: 99999 is more than 65535",
                        "10: flows are known here or not; there is no state INVALID",
                        "11: the mask of 2001:db8::/ffff:0:ffff:: has zeros between ones",
                        "12: a quotation mark is not closed",
                        "13: there is no chain nowhere",
                        "14: it is no line of iptables-save: those begin with -A");
        assertThat(imported.refused())
                .anySatisfy(remark -> assertThat(remark.text()).isEqualTo("-A FORWARD -i eth0 -j ACCEPT"));
        assertThat(RuleTexts.of(imported)).containsExactly("protocol tcp destinationPorts 80 action accept");
    }

    @Test
    void chains_are_inlined_with_what_led_to_them() {
        ImportResult imported = six(
                "-A FORWARD -p tcp -j web",
                "-A FORWARD -j ACCEPT",
                "-A web -s 2001:db8:1::/64 -j RETURN",
                "-A web -d 2001:db8:2::/64 -p tcp --dport 80 -j log",
                "-A web -p udp -j ACCEPT",
                "-A web -j DROP",
                "-A log -j LOG --log-prefix \"web \"",
                "-A log -j DROP");
        assertThat(imported.refused()).isEmpty();
        assertThat(RuleTexts.of(imported))
                .containsExactly(
                        "source [2001:db8:1::/64] protocol tcp action accept",
                        "destination [2001:db8:2::/64] protocol tcp destinationPorts 80 action drop log true",
                        "protocol tcp action drop",
                        "action accept");
        assertThat(imported.warnings())
                .singleElement()
                .satisfies(warning -> assertThat(warning.why()).contains("no packet comes to this line"));
    }

    @Test
    void what_returns_to_the_end_gets_the_policy_and_goto_does_not_come_back() {
        assertThat(RuleTexts.of(
                        six("-A FORWARD -p tcp -g web", "-A FORWARD -j ACCEPT", "-A web -s 2001:db8::1 -j ACCEPT")))
                .containsExactly(
                        "source [2001:db8::1/128] protocol tcp action accept",
                        "protocol tcp action drop",
                        "action accept");
        assertThat(RuleTexts.of(six("-A FORWARD -s 2001:db8::1 -j RETURN", "-A FORWARD -j ACCEPT")))
                .containsExactly("source [2001:db8::1/128] action drop", "action accept");
        assertThat(RuleTexts.of(
                        six("-A FORWARD -j web", "-A web -p tcp -j DROP", "-A web -j RETURN", "-A FORWARD -j ACCEPT")))
                .as("a chain that ends with RETURN repeats nothing")
                .containsExactly("protocol tcp action drop", "action accept");
    }

    @Test
    void a_line_that_is_refused_in_part_leaves_no_rule_behind() {
        List<String> lines = List.of(
                "-A FORWARD -p tcp -m tcp ! --sport 53 -j web",
                "-A web -p sctp -m multiport --dports 443,22,65535 -j RETURN",
                "-A FORWARD -d 2001:db8::3/127 -p tcp -m multiport --dports 1,80,65535 -j RETURN",
                "-A web -s 2001:db8:1::3/48 -p udp -m udp -j RETURN",
                "-A FORWARD ! -s 2001:db8::2/48 ! -p udp -g srh",
                "-A web ! -d 2001:db8:1::2/127 -p tcp -m multiport --dports 0,22,1 -j RETURN",
                "-A web -s 2001:db8::3/48 -d 2001:db8:1::3/128 ! -p udp -j RETURN",
                "-A FORWARD -p udp -m udp -j srh",
                "-A FORWARD ! -p udp -j DROP",
                "-A web -p tcp -m tcp --dport 0 -j DROP",
                "-A FORWARD -p ipv6-icmp -m icmp6 ! --icmpv6-type 3 -j web",
                "-A web -s 2001:db8::3/127 -d 2001:db8::1/127 -p ipv6-icmp -m icmp6 ! --icmpv6-type 128 -j RETURN",
                "-A srh -p tcp -m tcp ! --dport 443:65535 -j RETURN",
                "-A web -s 2001:db8::1/127 -d 2001:db8::2/48 -p tcp -m tcp --tcp-flags ACK,FIN NONE -j DROP");
        ImportResult imported = six(lines.toArray(String[]::new));
        Set<String> refused =
                imported.refused().stream().map(ImportResult.Remark::text).collect(Collectors.toSet());
        assertThat(refused).isNotEmpty().hasSizeLessThan(4);
        ImportResult without = six(
                lines.stream().map(line -> refused.contains(line) ? "" : line).toArray(String[]::new));
        assertThat(without.refused()).isEmpty();
        assertThat(imported.firewall().rules()).isEqualTo(without.firewall().rules());
    }

    @Test
    void chains_in_circles_and_returns_without_end_are_refused() {
        assertThat(refused(six("-A FORWARD -j web", "-A web -j log", "-A log -j web")))
                .containsExactly(
                        "6: chain log leads back to this line, and no packet would come to an end",
                        "7: chain web leads back to this line, and no packet would come to an end");
        String[] many = IntStream.range(0, 40)
                .mapToObj(
                        i -> i % 2 == 0 ? "-A FORWARD -p tcp -j web" : "-A web ! -s 2001:db8:" + i + "::/64 -j RETURN")
                .toArray(String[]::new);
        assertThat(refused(six(many)))
                .anySatisfy(text -> assertThat(text).contains("more than 4096 rows"))
                .allSatisfy(text -> assertThat(text).doesNotStartWith("0:"));
    }

    @Test
    void what_follows_a_log_is_repeated_for_its_packets_and_reject_becomes_drop() {
        ImportResult imported = six(
                "-A FORWARD -p udp -j LOG",
                "-A FORWARD -p tcp -j DROP",
                "-A FORWARD -p tcp -j LOG --log-prefix x",
                "-A FORWARD -p tcp -j REJECT --reject-with icmp6-port-unreachable");
        assertThat(imported.refused()).isEmpty();
        assertThat(RuleTexts.of(imported))
                .containsExactly(
                        "protocol udp action drop log true",
                        "protocol tcp action drop",
                        "protocol tcp action drop log true");
        assertThat(imported.warnings()).extracting(ImportResult.Remark::line).containsExactly(8);
    }

    @Test
    void other_tables_are_refused_where_the_chain_goes_through_them() {
        ImportResult imported = Importer.read(
                Format.IPTABLES,
                "*nat\n:PREROUTING ACCEPT [0:0]\n-A PREROUTING -p tcp -j REDIRECT\nCOMMIT\n*mangle\n:FORWARD ACCEPT [0:0]\n"
                        + "-A FORWARD -j TTL --ttl-inc 1\nCOMMIT\n*filter\n:FORWARD ACCEPT [0:0]\n"
                        + "-A FORWARD -s 10.0.0.0/255.0.0.0 -p icmp -m icmp --icmp-type 8/0 -j DROP\nCOMMIT\n",
                "FORWARD",
                "fw",
                "l2");
        assertThat(refused(imported))
                .containsExactly(
                        "3: table nat changes packets or marks them, which a firewall here does not",
                        "7: table mangle changes packets or marks them, which a firewall here does not");
        assertThat(RuleTexts.of(imported))
                .containsExactly("source [10.0.0.0/8] protocol icmp icmpType 8/0 action drop");
    }

    @Test
    void nft_rulesets_are_read_with_sets_and_chains() {
        ImportResult imported = nft("""
                table inet filter {
                	set web {
                		type ipv6_addr
                		flags interval
                		elements = { 2001:db8:2::/64,
                			     2001:db8:3::1 }
                	}
                	chain forward {
                		type filter hook forward priority filter; policy drop;
                		ct state established,related accept
                		ip6 daddr @web tcp dport { 80, 443, 8000-8080 } counter packets 5 bytes 300 accept comment "the web"
                		ip saddr != 10.0.0.0/8 udp sport != 53 log prefix "x " drop
                		meta l4proto { tcp, udp } th dport 7 reject with icmpx type port-unreachable
                		icmpv6 type { echo-request, nd-neighbor-solicit } accept
                		tcp flags & (fin | syn | rst | ack) == syn jump new
                		exthdr rt exists rt seg-left > 0 srh sid[1] fc00::1 drop
                	}
                	chain new {
                		ip6 saddr 2001:db8:9::/64 return
                		drop
                	}
                }
                """);
        assertThat(imported.refused()).isEmpty();
        assertThat(RuleTexts.of(imported))
                .containsExactly(
                        "state [established] action accept",
                        "destination [2001:db8:2::/64,2001:db8:3::1/128] protocol tcp destinationPorts 80,443,8000-8080"
                                + " action accept",
                        "source [!10.0.0.0/8] protocol udp sourcePorts !53 action drop log true",
                        "protocol tcp,udp destinationPorts 7 action drop",
                        "protocol icmpv6 icmpType 128 action accept",
                        "protocol icmpv6 icmpType 135 action accept",
                        "source [2001:db8:9::/64] protocol tcp tcpFlags fin,syn,rst,ack/syn srh"
                                + " {present:true,segmentsLeft:>=1,lastSid:fc00::1/128} action drop",
                        "source [2001:db8:9::/64] protocol tcp tcpFlags fin,syn,rst,ack/syn action drop",
                        "protocol tcp tcpFlags fin,syn,rst,ack/syn action drop",
                        "srh {present:true,segmentsLeft:>=1,lastSid:fc00::1/128} action drop");
        assertThat(imported.firewall().rules().get(1).name()).contains("the-web");
    }

    @Test
    void nft_statements_without_a_counterpart_are_refused() {
        ImportResult imported = nft("""
                table ip6 filter {
                  chain forward {
                    type filter hook forward priority 0; policy accept;
                    iifname "eth0" accept
                    tcp dport vmap { 80 : accept, 81 : drop }
                    limit rate 5/second accept
                    ip6 saddr 2001:db8::1-2001:db8::9 drop
                    ip6 saddr @nobody drop
                    meta mark 1 drop
                    oif lo accept
                    accept
                  }
                }
                """);
        assertThat(refused(imported))
                .extracting(text -> text.substring(0, text.indexOf(':')))
                .containsExactly("4", "6", "8", "9");
        assertThat(RuleTexts.of(imported))
                .containsExactly(
                        "protocol tcp destinationPorts 80 action accept",
                        "protocol tcp destinationPorts 81 action drop",
                        "source [2001:db8::1/128,2001:db8::2/127,2001:db8::4/126,2001:db8::8/127] action drop",
                        "action accept");
        assertThat(imported.warnings()).extracting(ImportResult.Remark::line).containsExactly(10);
        assertThat(imported.firewall().rules().get(0).family()).isPresent();
    }

    @Test
    void texts_of_another_kind_say_what_is_missing() {
        assertThatThrownBy(() -> Importer.read(Format.IP6TABLES, "", "FORWARD", "fw", "l2"))
                .isInstanceOf(ProblemException.class)
                .hasMessageContaining("the text has no chain \"FORWARD\"");
        assertThatThrownBy(() -> Importer.read(Format.IP6TABLES, "*filter\n:web - [0:0]\n", "web", "fw", "l2"))
                .hasMessageContaining("is no base chain");
        assertThatThrownBy(() -> nft("table ip a { chain forward { type filter hook forward priority 0; } }\n"
                        + "table ip6 a { chain forward { type filter hook forward priority 0; } }\n"))
                .hasMessageContaining("several chains are called so: ip/a/forward, ip6/a/forward");
        assertThatThrownBy(() ->
                        Importer.read(Format.IP6TABLES, "x".repeat(Importer.MOST_BYTES + 1), "FORWARD", "fw", "l2"))
                .hasMessageContaining("more than 1048576 bytes");
        for (String broken :
                List.of("table", "table inet filter {", "chain {", "}}}", "table ip x { chain forward { {{ }", "\"")) {
            assertThatThrownBy(() -> nft(broken)).isInstanceOf(ProblemException.class);
        }
        assertThatThrownBy(() -> Format.of("pf")).hasMessageContaining("give format=ip6tables-save");
    }

    @Test
    void so_many_rules_that_no_firewall_has_them_are_refused() {
        ImportResult imported = six(IntStream.range(0, 5000)
                .mapToObj(i -> "-A FORWARD -s 2001:db8::" + Integer.toHexString(i) + " -j DROP")
                .toArray(String[]::new));
        assertThat(imported.firewall().rules()).as("and a row of the default").hasSize(4095);
        assertThat(imported.refused())
                .extracting(ImportResult.Remark::line)
                .hasSize(905)
                .startsWith(4100, 4101);
        assertThat(imported.refused().get(0).why()).contains("more than 4096 rows");
        assertThat(imported.refused().get(1).why()).startsWith("it stands behind line 4100");
    }
}
