// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.sextant.core.Problem;
import org.sextant.core.ProblemException;
import org.sextant.core.ip.IpAddress;
import org.sextant.core.ip.IpPrefix;
import org.sextant.core.ip.Ipv6;
import org.sextant.core.ip.MacAddress;
import org.sextant.core.sid.SidFormat;

class NetworkFileTest {

    /** Two nodes, a link, a host; each test puts its fault into a copy. Single quotes stand for double ones. */
    private static final String SMALL = """
            {'apps': {'org.sextant.srv6': {'srv6': {'block': 'fcbb:bbbb::/32'}}},
             'devices': {
               'device:a': {'basic': {'name': 'a'}, 'srv6': {'uSid': '0100'}},
               'device:b': {'basic': {'name': 'b'}, 'srv6': {'uSid': '0200'}}},
             'ports': {'device:a/2': {'interfaces': [{'name': 'a-h', 'mac': '02:00:00:00:01:02', 'ips': ['fd00::1/64']}]}},
             'links': {'device:a/1-device:b/1': {}},
             'hosts': {'02:00:00:00:00:01/None': {'basic': {'name': 'h', 'ips': ['fd00::2'], 'locations': ['device:a/2']}}}}
            """;

    @Test
    void the_lab_of_figure_4_is_read_as_it_is_written() throws IOException {
        Network network = NetworkFile.parse(Files.readAllBytes(Path.of("../../lab/fig4.json")))
                .orThrow();
        assertThat(network.nodes().keySet()).containsExactly("l1", "l2", "l3", "p6", "p7", "v4", "v5", "v8");
        assertThat(network.hosts()).hasSize(12);
        assertThat(network.links()).hasSize(20);
        Node l1 = network.node("l1").orElseThrow();
        assertThat(l1.deviceId()).isEqualTo("device:l1");
        assertThat(l1.management()).isEqualTo("grpc://127.0.0.1:20101?device_id=1");
        assertThat(l1.pipeconf()).isEqualTo("org.sextant.linux");
        assertThat(l1.srv6())
                .contains(new Srv6(IpPrefix.parse("fcbb:bbbb::/32"), SidFormat.F3216, 0x100, Ipv6.parse("fcff:1::1")));
        assertThat(l1.location()).contains(new Node.Location("grid", 100, 100));
        assertThat(l1.ports().keySet()).containsExactly(1, 2, 3, 4);
        assertThat(l1.ports().get(2))
                .isEqualTo(new Port(
                        2,
                        Optional.of("l1-h11"),
                        Optional.empty(),
                        0,
                        true,
                        List.of(
                                new Port.InterfaceAddress(IpAddress.parse("fd00:0:11::1"), 64),
                                new Port.InterfaceAddress(IpAddress.parse("10.0.11.1"), 24))));
        assertThat(network.links().get(0))
                .isEqualTo(new Link(
                        new Link.End("l1", 1), new Link.End("l2", 1), 10, 10, 1000, 9000, Set.of(), Set.of(), true));
        assertThat(network.host("h11"))
                .contains(new Host(
                        "h11",
                        Optional.of(MacAddress.parse("02:00:00:00:00:0b")),
                        List.of(IpAddress.parse("fd00:0:11::2"), IpAddress.parse("10.0.11.2")),
                        new Link.End("l1", 2)));
        assertThat(NetworkFile.read(NetworkFile.write(network)).orThrow()).isEqualTo(network);
    }

    @Test
    void what_the_file_leaves_out_has_its_default() {
        Network network = small("", "").orThrow();
        assertThat(network.node("a").orElseThrow().srv6())
                .contains(new Srv6(
                        IpPrefix.parse("fcbb:bbbb::/32"), SidFormat.F3216, 0x100, Ipv6.parse("fcbb:bbbb:100::")));
        assertThat(network.links()).extracting(Link::id).containsExactly("a/1-b/1", "b/1-a/1");
        assertThat(network.links().get(0).igpMetric()).isEqualTo(10);
        assertThat(network.node("b").orElseThrow().ports().keySet()).containsExactly(1);
        assertThat(small("'basic': {'name': 'a'}, ", "").orThrow().node("a")).isPresent();
        Network located = small("'uSid': '0100'", "'uSid': '0100', 'gtpLocator': 'fd00:e:1::/48'")
                .orThrow();
        assertThat(NetworkFile.read(NetworkFile.write(located)).orThrow()).isEqualTo(located);
        assertThat(network.rules()).isEqualTo(LinkRules.DEFAULT);
        assertThat(NetworkFile.parse("{}").orThrow())
                .isEqualTo(new Network(List.of(), List.of(), List.of(), LinkRules.DEFAULT));
    }

    @Test
    void a_capacity_is_that_of_each_direction() {
        Network network = small(
                        "'device:a/1-device:b/1': {}",
                        "'device:a/1-device:b/1': {'srv6': {'capacityKbps': 1000000000000}}")
                .orThrow();
        assertThat(network.links()).extracting(Link::capacityKbps).containsOnly(1_000_000_000_000L);
        assertThat(NetworkFile.read(NetworkFile.write(network)).orThrow()).isEqualTo(network);
        assertThat(network.links().get(0).withUp(false).withMtuBytes(1500).capacityKbps())
                .isEqualTo(1_000_000_000_000L);
    }

    @Test
    void both_directions_of_a_link_may_differ() {
        Network network = small(
                        "'device:a/1-device:b/1': {}",
                        "'device:a/1-device:b/1': {'srv6': {'igpMetric': 5, 'teMetric': 6, 'delayMicros': 7, 'capacityKbps': 1000, 'srlg': [2, 1], 'affinity': ['red']}},"
                                + "'device:b/1-device:a/1': {'srv6': {'igpMetric': 8}}")
                .orThrow();
        assertThat(network.links())
                .containsExactly(
                        new Link(
                                new Link.End("a", 1),
                                new Link.End("b", 1),
                                5,
                                6,
                                7,
                                0,
                                Set.of(1, 2),
                                Set.of("red"),
                                true,
                                1000),
                        new Link(new Link.End("b", 1), new Link.End("a", 1), 8, 8, 0, 0, Set.of(), Set.of(), true));
        Network oneWay = small(
                        "'device:a/1-device:b/1': {}", "'device:a/1-device:b/1': {'basic': {'bidirectional': false}}")
                .orThrow();
        assertThat(oneWay.links()).extracting(Link::id).containsExactly("a/1-b/1");
        assertThat(NetworkFile.read(NetworkFile.write(network)).orThrow()).isEqualTo(network);
        assertThat(NetworkFile.read(NetworkFile.write(oneWay)).orThrow()).isEqualTo(oneWay);
    }

    @ParameterizedTest
    @CsvSource({"'0100', 0x100", "'0x100', 0x100", "'7', 0x7", "'fcbb:bbbb:100::', 0x100"})
    void a_usid_is_hexadecimal_or_an_address(String text, String value) {
        assertThat(small("'uSid': '0100'", "'uSid': '" + text + "'")
                        .orThrow()
                        .node("a")
                        .orElseThrow()
                        .srv6()
                        .orElseThrow()
                        .usid())
                .isEqualTo(Long.decode(value));
    }

    @Test
    void a_node_may_have_its_own_block_and_format() {
        String own = "'uSid': '0100', 'block': 'fcbb:cccc:1::/48', 'format': 'F4816'";
        assertThat(small("'uSid': '0100'", own)
                        .orThrow()
                        .node("a")
                        .orElseThrow()
                        .srv6()
                        .orElseThrow()
                        .format())
                .isEqualTo(SidFormat.F4816);
        String lengths =
                "'uSid': '0100', 'block': 'fcbb:cc00::/24', 'format': {'block': 24, 'usid': 16, 'localStart': 'd000'}";
        Network network = small("'uSid': '0100'", lengths).orThrow();
        assertThat(network.node("a").orElseThrow().srv6().orElseThrow().format())
                .isEqualTo(new SidFormat("24/16 local from d000", 24, 16, 0xd000));
        assertThat(NetworkFile.read(NetworkFile.write(network)).orThrow()).isEqualTo(network);
        String known = "'uSid': '0100', 'format': {'block': 32, 'usid': 16}";
        assertThat(small("'uSid': '0100'", known)
                        .orThrow()
                        .node("a")
                        .orElseThrow()
                        .srv6()
                        .orElseThrow()
                        .format())
                .isEqualTo(SidFormat.F3216);
    }

    @Test
    void everything_that_can_be_said_survives_a_round_trip() {
        Network network = small("'hosts': {", "'hosts': {'x9/None': {'basic': {'locations': ['device:b/7']}},")
                .orThrow();
        assertThat(network.host("x9").orElseThrow().mac()).isEmpty();
        assertThat(NetworkFile.read(NetworkFile.write(network)).orThrow()).isEqualTo(network);
        Network other = small("'interfaces': [", "'srv6': {'mtuBytes': 1500}, 'interfaces': [")
                .orThrow();
        assertThat(other.node("a").orElseThrow().ports().get(2).mtuBytes()).isEqualTo(1500);
        assertThat(NetworkFile.read(NetworkFile.write(other)).orThrow()).isEqualTo(other);
        Network geo = small("'name': 'a'", "'name': 'a', 'locType': 'geo', 'longitude': 8.5, 'latitude': 47.25")
                .orThrow();
        assertThat(geo.node("a").orElseThrow().location()).contains(new Node.Location("geo", 8.5, 47.25));
        assertThat(NetworkFile.read(NetworkFile.write(geo)).orThrow()).isEqualTo(geo);
    }

    @Test
    void protection_is_said_once_for_all_nodes_and_a_node_may_say_otherwise() {
        Network network = small("'devices': {", "'protection': {'node': true}, 'devices': {")
                .orThrow();
        assertThat(protection(network, "a")).isEqualTo(new Protection(true, true, false));
        assertThat(protection(network, "b")).isEqualTo(new Protection(true, true, false));
        Network other = small(
                        "'uSid': '0100'", "'uSid': '0100', 'protection': {'link': true, 'node': false, 'srlg': true}")
                .orThrow();
        assertThat(protection(other, "a")).isEqualTo(new Protection(true, false, true));
        assertThat(protection(other, "b")).isEqualTo(Protection.NONE);
        assertThat(NetworkFile.read(NetworkFile.write(other)).orThrow()).isEqualTo(other);
        Network onos = small("'block': 'fcbb:bbbb::/32'", "'block': 'fcbb:bbbb::/32', 'protection': {'srlg': true}")
                .orThrow();
        assertThat(protection(onos, "b")).isEqualTo(new Protection(true, false, true));
    }

    private static Protection protection(Network network, String node) {
        return network.node(node).orElseThrow().srv6().orElseThrow().protection();
    }

    @Test
    void the_edge_is_described_for_all_nodes_and_otherwise_for_one() {
        Network network = small(
                        "'block': 'fcbb:bbbb::/32'",
                        "'block': 'fcbb:bbbb::/32', 'dropSrh': true, 'knownSources': false")
                .orThrow();
        assertThat(network.nodes().values())
                .allSatisfy(
                        node -> assertThat(node.srv6().orElseThrow().edge()).isEqualTo(new EdgeSettings(true, false)));
        assertThat(NetworkFile.read(NetworkFile.write(network)).orThrow()).isEqualTo(network);
        Network one = small("'uSid': '0100'", "'uSid': '0100', 'dropSrh': true").orThrow();
        assertThat(one.node("a").flatMap(Node::srv6).orElseThrow().edge()).isEqualTo(new EdgeSettings(true, true));
        assertThat(one.node("b").flatMap(Node::srv6).orElseThrow().edge()).isEqualTo(EdgeSettings.DEFAULT);
        assertThat(NetworkFile.read(NetworkFile.write(one)).orThrow()).isEqualTo(one);
    }

    @Test
    void who_is_behind_a_port_can_be_described() {
        Network network = small("'interfaces': [", "'srv6': {'role': 'internal', 'mtuBytes': 1500}, 'interfaces': [")
                .orThrow();
        assertThat(network.node("a").orElseThrow().ports().get(2).role()).contains(PortRole.INTERNAL);
        assertThat(network.node("a").orElseThrow().ports().get(1).role()).isEmpty();
        assertThat(NetworkFile.read(NetworkFile.write(network)).orThrow()).isEqualTo(network);
    }

    @Test
    void keys_of_onos_that_mean_nothing_here_are_passed_over() {
        assertThat(small("'links': {", "'regions': {'r': 1}, 'links': {").problems())
                .isEmpty();
        assertThat(small("'uSid': '0100'", "'uSid': '0100', 'myStationMac': 'x'")
                        .problems())
                .isEmpty();
    }

    @ParameterizedTest(name = "{1} -> {2}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "device:b/1': {}          | device:c/1': {}          | UNKNOWN  | /links/device:a~11-device:c~11         | there is no device \"device:c\"",
                "'device:a/1-             | 'device:a/0-             | INVALID  | /links/device:a~10-device:b~11         | does not end in a port",
                "'device:a/1-             | 'device:a/511-           | INVALID  | /links/device:a~1511-device:b~11       | from 1 to 510",
                "'device:a/1-device:b/1'  | 'device:a/1'             | INVALID  | /links/device:a~11                     | does not name a link",
                "-device:b/1'             | -device:a/3'             | INVALID  | /links/device:a~11-device:a~13         | connects a with itself",
                "-device:b/1': {}         | -device:b/1': {}, 'device:a/1-device:b/2': {} | CONFLICT | /links/device:a~11-device:b~12 | already carries the link a/1-b/1",
                "-device:b/1': {}         | -device:b/1': {'srv6': {'igpMetric': 0}}      | INVALID | /links/device:a~11-device:b~11/srv6/igpMetric | not an integer from 1",
                "-device:b/1': {}         | -device:b/1': {'srv6': {'igpMetric': '10'}}   | INVALID | /links/device:a~11-device:b~11/srv6/igpMetric | not an integer from 1",
                "-device:b/1': {}         | -device:b/1': {'srv6': {'mtuBytes': -1}}      | INVALID | /links/device:a~11-device:b~11/srv6/mtuBytes  | not an integer from 0",
                "-device:b/1': {}         | -device:b/1': {'srv6': {'capacityKbps': -1}}  | INVALID | /links/device:a~11-device:b~11/srv6/capacityKbps | not an integer from 0",
                "-device:b/1': {}         | -device:b/1': {'srv6': {'srlg': ['x']}}       | INVALID | /links/device:a~11-device:b~11/srv6/srlg/0    | is a number",
                "-device:b/1': {}         | -device:b/1': {'basic': {'bidirectional': 1}} | INVALID | /links/device:a~11-device:b~11/basic/bidirectional | wants true or false",
                "-device:b/1': {}         | -device:b/1': []                              | INVALID | /links/device:a~11-device:b~11         | an object is wanted here",
                "'0200'                   | '0100'                   | CONFLICT | /devices/device:b/srv6/uSid            | of node a covers",
                "'0100'                   | '0'                      | INVALID  | /devices/device:a/srv6/uSid            | not within 1 to 0xdfff",
                "'0100'                   | 'e001'                   | INVALID  | /devices/device:a/srv6/uSid            | not within 1 to 0xdfff",
                "'0100'                   | '10000'                  | INVALID  | /devices/device:a/srv6/uSid            | not a uSID of 16 bits",
                "'0100'                   | 'fcbb:cccc:100::'        | INVALID  | /devices/device:a/srv6/uSid            | is not a uN SID of block",
                "'0100'                   | 'fcbb:bbbb:100::1'       | INVALID  | /devices/device:a/srv6/uSid            | is not a uN SID of block",
                "'0100'                   | 100                      | INVALID  | /devices/device:a/srv6/uSid            | a string is wanted here, not the number 100",
                "'uSid': '0100'           | 'usid': '0100'           | INVALID  | /devices/device:a/srv6/uSid            | is missing",
                "'fcbb:bbbb::/32'         | 'fcbb:bbbb::/48'         | INVALID  | /apps/org.sextant.srv6/srv6/block      | does not fit format F3216",
                "'uSid': '0100'           | 'uSid': '0100', 'block': 'fcbb:bbbb::/48' | INVALID | /devices/device:a/srv6/block | does not fit format F3216",
                "'fcbb:bbbb::/32'         | 'ff02:1::/32'            | INVALID  | /apps/org.sextant.srv6/srv6/block      | ff02:1:: is multicast",
                "'fcbb:bbbb::/32'         | 'fe80:1::/32'            | INVALID  | /apps/org.sextant.srv6/srv6/block      | fe80:1:: is link-local",
                "'fcbb:bbbb::/32'         | 'fcbb:bbbb:1::/32'       | INVALID  | /apps/org.sextant.srv6/srv6/block      | bits set behind its length",
                "'fcbb:bbbb::/32'         | '10.0.0.0/8'             | INVALID  | /apps/org.sextant.srv6/srv6/block      | a block is an IPv6 prefix",
                "'block': 'fcbb:bbbb::/32'|                          | INVALID  | /devices/device:a/srv6/block           | has no block",
                "'uSid': '0100'           | 'uSid': '0100', 'format': 'F3217'             | INVALID | /devices/device:a/srv6/format | did you mean F3216?",
                "'uSid': '0100'           | 'uSid': '0100', 'format': {'block': 33, 'usid': 16} | INVALID | /devices/device:a/srv6/format | in whole bytes, not 33",
                "'uSid': '0100'           | 'uSid': '0100', 'block': 'fcbb::/112', 'format': {'block': 112, 'usid': 16} | INVALID | /devices/device:a/srv6/format | leaves no room for a node's uSID and a local one behind it",
                "'uSid': '0100'           | 'uSid': '0100', 'format': {'block': 32, 'usid': 16, 'localStart': 'e001'} | INVALID | /devices/device:a/srv6/format | starts within 2 to e000, where the uA begin, not at e001",
                "'uSid': '0100'           | 'uSid': '0100', 'encapSource': '::' | INVALID | /devices/device:a/srv6/encapSource | the unspecified address",
                "'uSid': '0100'           | 'uSid': '0100', 'encapSource': 'fcbb:bbbb:100::1' | CONFLICT | /devices/device:a/srv6/encapSource | lies among the SIDs of node a, fcbb:bbbb:100::/48",
                "'uSid': '0100'           | 'uSid': '0100', 'encapSource': 'fcbb:bbbb:200::' | CONFLICT | /devices/device:a/srv6/encapSource | lies among the SIDs of node b",
                "'fd00::1/64'             | 'fcbb:bbbb:200::1/64'    | CONFLICT | /ports/device:a~12/interfaces          | lies among the SIDs of node b",
                "'ips': ['fd00::2']       | 'ips': ['fcbb:bbbb:100::2'] | CONFLICT | /hosts/02:00:00:00:00:01~1None/basic/ips | lies among the SIDs of node a",
                "'ips': ['fd00::2']       | 'ips': ['224.0.0.5']     | INVALID  | /hosts/02:00:00:00:00:01~1None/basic/ips/0 | 224.0.0.5 is multicast",
                "-device:b/1': {}         | -device:b/1': {'srv6': {'mtuBytes': 1279}}    | INVALID | /links/device:a~11-device:b~11/srv6/mtuBytes  | IPv6 needs 1280",
                "'interfaces': [          | 'srv6': {'role': 'extern'}, 'interfaces': [ | INVALID | /ports/device:a~12/srv6/role | none of external, internal",
                "'devices': { | 'protection': true, 'devices': { | INVALID | /protection | an object is wanted",
                "'devices': { | 'protection': {'link': 1}, 'devices': { | INVALID | /protection/link | true or false",
                "'devices': { | 'protection': {'nodes': true}, 'devices': { | INVALID | /protection/nodes | unknown field",
                "'devices': { | 'protection': {'link': false, 'srlg': true}, 'devices': { | INVALID | /protection/link | from a link, too",
                "'uSid': '0100' | 'uSid': '0100', 'protection': {'link': false, 'node': true} | INVALID | /devices/device:a/srv6/protection/link | too",
                "'uSid': '0100'           | 'uSid': '0100', 'dropSrh': 'yes' | INVALID | /devices/device:a/srv6/dropSrh | wants true or false",
                "'uSid': '0100'           | 'uSid': '0100', 'format': 7 | INVALID | /devices/device:a/srv6/format      | a string is wanted here",
                "'uSid': '0100'           | 'uSid': '0100', 'encapSource': '10.0.0.1' | INVALID | /devices/device:a/srv6/encapSource | not an IPv6 address",
                "'uSid': '0100'           | 'uSid': '0100', 'gtpLocator': 'fd00::/56' | INVALID | /devices/device:a/srv6/gtpLocator | leave room for a function",
                "'uSid': '0100'           | 'uSid': '0100', 'gtpLocator': 'fcbb:bb00::/24' | CONFLICT | /devices/device:a/srv6/gtpLocator | overlap",
                "'uSid': '0100'           | 'uSid': '0100', 'gtpLocator': 'fd00::/48' | CONFLICT | /hosts/02:00:00:00:00:01~1None/basic/ips | lies among the SIDs of node a",
                "'uSid': '0100'           | 'uSid': '0100', 'encapSource': 'fd00::2' | CONFLICT | /hosts/02:00:00:00:00:01~1None/basic/ips | taken by node a",
                "'name': 'b'              | 'name': 'a'              | CONFLICT | /devices/device:b/basic/name           | is taken by device device:a",
                "'name': 'h'              | 'name': 'a'              | CONFLICT | /hosts/02:00:00:00:00:01~1None/basic/name | is taken by device device:a",
                "'name': 'b'              | 'name': 'b b'            | INVALID  | /devices/device:b/basic/name           | is not a name",
                "'name': 'b'              | 'name': 'b', 'locType': 'grid', 'gridX': 1  | INVALID | /devices/device:b/basic/gridY | is missing",
                "'name': 'b'              | 'name': 'b', 'locType': 'moon' | INVALID | /devices/device:b/basic/locType  | none of grid, geo, none",
                "'02:00:00:00:01:02'      | '02:00:00:00:01'         | INVALID  | /ports/device:a~12/interfaces/0/mac    | not a MAC address",
                "'fd00::1/64'             | 'fd00::1/129'            | INVALID  | /ports/device:a~12/interfaces/0/ips/0  | not within 0 to 128",
                "'fd00::1/64'             | 'fd00::2/64'             | CONFLICT | /hosts/02:00:00:00:00:01~1None/basic/ips | taken by port a/2",
                "'device:a/2': {'inter    | 'device:z/2': {'inter    | UNKNOWN  | /ports/device:z~12                     | there is no device",
                "02:00:00:00:00:01/None   | 02:00:00:00:00:0z/None   | INVALID  | /hosts/02:00:00:00:00:0z~1None         | not a MAC address",
                "02:00:00:00:00:01/None   | 02:00:00:00:00:01/7      | INVALID  | /hosts/02:00:00:00:00:01~17            | does not name a host",
                "'ips': ['fd00::2']       | 'ips': ['fd00::2/64']    | INVALID  | /hosts/02:00:00:00:00:01~1None/basic/ips/0 | not an IPv6 address",
                "'ips': ['fd00::2']       | 'ips': 'fd00::2'         | INVALID  | /hosts/02:00:00:00:00:01~1None/basic/ips | wants a list",
                "['device:a/2']           | ['device:a/1']           | CONFLICT | /hosts/02:00:00:00:00:01~1None/basic/locations | carries the link",
                "['device:a/2']           | ['device:q/1']           | UNKNOWN  | /hosts/02:00:00:00:00:01~1None/basic/locations | there is no device",
                "['device:a/2']           | []                       | INVALID  | /hosts/02:00:00:00:00:01~1None/basic/locations | has 0 locations",
                "'links': {               | 'linkz': {}, 'links': 3, 'x': { | INVALID | /links                           | an object is wanted here"
            })
    void a_fault_is_one_problem_with_its_place_and_a_remedy(
            String original, String fault, Problem.Code code, String field, String message) {
        List<Problem> problems = small(original, fault == null ? "" : fault).problems();
        assertThat(problems)
                .filteredOn(problem -> problem.field().equals(field))
                .singleElement()
                .satisfies(problem -> {
                    assertThat(problem.code()).isEqualTo(code);
                    assertThat(problem.toString()).contains(message);
                    assertThat(problem.remedy()).isNotEmpty();
                });
    }

    @Test
    void all_faults_are_reported_at_once() {
        NetworkFile.Reading reading = NetworkFile.parse(SMALL.replace('\'', '"')
                .replace("device:b/1\"", "device:c/1\"")
                .replace("\"0100\"", "\"0\"")
                .replace("00:01/None", "00:0x/None"));
        assertThat(reading.problems())
                .extracting(Problem::field)
                .containsExactly(
                        "/devices/device:a/srv6/uSid",
                        "/links/device:a~11-device:c~11",
                        "/hosts/02:00:00:00:00:0x~1None");
        assertThatThrownBy(reading::orThrow).isInstanceOf(ProblemException.class);
    }

    @Test
    void a_fault_that_all_nodes_share_is_reported_once() {
        assertThat(small("'fcbb:bbbb::/32'", "'fcbb:bbbb:1::/32'").problems())
                .extracting(Problem::field)
                .containsExactly("/apps/org.sextant.srv6/srv6/block");
        assertThat(small("'fcbb:bbbb::/32'", "'fcbb:bbbb::/48'").problems())
                .extracting(Problem::field)
                .containsExactly("/apps/org.sextant.srv6/srv6/block");
    }

    @Test
    void a_block_within_another_makes_two_nodes_answer_to_one_sid() {
        String wide = "'uSid': 'bbbb', 'block': 'fcbb::/16', 'format': 'F1616'";
        assertThat(small("'uSid': '0100'", wide).problems())
                .singleElement()
                .satisfies(problem -> assertThat(problem.message()).contains("fcbb:bbbb::/32 of node a covers"));
    }

    @Test
    void text_that_is_not_json_or_too_much_of_it_is_a_problem_of_the_whole() {
        assertThat(messages("{\"devices\": ")).contains("not JSON");
        assertThat(messages("[1]")).contains("an object is wanted here");
        assertThat(messages("")).contains("empty");
        assertThat(messages("{\"a\":1,\"a\":2}")).contains("the field 'a' is there twice");
        assertThat(messages("[".repeat(100_000))).contains("nested deeper than 32");
        assertThat(NetworkFile.parse(new byte[NetworkFile.MAX_BYTES + 1]).problems())
                .singleElement()
                .satisfies(problem -> assertThat(problem.message()).contains("larger than 16777216 bytes"));
    }

    @Test
    void a_thousand_faults_are_summed_up() {
        StringBuilder links = new StringBuilder("{\"links\":{");
        for (int i = 0; i < 1000; i++) {
            links.append(i == 0 ? "" : ",").append("\"x").append(i).append("\":{}");
        }
        List<Problem> problems =
                NetworkFile.parse(links.append("}}").toString()).problems();
        assertThat(problems).hasSize(201);
        assertThat(problems.get(200).message()).isEqualTo("there are 800 more problems");
    }

    @Test
    void measured_delays_count_where_the_file_says_so() {
        assertThat(small("", "").orThrow().rules().measuredDelay()).isFalse();
        Network network = small("{'apps'", "{'measuredDelay': true, 'apps'").orThrow();
        assertThat(network.rules().measuredDelay()).isTrue();
        assertThat(NetworkFile.read(NetworkFile.write(network)).orThrow()).isEqualTo(network);
        assertThat(small("{'apps'", "{'measuredDelay': 'yes', 'apps'").problems())
                .extracting(Problem::field)
                .containsExactly("/measuredDelay");
    }

    @Test
    void a_wait_to_restore_is_of_the_whole_network() {
        assertThat(small("", "").orThrow().rules().waitToRestore()).isEqualTo(Duration.ofSeconds(10));
        for (int millis : List.of(0, 1, 10_000, 3_600_000)) {
            Network network = small("{'apps'", "{'waitToRestoreMillis': " + millis + ", 'apps'")
                    .orThrow();
            assertThat(network.rules().waitToRestore()).isEqualTo(Duration.ofMillis(millis));
            assertThat(NetworkFile.read(NetworkFile.write(network)).orThrow()).isEqualTo(network);
        }
        assertThat(small("'block'", "'waitToRestoreMillis': 500, 'block'")
                        .orThrow()
                        .rules()
                        .waitToRestore())
                .isEqualTo(Duration.ofMillis(500));
        for (String wrong : List.of("-1", "3600001", "'10 s'", "1.5")) {
            assertThat(small("{'apps'", "{'waitToRestoreMillis': " + wrong + ", 'apps'")
                            .problems())
                    .extracting(Problem::field)
                    .containsExactly("/waitToRestoreMillis");
        }
    }

    @Test
    void a_time_to_drain_is_of_the_whole_network() {
        assertThat(small("", "").orThrow().rules().drainAfter()).isEqualTo(Duration.ofMinutes(10));
        for (int millis : List.of(0, 1, 600_000, 86_400_000)) {
            Network network = small("{'apps'", "{'drainAfterMillis': " + millis + ", 'apps'")
                    .orThrow();
            assertThat(network.rules().drainAfter()).isEqualTo(Duration.ofMillis(millis));
            assertThat(NetworkFile.read(NetworkFile.write(network)).orThrow()).isEqualTo(network);
        }
        assertThat(small("'block'", "'drainAfterMillis': 500, 'block'")
                        .orThrow()
                        .rules()
                        .drainAfter())
                .isEqualTo(Duration.ofMillis(500));
        for (String wrong : List.of("-1", "86400001", "'10 s'", "1.5")) {
            assertThat(small("{'apps'", "{'drainAfterMillis': " + wrong + ", 'apps'")
                            .problems())
                    .extracting(Problem::field)
                    .containsExactly("/drainAfterMillis");
        }
    }

    @Test
    void what_was_measured_is_not_written() {
        Network network = small("'device:a/1-device:b/1': {}", "'device:a/1-device:b/1': {'srv6': {'delayMicros': 7}}")
                .orThrow();
        Network measured = new Network(
                network.nodes().values(),
                network.links().stream()
                        .map(link -> link.withMeasuredDelayMicros(900))
                        .toList(),
                network.hosts().values(),
                network.rules());
        assertThat(measured.links()).extracting(Link::knownDelayMicros).containsOnly(900L);
        assertThat(NetworkFile.write(measured)).isEqualTo(NetworkFile.write(network));
    }

    private static String messages(String json) {
        return NetworkFile.parse(json).problems().toString();
    }

    private static NetworkFile.Reading small(String original, String replacement) {
        assertThat(SMALL).contains(original);
        return NetworkFile.parse(SMALL.replace(original, replacement).replace('\'', '"'));
    }

    @Test
    void a_node_is_not_numbered_where_another_node_uses_the_numbers_behind_its_usid() {
        Network network = NetworkFile.parse("""
                {"apps": {"org.sextant.srv6": {"srv6": {"block": "fcbb:bbbb::/32"}}},
                 "devices": {
                   "device:a": {"srv6": {"uSid": "0010"}},
                   "device:b": {"srv6": {"uSid": "0011"}},
                   "device:c": {"srv6": {"uSid": "0020"}},
                   "device:d": {"srv6": {"uSid": "0011", "block": "fcbb:cccc::/32"}}}}
                """).orThrow();
        assertThat(network.nodes().values())
                .extracting(
                        node -> node.name() + " " + node.srv6().orElseThrow().numbered())
                .containsExactly("a false", "b false", "c true", "d false");
    }
}
