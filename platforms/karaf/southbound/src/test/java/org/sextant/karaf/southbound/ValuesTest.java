// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.southbound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.sextant.core.fake.FakeStore;
import p4.v1.P4RuntimeOuterClass.Uint128;

@DisplayNameGeneration(ReplaceUnderscores.class)
class ValuesTest {

    @Test
    void a_management_address_names_host_port_and_device() {
        assertThat(Management.parse("grpc://127.0.0.1:50101?device_id=7"))
                .isEqualTo(new Management("127.0.0.1", 50101, 7, false));
        assertThat(Management.parse("grpcs://n1.example:9559?a=b&device_id=1").tls())
                .isTrue();
        assertThat(Management.parse("grpc://[::1]:1?device_id=1").toString()).isEqualTo("grpc://[::1]:1?device_id=1");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "127.0.0.1:1",
                "http://a:1?device_id=1",
                "grpc://a?device_id=1",
                "grpc://a:1",
                "grpc://a:1?device_id=x",
                "grpc://a b:1"
            })
    void a_wrong_management_address_is_quoted(String text) {
        assertThatThrownBy(() -> Management.parse(text))
                .hasMessageContaining('"' + text + '"')
                .hasMessageContaining("device_id=N");
    }

    @ParameterizedTest
    @CsvSource({"0, 00", "1, 01", "255, ff", "256, 0100", "65536, 010000"})
    void numbers_are_as_short_as_can_be(long value, String hex) {
        byte[] bytes = Packets.Bytes.canonical(value).toByteArray();
        assertThat(java.util.HexFormat.of().formatHex(bytes)).isEqualTo(hex);
        assertThat(Packets.Bytes.number(ByteString.copyFrom(bytes))).isEqualTo(value);
    }

    @Test
    void election_ids_grow_over_restarts_although_the_clock_goes_back() {
        FakeStore store = new FakeStore();
        ElectionIds before = new ElectionIds(store, 1_000_000);
        Uint128 last = LongStream.range(0, 100)
                .mapToObj(i -> before.next())
                .reduce((a, b) -> b)
                .orElseThrow();
        Uint128 first = new ElectionIds(store, 5).next();
        assertThat(first.getLow()).isGreaterThan(last.getLow());
    }

    @Test
    void a_bid_goes_above_what_the_node_has_seen() {
        ElectionIds ids = new ElectionIds(new FakeStore(), 1);
        Uint128 foreign = Uint128.newBuilder().setHigh(3).setLow(9).build();
        assertThat(ids.above(foreign))
                .isEqualTo(Uint128.newBuilder().setHigh(3).setLow(10).build());
        assertThat(ids.above(Uint128.newBuilder().setLow(2).build()).getLow()).isGreaterThan(2);
        assertThat(ids.above(Uint128.newBuilder().setLow(-2).build()).getLow()).isEqualTo(-1);
    }

    @Test
    void delays_double_up_to_a_limit_and_start_over() {
        Backoff backoff = new Backoff(() -> 0.5);
        assertThat(LongStream.range(0, 8).map(i -> backoff.nextMillis()))
                .containsExactly(200L, 400L, 800L, 1600L, 3200L, 6400L, 10_000L, 10_000L);
        backoff.reset();
        assertThat(backoff.nextMillis()).isEqualTo(200);
        assertThat(new Backoff(() -> 0).nextMillis()).isEqualTo(150);
        assertThat(new Backoff(() -> 1).nextMillis()).isEqualTo(250);
    }

    @Test
    void the_cookie_tells_one_pipeline_from_another() {
        Pipeconf linux = Pipeconf.byName("org.sextant.linux").orElseThrow();
        Pipeconf bmv2 = Pipeconf.byName("org.sextant.bmv2").orElseThrow();
        assertThat(linux.cookie())
                .isNotZero()
                .isEqualTo(Pipeconf.byName("org.sextant.linux").orElseThrow().cookie());
        assertThat(bmv2.cookie()).isNotEqualTo(linux.cookie());
        assertThat(linux.deviceConfig()).isEmpty();
        assertThat(bmv2.deviceConfig().toStringUtf8()).startsWith("{");
        assertThat(Pipeconf.byName("org.sextant.nowhere")).isEmpty();
        assertThat(Pipeconf.byName("org.sextant.../../etc/passwd")).isEmpty();
    }
}
