// SPDX-License-Identifier: Apache-2.0
package org.sextant.sera.imports;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.sextant.core.ProblemException;
import org.sextant.sera.imports.Importer.Format;

/** Sets of ipset and of nft, maps, concatenations, ranges and interfaces. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class SetsTest {
    private static final Interfaces BEHIND = Interfaces.parse("eth0=2001:db8:1::/64,10.0.1.0/24,eth1=2001:db8:2::/64");

    /** The sets, and lines of FORWARD. */
    private static ImportResult six(String sets, String... lines) {
        return Importer.read(
                Format.IP6TABLES,
                sets + "*filter\n:FORWARD DROP [0:0]\n:web - [0:0]\n" + String.join("\n", lines) + "\nCOMMIT\n",
                "FORWARD",
                "fw",
                "l2",
                BEHIND);
    }

    private static ImportResult nft(String objects, String... rules) {
        return Importer.read(
                Format.NFT,
                "table inet x {\n" + objects + "chain forward {\ntype filter hook forward priority 0; policy drop;\n"
                        + String.join("\n", rules) + "\n}\nchain web {\n}\n}\n",
                "forward",
                "fw",
                "l2",
                BEHIND);
    }

    private static List<String> rules(ImportResult imported) {
        return RuleTexts.of(imported);
    }

    private static List<String> refused(ImportResult imported) {
        return imported.refused().stream()
                .map(remark -> remark.line() + ": " + remark.why())
                .toList();
    }

    @Test
    void sets_of_addresses_are_as_few_prefixes_as_possible_and_the_longest_prefix_decides() {
        String sets = """
                create hosts hash:ip family inet6 hashsize 1024 maxelem 65536 bucketsize 12 initval 0x35c5
                add hosts 2001:db8::1
                add hosts 2001:db8::2 comment "a b"
                add hosts 2001:db8::3
                create nets hash:net family inet6 hashsize 1024 maxelem 65536
                add nets 2001:db8:8::/46
                add nets 2001:db8:8::/48 nomatch
                add nets 2001:db8:8::5/128
                create empty hash:ip family inet6
                create four hash:ip family inet
                add four 10.0.0.1
                """;
        ImportResult imported = six(
                sets,
                "-A FORWARD -m set --match-set hosts src -j DROP",
                "-A FORWARD -m set --match-set nets dst -p udp -j DROP",
                "-A FORWARD -m set --match-set empty src -j DROP",
                "-A FORWARD -m set --match-set four src -j DROP",
                "-A FORWARD -m set ! --match-set empty src -p tcp -j DROP",
                "-A FORWARD -m set ! --match-set hosts src -j ACCEPT");
        assertThat(imported.refused()).isEmpty();
        assertThat(rules(imported))
                .containsExactly(
                        "source [2001:db8::1/128,2001:db8::2/127] action drop",
                        "destination [2001:db8:8::5/128,2001:db8:9::/48,2001:db8:a::/47] protocol udp action drop",
                        "protocol tcp action drop",
                        "source [!2001:db8::1/128,!2001:db8::2/127] action accept");
        assertThat(imported.warnings()).extracting(ImportResult.Remark::line).containsExactly(17, 18);
    }

    @Test
    void sets_of_several_dimensions_and_of_ports_are_rules_for_their_entries() {
        String sets = """
                create web hash:ip,port family inet6 hashsize 1024
                add web 2001:db8::1,tcp:80
                add web 2001:db8::2,tcp:80
                add web 2001:db8::2,udp:53-54
                add web 2001:db8::4,icmpv6:128/0
                create ports bitmap:port range 0-1024
                add ports 22
                add ports 80
                create pairs hash:ip,port,ip family inet6
                add pairs 2001:db8::1,tcp:22,2001:db8::9
                create both list:set size 8
                add both web
                add both pairs
                """;
        ImportResult imported = six(
                sets,
                "-A FORWARD -m set --match-set web dst,dst -j DROP",
                "-A FORWARD -m set --match-set ports dst -j DROP",
                "-A FORWARD -m set --match-set both src,dst,dst -j ACCEPT");
        assertThat(imported.refused()).isEmpty();
        assertThat(rules(imported))
                .containsExactly(
                        "destination [2001:db8::1/128,2001:db8::2/128] protocol tcp destinationPorts 80 action drop",
                        "destination [2001:db8::2/128] protocol udp destinationPorts 53-54 action drop",
                        "destination [2001:db8::4/128] protocol icmpv6 icmpType 128/0 action drop",
                        "protocol tcp,udp destinationPorts 22,80 action drop",
                        "source [2001:db8::1/128,2001:db8::2/128] protocol tcp destinationPorts 80 action accept",
                        "source [2001:db8::2/128] protocol udp destinationPorts 53-54 action accept",
                        "source [2001:db8::4/128] protocol icmpv6 icmpType 128/0 action accept",
                        "source [2001:db8::1/128] destination [2001:db8::9/128] protocol tcp destinationPorts 22"
                                + " action accept");
    }

    @Test
    void sets_that_cannot_be_rules_have_the_lines_refused_that_refer_to_them() {
        String sets = """
                create soon hash:ip family inet6 timeout 600
                create macs hash:mac
                create seen hash:ip family inet6
                create odd hash:ip family inet6
                add odd 2001:db8::1 colour blue
                add none 2001:db8::1
                create ports bitmap:port range 0-1024
                create faces hash:net,iface family inet6
                """;
        ImportResult imported = six(
                sets,
                "-A FORWARD -m set --match-set soon src -j DROP",
                "-A FORWARD -m set --match-set macs src -j DROP",
                "-A FORWARD -m set --match-set seen src -j DROP",
                "-A FORWARD -m set --match-set odd src -j DROP",
                "-A FORWARD -m set --match-set absent src -j DROP",
                "-A FORWARD -m set ! --match-set ports src -j DROP",
                "-A FORWARD -m set --match-set faces src,src -j DROP",
                "-A FORWARD -p udp -j SET --add-set seen src --exist",
                "-A FORWARD -p tcp -j DROP");
        assertThat(refused(imported))
                .containsExactly(
                        "6: no line before this one creates set none",
                        "12: set soon: its members expire",
                        "13: set macs: type hash:mac has no counterpart in a firewall here",
                        "14: set seen: packets change it",
                        "15: set odd: option colour has no counterpart in a firewall here",
                        "16: the text does not have set absent: put what \"ipset save\" prints in front of it",
                        "17: set ports: ! in front of a set that is not of addresses alone has no counterpart in a"
                                + " firewall here",
                        "18: set faces: type hash:net,iface has no counterpart in a firewall here",
                        "19: target SET: a firewall here has no counterpart of it");
        assertThat(rules(imported)).containsExactly("protocol tcp action drop");
    }

    @Test
    void either_port_ranges_and_interfaces_are_known() {
        ImportResult imported = six(
                "",
                "-A FORWARD -p tcp -m multiport --ports 80,443 -j ACCEPT",
                "-A FORWARD -p udp -m multiport ! --ports 53 -j DROP",
                "-A FORWARD -m iprange --src-range 2001:db8::1-2001:db8::2 -j DROP",
                "-A FORWARD -i eth0 -o eth1 -p tcp -j ACCEPT",
                "-A FORWARD ! -i eth0 -p sctp -j ACCEPT",
                "-A FORWARD -i lo -j ACCEPT",
                "-A FORWARD ! -i lo -p 47 -j ACCEPT",
                "-A FORWARD -i eth2 -j ACCEPT",
                "-A FORWARD -m conntrack --ctstate UNTRACKED,DNAT -j ACCEPT",
                "-A FORWARD -m conntrack --ctstate INVALID,NEW,UNTRACKED -j ACCEPT");
        assertThat(rules(imported))
                .containsExactly(
                        "protocol tcp sourcePorts 80,443 action accept",
                        "protocol tcp destinationPorts 80,443 action accept",
                        "protocol udp sourcePorts !53 destinationPorts !53 action drop",
                        "source [2001:db8::1/128,2001:db8::2/128] action drop",
                        "source [2001:db8:1::/64] destination [2001:db8:2::/64] protocol tcp action accept",
                        "source [!2001:db8:1::/64] protocol sctp action accept",
                        "protocol 47 action accept",
                        "state [new] action accept");
        assertThat(refused(imported))
                .singleElement()
                .asString()
                .startsWith("11: a firewall here has no interface eth2");
        assertThatThrownBy(() -> Interfaces.parse("eth0"))
                .isInstanceOf(ProblemException.class)
                .hasMessageContaining("it names no interface");
        assertThatThrownBy(() -> Interfaces.parse("eth0=::/0,eth0=::/0")).hasMessageContaining("it comes twice");
        assertThatThrownBy(() -> Interfaces.parse("eth0=here")).isInstanceOf(ProblemException.class);
    }

    @Test
    void maps_of_nft_lead_each_value_to_its_verdict() {
        ImportResult imported = nft(
                """
                map ports {
                	type inet_service : verdict
                	elements = { 22 : drop comment "no",
                		     80 : goto web }
                }
                """,
                "ct state vmap { established : accept, related : accept }",
                "iifname vmap { \"lo\" : accept, \"eth0\" : jump web }",
                "tcp dport vmap @ports",
                "ip6 saddr . tcp dport vmap { 2001:db8::1 . 1 : accept, 2001:db8::2 . 1 : accept, 2001:db8::3 . 2 : drop }",
                "meta l4proto vmap { tcp : drop, udp : continue }",
                "accept");
        assertThat(refused(imported)).isEmpty();
        assertThat(rules(imported))
                .containsExactly(
                        "state [established] action accept",
                        "protocol tcp destinationPorts 22 action drop",
                        "protocol tcp destinationPorts 80 action drop",
                        "source [2001:db8::1/128,2001:db8::2/128] protocol tcp destinationPorts 1 action accept",
                        "source [2001:db8::3/128] protocol tcp destinationPorts 2 action drop",
                        "protocol tcp action drop",
                        "action accept");
        assertThat(imported.warnings()).extracting(ImportResult.Remark::why).noneMatch(why -> why.contains("related"));
    }

    @Test
    void concatenations_and_sets_of_nft_are_rules_for_their_elements() {
        ImportResult imported = nft(
                """
                set some {
                	typeof ip saddr . tcp dport
                	flags interval
                	counter
                	elements = { 10.0.0.0/8 . 80-90 counter packets 1 bytes 2, 10.0.0.1 . 443 }
                }
                set none { type ipv6_addr
                }
                """,
                "ip saddr . tcp dport @some accept",
                "ip6 saddr @none drop",
                "ip6 saddr != @none udp dport 1 drop",
                "meta l4proto . th dport { tcp . 53, udp . 53 } accept",
                "ip6 saddr { 2001:db8::2-2001:db8::5 } drop",
                "ct state untracked accept",
                "ct status dnat accept",
                "limit rate 3/minute burst 5 packets log prefix \"x\" flags all",
                "oifname { \"eth1\", \"lo\" } counter name \"out\" drop");
        assertThat(refused(imported)).isEmpty();
        assertThat(rules(imported))
                .containsExactly(
                        "source [10.0.0.0/8] protocol tcp destinationPorts 80-90 action accept",
                        "source [10.0.0.1/32] protocol tcp destinationPorts 443 action accept",
                        "protocol udp destinationPorts 1 action drop",
                        "protocol tcp,udp destinationPorts 53 action accept",
                        "source [2001:db8::2/127,2001:db8::4/127] action drop",
                        "destination [2001:db8:2::/64] action drop log true",
                        "action drop log true");
    }

    @Test
    void what_of_maps_and_sets_has_no_counterpart_is_refused_by_its_line() {
        assertThat(refused(nft(
                        "map addresses { type inet_service : ipv4_addr; elements = { 80 : 10.0.0.1 }\n}\n",
                        "ct state vmap { established : accept, invalid : drop }",
                        "tcp dport vmap { 80 : accept, * : drop }",
                        "ip saddr . tcp dport != { 10.0.0.1 . 80 } drop",
                        "ip saddr . tcp dport { 10.0.0.1 } drop",
                        "tcp dport vmap @addresses",
                        "log tcp dport vmap { 80 : accept }",
                        "tcp dport 80 jump { accept; }",
                        "limit rate 3/minute accept",
                        "ip6 saddr { 2001:db8::1 timeout 5s } drop",
                        "tcp dport vmap @nothing")))
                .extracting(text -> text.substring(0, text.indexOf(':')))
                .containsExactly("6", "7", "8", "9", "10", "11", "12", "13", "14", "15");
    }
}
