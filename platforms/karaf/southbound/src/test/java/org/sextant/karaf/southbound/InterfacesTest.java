// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.southbound;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.gnmi.proto.Path;
import com.github.gnmi.proto.PathElem;
import com.github.gnmi.proto.TypedValue;
import com.google.protobuf.ByteString;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.sextant.core.ip.MacAddress;
import org.sextant.core.port.Telemetry;

@DisplayNameGeneration(ReplaceUnderscores.class)
class InterfacesTest {
    private final Interfaces interfaces = new Interfaces();

    @Test
    void leaves_add_up_to_a_port() {
        set("eth1", text("02:00:00:00:00:01"), "ethernet", "state", "mac-address");
        set("eth1", number(9014), "state", "mtu");
        set("eth1", text("UP"), "state", "oper-status");
        assertThat(interfaces.ports()).as("no number, no port").isEmpty();
        set("eth1", number(3), "state", "id");
        assertThat(interfaces.ports())
                .containsOnly(java.util.Map.entry(
                        3, new PortState(3, "eth1", Optional.of(MacAddress.parse("02:00:00:00:00:01")), 9000, true)));
    }

    @Test
    void the_mtu_is_that_of_ip() {
        set("eth1", number(3), "state", "id");
        set("eth1", number(65535), "state", "mtu");
        set("eth1", number(65575), "subinterfaces", "subinterface", "ipv6", "state", "mtu");
        assertThat(interfaces.ports().get(3).mtuBytes()).isEqualTo(65575);
    }

    @Test
    void a_port_is_up_only_if_it_is_so_both_ways() {
        set("eth1", number(3), "state", "id");
        assertThat(interfaces.ports().get(3).up()).isFalse();
        set("eth1", text("UP"), "state", "oper-status");
        assertThat(interfaces.ports().get(3).up()).isTrue();
        set("eth1", text("DOWN"), "state", "admin-status");
        assertThat(interfaces.ports().get(3).up()).isFalse();
    }

    @Test
    void json_values_with_module_names_are_understood() {
        set("eth1", json("\"3\""), "state", "id");
        set("eth1", json("\"openconfig-interfaces:UP\""), "state", "oper-status");
        assertThat(interfaces.ports().get(3).up()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "SPEED_10MB, 10000",
        "SPEED_2500MB, 2500000",
        "SPEED_10GB, 10000000",
        "SPEED_800GB, 800000000",
        "SPEED_1600GB, 1600000000",
        "openconfig-if-ethernet:SPEED_25GB, 25000000",
        "SPEED_UNKNOWN, 0",
        "SPEED_9999999GB, 0",
        "10GB, 0",
        "'', 0"
    })
    void a_speed_is_the_name_of_its_identity(String identity, long kbps) {
        set("eth1", number(3), "state", "id");
        assertThat(interfaces.ports().get(3).speedKbps()).isZero();
        set("eth1", text(identity), "ethernet", "state", "port-speed");
        assertThat(interfaces.ports().get(3).speedKbps()).isEqualTo(kbps);
        set("eth1", json("\"" + identity + "\""), "ethernet", "state", "port-speed");
        assertThat(interfaces.ports().get(3).speedKbps()).as("as JSON").isEqualTo(kbps);
    }

    @Test
    void what_was_negotiated_counts_more_than_what_is_set() {
        set("eth1", number(3), "state", "id");
        set("eth1", text("SPEED_10GB"), "ethernet", "state", "port-speed");
        set("eth1", text("SPEED_1GB"), "ethernet", "state", "negotiated-port-speed");
        assertThat(interfaces.ports().get(3).speedKbps()).isEqualTo(1_000_000);
        set("eth1", text("SPEED_UNKNOWN"), "ethernet", "state", "negotiated-port-speed");
        assertThat(interfaces.ports().get(3).speedKbps()).isEqualTo(10_000_000);
    }

    @Test
    void counters_are_those_of_ports_that_count_both_ways() {
        set("eth1", number(3), "state", "id");
        set("eth1", number(70), "state", "counters", "in-octets");
        assertThat(interfaces.counters(java.util.Set.of("eth1"))).isEmpty();
        set("eth1", number(80), "state", "counters", "out-octets");
        set("eth9", number(90), "state", "counters", "out-octets");
        assertThat(interfaces.counters(java.util.Set.of("eth1", "eth9")))
                .containsOnly(java.util.Map.entry(3, new org.sextant.core.port.Telemetry.PortCounters(70, 80)));
        set("eth1", number(7), "state", "counters", "in-pkts");
        set("eth1", number(8), "state", "counters", "out-pkts");
        assertThat(interfaces.counters(Set.of("eth1")).get(3).packets())
                .contains(new org.sextant.core.port.Telemetry.Packets(7, 8));
        assertThat(Interfaces.counted(Path.getDefaultInstance(), path("eth1", "state", "counters", "in-octets")))
                .contains("eth1");
        assertThat(Interfaces.counted(Path.getDefaultInstance(), path("eth1", "state", "id")))
                .isEmpty();
    }

    @Test
    void probes_are_those_of_a_node_that_tells_them_apart() {
        set("eth1", number(3), "state", "id");
        set("eth1", number(70), "state", "counters", "in-octets");
        set("eth1", number(80), "state", "counters", "out-octets");
        set("eth1", number(30), "state", "probe-counters", "in-octets");
        set("eth1", number(40), "state", "probe-counters", "out-octets");
        assertThat(interfaces.counters(Set.of("eth1")).get(3).probes())
                .as("not all is there yet")
                .isEmpty();
        set("eth1", number(3), "state", "probe-counters", "in-pkts");
        set("eth1", number(4), "state", "probe-counters", "out-pkts");
        assertThat(interfaces.counters(Set.of("eth1")).get(3).probes())
                .contains(new Telemetry.ProbeCounters(30, 40, new Telemetry.Packets(3, 4)));
        interfaces.remove(Path.getDefaultInstance(), path("eth1", "state", "probe-counters"));
        assertThat(interfaces.counters(Set.of("eth1")).get(3).probes())
                .as("a port that became external")
                .isEmpty();
    }

    @Test
    void a_deleted_interface_is_no_port() {
        set("eth1", number(3), "state", "id");
        interfaces.remove(Path.getDefaultInstance(), path("eth1"));
        assertThat(interfaces.ports()).isEmpty();
    }

    @Test
    void a_deleted_subtree_takes_its_leaves() {
        set("eth1", number(3), "state", "id");
        interfaces.remove(Path.getDefaultInstance(), path("eth1", "state"));
        assertThat(interfaces.ports()).isEmpty();
    }

    @Test
    void nonsense_is_passed_over() {
        set("eth1", number(511), "state", "id");
        set("eth2", text("x"), "state", "id");
        interfaces.set(Path.getDefaultInstance(), Path.getDefaultInstance(), text("x"));
        assertThat(interfaces.ports()).isEmpty();
        set("eth3", number(3), "state", "id");
        set("eth3", text("many"), "state", "counters", "in-octets");
        set("eth3", number(7), "state", "counters", "out-octets");
        assertThat(interfaces.counters(Set.of("eth3"))).isEmpty();
    }

    private void set(String name, TypedValue value, String... leaf) {
        interfaces.set(Path.getDefaultInstance(), path(name, leaf), value);
    }

    private static Path path(String name, String... leaf) {
        Path.Builder path = Path.newBuilder()
                .addElem(PathElem.newBuilder().setName("interfaces"))
                .addElem(PathElem.newBuilder().setName("interface").putKey("name", name));
        for (String step : leaf) {
            path.addElem(PathElem.newBuilder().setName(step));
        }
        return path.build();
    }

    private static TypedValue text(String value) {
        return TypedValue.newBuilder().setStringVal(value).build();
    }

    private static TypedValue number(long value) {
        return TypedValue.newBuilder().setUintVal(value).build();
    }

    private static TypedValue json(String value) {
        return TypedValue.newBuilder()
                .setJsonIetfVal(ByteString.copyFromUtf8(value))
                .build();
    }
}
