// SPDX-License-Identifier: Apache-2.0
package org.sextant.sera;

import static org.assertj.core.api.Assertions.assertThat;
import static org.sextant.sera.Sera.decoded;
import static org.sextant.sera.Sera.firewall;
import static org.sextant.sera.Sera.json;
import static org.sextant.sera.Sera.problems;

import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class FirewallShapeTest {
    private static final String ADVANCED = ", 'mode': 'advanced'";

    private static final String EVERYTHING =
            "{'name': 'a', 'family': 'ipv6', 'source': ['!2001:db8:9::/64', 'group:web'], 'destination': ['2001:db8::1'],"
                    + " 'protocol': 'udp', 'sourcePorts': '>=1024', 'destinationPorts': '53,5353-5360',"
                    + " 'srh': {'present': true, 'nextHeader': 'ipv6', 'headerLength': '<10', 'segmentsLeft': '>=1',"
                    + " 'lastEntry': '!2', 'flags': '0x08/0x08', 'tag': 3, 'previousSid': '!fcbb:bbbb:100::/48',"
                    + " 'nextSid': 'fcbb:bbbb:600::/48', 'lastSid': 'fcbb:bbbb:300:f00d::'},"
                    + " 'outerSource': ['fcbb:bbbb:100::/48'], 'args': '0-3', 'state': ['new'], 'action': 'evalArgs',"
                    + " 'log': true}";

    @Test
    void what_is_read_is_written_and_read_as_the_same() {
        Firewall all = decoded(
                ADVANCED + ", 'default': 'accept', 'enforcement': 'audit', 'flows': 100,"
                        + " 'groups': {'web': ['2001:db8:2::/64', 'group:old'], 'old': ['10.0.2.0/24', '2001:db8:3::/64']}",
                EVERYTHING,
                "{'protocol': 'tcp', 'tcpFlags': '!fin,syn,rst,ack/syn', 'action': 'goLast'}",
                "{'protocol': 'icmp', 'icmpType': 'echo-request', 'action': 'skipNext'}",
                "{'protocol': '!6', 'action': 'drop'}");
        assertThat(FirewallShape.FIREWALL.decode(FirewallShape.FIREWALL.write(all)))
                .isEqualTo(all);
        assertThat(FirewallShape.FIREWALL.write(FirewallShape.FIREWALL.decode(FirewallShape.FIREWALL.write(all))))
                .isEqualTo(FirewallShape.FIREWALL.write(all));
        assertThat(FirewallShape.FIREWALL
                        .write(all)
                        .at("/rules/0/srh/headerLength")
                        .textValue())
                .isEqualTo("<=9");
        assertThat(FirewallShape.FIREWALL.write(all).at("/rules/2/icmpType").textValue())
                .isEqualTo("8");
    }

    @Test
    void versions_are_kept_with_what_was_before() {
        Versioned first = Versioned.first(decoded("", "{'action': 'accept'}"), "2026-11-22T00:00:00Z");
        Versioned second = Versioned.first(decoded("", "{'action': 'drop'}"), "2026-11-23T00:00:00Z")
                .following(first);
        assertThat(second.version()).isEqualTo(2);
        assertThat(second.version(1)).contains(first.firewall());
        assertThat(Versioned.first(second.firewall(), "later").following(second))
                .as("nothing is another")
                .isSameAs(second);
        assertThat(VersionedShape.STORED.decode(VersionedShape.STORED.write(second)))
                .isEqualTo(second);
        Versioned many = first;
        for (int i = 0; i < 20; i++) {
            many = Versioned.first(decoded("", "{'destination': ['2001:db8::" + i + "'], 'action': 'drop'}"), "")
                    .following(many);
        }
        assertThat(many.version()).isEqualTo(21);
        assertThat(many.earlier())
                .hasSize(Versioned.KEPT)
                .last()
                .extracting(Versioned.Earlier::version)
                .isEqualTo(20);
    }

    @Test
    void a_rule_of_one_family_with_an_address_of_the_other_is_refused() {
        assertThat(problems(firewall("", "{'family': 'ipv4', 'source': ['2001:db8::/32'], 'action': 'drop'}")))
                .containsExactly("/rules/0/source/0: a rule on ipv4 never sees 2001:db8::/32");
        assertThat(problems(
                        firewall("", "{'source': ['2001:db8::/32'], 'destination': ['10.0.0.0/8'], 'action': 'drop'}")))
                .singleElement()
                .asString()
                .startsWith("/rules/0/destination: no packet goes from these sources");
        assertThat(problems(firewall(
                        ", 'groups': {'g': ['10.0.0.0/8']}",
                        "{'family': 'ipv6', 'source': ['group:g'], 'action': 'drop'}")))
                .containsExactly("/rules/0/source/0: a rule on ipv6 never sees group:g");
    }

    @Test
    void ports_flags_and_types_ask_for_their_protocol() {
        assertThat(problems(firewall(
                        "",
                        "{'destinationPorts': '53', 'action': 'drop'}",
                        "{'protocol': 'icmp', 'sourcePorts': 53, 'action': 'drop'}",
                        "{'protocol': '!tcp', 'sourcePorts': 53, 'action': 'drop'}",
                        "{'protocol': 'udp', 'tcpFlags': 'syn', 'action': 'drop'}",
                        "{'icmpType': '8', 'action': 'drop'}",
                        "{'protocol': 'tcp,udp', 'sourcePorts': 53, 'action': 'drop'}")))
                .containsExactly(
                        "/rules/0/destinationPorts: only TCP, UDP, UDP-Lite, SCTP and DCCP have ports",
                        "/rules/1/sourcePorts: only TCP, UDP, UDP-Lite, SCTP and DCCP have ports",
                        "/rules/2/sourcePorts: only TCP, UDP, UDP-Lite, SCTP and DCCP have ports",
                        "/rules/3/tcpFlags: only TCP has these flags",
                        "/rules/4/icmpType: only ICMP has types");
    }

    @Test
    void numbers_that_are_none_are_refused_with_what_was_written() {
        for (String[] bad : new String[][] {
            {"'60-50'", "the range 60-50 is upside down"},
            {"'65536'", "65536 is more than 65535"},
            {"70000", "70000 is more than 65535"},
            {"'<0'", "<0 is no number at all"},
            {"'!0-65535'", "that is no number at all: nothing would match"},
            {"'http'", "\"http\" is no number"},
            {"''", "\"\" is no number"},
            {"[53]", "a string is wanted here, not a list"},
        }) {
            assertThat(problems(
                            firewall("", "{'protocol': 'tcp', 'destinationPorts': " + bad[0] + ", 'action': 'drop'}")))
                    .containsExactly("/rules/0/destinationPorts: " + bad[1]);
        }
    }

    @Test
    void groups_are_neither_empty_nor_unknown_nor_in_circles() {
        assertThat(problems(firewall(
                        ", 'groups': {'a': [], 'b': ['group:c'], 'c': ['group:d'], 'd': ['group:b'], 'e': ['group:z'],"
                                + " 'f': ['!2001:db8::/32']}",
                        "{'source': ['group:nobody'], 'action': 'drop'}")))
                .contains(
                        "/groups/a: group \"a\" is empty",
                        "/groups/b: groups are members of each other: b, c, d, b",
                        "/groups/e/0: there is no group \"z\"",
                        "/groups/f/0: !2001:db8::/32 is no member: groups have no exceptions");
        assertThat(problems(
                        firewall(", 'groups': {'a': ['2001:db8::/32']}", "{'source': ['!group:b'], 'action': 'drop'}")))
                .containsExactly("/rules/0/source/0: there is no group \"b\"");
        assertThat(problems(firewall(", 'groups': {'a': null}")))
                .containsExactly("/groups/a: \"a\" wants a list, not null");
    }

    @Test
    void the_basic_mode_accepts_and_drops_and_looks_at_no_segments() {
        assertThat(problems(firewall(
                        ", 'default': 'goLast'",
                        "{'action': 'skipNext'}",
                        "{'srh': {'present': true}, 'action': 'drop'}",
                        "{'args': 1, 'action': 'drop'}",
                        "{'outerSource': ['fc00::/7'], 'action': 'drop'}")))
                .extracting(text -> text.substring(0, text.indexOf(':')))
                .containsExactly(
                        "/default", "/rules/0/action", "/rules/1/srh", "/rules/2/args", "/rules/3/outerSource");
    }

    @Test
    void what_no_packet_can_be_is_refused() {
        assertThat(problems(firewall(ADVANCED, "{'srh': {'present': false, 'segmentsLeft': '>=1'}, 'action': 'drop'}")))
                .containsExactly(
                        "/rules/0/srh/present: a packet without a segment routing header has no fields of one");
        assertThat(problems(firewall(ADVANCED, "{'srh': {}, 'action': 'drop'}")))
                .containsExactly("/rules/0/srh: \"srh\" asks for nothing");
        assertThat(problems(firewall("", "{'state': ['established', 'new'], 'action': 'drop'}")))
                .containsExactly("/rules/0/state: every packet is of an established flow or a new one");
        assertThat(problems(firewall("", "{'source': [], 'action': 'drop'}")))
                .containsExactly("/rules/0/source: \"source\" is an empty list");
        assertThat(problems(firewall("", "{'protocol': 'tcp', 'tcpFlags': 'syn/ack', 'action': 'drop'}")))
                .containsExactly("/rules/0/tcpFlags: flags have to be set that are not looked at");
    }

    @Test
    void names_are_unique_and_rules_bounded() {
        assertThat(problems(firewall("", "{'name': 'a', 'action': 'drop'}", "{'name': 'a', 'action': 'accept'}")))
                .containsExactly("/rules/1/name: another rule is called \"a\", too");
        String many =
                IntStream.range(0, 4097).mapToObj(i -> "{'action': 'drop'}").collect(Collectors.joining(","));
        assertThat(problems(firewall("", many))).containsExactly("/rules: there are 4097 rules");
        assertThat(problems("{'name': 'import', 'node': 'l2', 'rules': []}"))
                .containsExactly("/name: firewalls are imported at the address of that name");
        assertThat(problems("[]")).isNotEmpty();
        assertThat(problems(firewall("", "7", "{'actoin': 'drop'}")))
                .contains(
                        "/rules/0: a rule is an object, not the number 7", "/rules/1/actoin: unknown field \"actoin\"");
    }

    @Test
    void json_of_a_stored_one_has_its_version_and_that_of_an_operator_must_not() {
        assertThat(problems("{'name': 'a', 'node': 'l2', 'rules': [], 'version': 3}"))
                .containsExactly("/version: unknown field \"version\"");
        assertThat(VersionedShape.STORED
                        .decode(json("{'name': 'a', 'node': 'l2', 'rules': [], 'version': 3}"))
                        .version())
                .isEqualTo(3);
    }
}
