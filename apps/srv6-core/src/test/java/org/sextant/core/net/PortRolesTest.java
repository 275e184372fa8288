// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.net;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.sextant.core.net.PortRoles.Because;
import org.sextant.core.net.PortRoles.Known;

@DisplayNameGeneration(ReplaceUnderscores.class)
class PortRolesTest {
    private static final Known LINK = new Known(PortRole.INTERNAL, Because.LINK, "a/1-b/1");

    private static Network network(String ports, String link) {
        return NetworkFile.parse("""
                {'apps': {'org.sextant.srv6': {'srv6': {'block': 'fcbb:bbbb::/32'}}},
                 'devices': {
                   'device:a': {'basic': {'name': 'a'}, 'srv6': {'uSid': '0100'}},
                   'device:b': {'basic': {'name': 'b'}, 'srv6': {'uSid': '0200'}}},
                 'ports': {%s},
                 'links': {'device:a/1-device:b/1': {%s}},
                 'hosts': {'h/None': {'basic': {'name': 'h', 'ips': ['fd00::2'], 'locations': ['device:a/2']}}}}
                """.formatted(ports, link).replace('\'', '"')).orThrow();
    }

    @Test
    void a_port_with_a_link_is_internal_and_every_other_one_external() {
        PortRoles roles = new PortRoles(network("'device:a/3': {}", ""));
        assertThat(roles.of("a").get(1)).isEqualTo(LINK);
        assertThat(roles.of("a").get(2)).isEqualTo(new Known(PortRole.EXTERNAL, Because.HOST, "h"));
        assertThat(roles.of("a").get(3)).isEqualTo(new Known(PortRole.EXTERNAL, Because.NOTHING, ""));
        assertThat(roles.of("b").get(1)).isEqualTo(new Known(PortRole.INTERNAL, Because.LINK, "b/1-a/1"));
        assertThat(roles.of("nobody")).isEmpty();
    }

    @Test
    void the_description_has_the_last_word() {
        PortRoles roles = new PortRoles(network(
                "'device:a/1': {'srv6': {'role': 'external'}}, 'device:a/2': {'srv6': {'role': 'internal'}}", ""));
        assertThat(roles.of("a").get(1)).isEqualTo(new Known(PortRole.EXTERNAL, Because.DESCRIPTION, "a/1-b/1"));
        assertThat(roles.of("a").get(2)).isEqualTo(new Known(PortRole.INTERNAL, Because.DESCRIPTION, "h"));
    }

    @Test
    void a_link_that_is_down_is_a_link() {
        Network network = network("", "");
        Network down = new Network(
                network.nodes().values(),
                network.links().stream().map(link -> link.withUp(false)).toList(),
                network.hosts().values());
        assertThat(new PortRoles(down).of("a").get(1)).isEqualTo(LINK);
    }

    @Test
    void a_link_of_one_direction_has_two_ends() {
        PortRoles roles = new PortRoles(network("", "'basic': {'bidirectional': false}"));
        assertThat(roles.of("a").get(1)).isEqualTo(LINK);
        assertThat(roles.of("b").get(1).role()).isEqualTo(PortRole.INTERNAL);
    }
}
