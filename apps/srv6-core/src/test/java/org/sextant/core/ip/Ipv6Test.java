// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.ip;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.util.HashMap;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class Ipv6Test {

    @ParameterizedTest
    @CsvSource({
        "::, 0, 0",
        "::1, 0, 1",
        "fcbb:bbbb:200:700:600:500:400:0, fcbbbbbb02000700, 0600050004000000",
        "fcbb:bbbb:300:f00d::, fcbbbbbb0300f00d, 0",
        "2001:db8::1:0:0:1, 20010db800000000, 0001000000000001"
    })
    void text_and_bits(String text, String high, String low) {
        Ipv6 address = Ipv6.parse(text);
        assertThat(address).isEqualTo(new Ipv6(Long.parseUnsignedLong(high, 16), Long.parseUnsignedLong(low, 16)));
        assertThat(address.toString()).isEqualTo(text);
        assertThat(Ipv6.of(address.toBytes())).isEqualTo(address);
    }

    /** RFC 5952, section 4: lower case, no leading zeros, the longest run of zeros, the first of equal ones, never one alone. */
    @ParameterizedTest
    @CsvSource({
        "2001:0DB8:0:0:0:0:0:1, 2001:db8::1",
        "2001:db8:0:1:1:1:1:1, 2001:db8:0:1:1:1:1:1",
        "2001:0:0:1:0:0:0:1, 2001:0:0:1::1",
        "2001:db8:0:0:1:0:0:1, 2001:db8::1:0:0:1",
        "::ffff:10.1.2.3, ::ffff:a01:203",
        "1:2:3:4:5:6:7::, 1:2:3:4:5:6:7:0",
        "::2:3:4:5:6:7:8, 0:2:3:4:5:6:7:8"
    })
    void every_form_is_read_and_one_is_written(String text, String canonical) {
        assertThat(Ipv6.parse(text)).hasToString(canonical);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ":",
                ":::",
                "1",
                "1:2:3:4:5:6:7",
                "1:2:3:4:5:6:7:8:9",
                "1::2::3",
                "12345::",
                "g::",
                "1:2:3:4:5:6:7:8::",
                "::1.2.3",
                "::1.2.3.256",
                "::1.2.3.4:5",
                "1.2.3.4::",
                "fe80::1%eth0",
                " ::1",
                "::1/64",
                "-1::"
            })
    void what_is_not_an_address_is_refused(String text) {
        assertThatThrownBy(() -> Ipv6.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("address");
    }

    @Test
    void a_long_text_is_cut_in_the_message() {
        assertThatThrownBy(() -> Ipv6.parse("1".repeat(10_000)))
                .satisfies(e -> assertThat(e.getMessage()).hasSizeLessThan(100));
        assertThatThrownBy(() -> IpAddress.parse("1".repeat(10_000)))
                .satisfies(e -> assertThat(e.getMessage()).hasSizeLessThan(100));
    }

    @Property
    void bits_agree_with_big_integers(
            @ForAll long high,
            @ForAll long low,
            @ForAll @IntRange(min = 0, max = 128) int count,
            @ForAll long value,
            @ForAll @IntRange(min = 1, max = 64) int length,
            @ForAll @IntRange(min = 0, max = 64) int from) {
        Ipv6 address = new Ipv6(high, low);
        BigInteger number = number(address);
        assertThat(number(address.shiftLeft(count)))
                .isEqualTo(number.shiftLeft(count).mod(BigInteger.ONE.shiftLeft(128)));
        assertThat(number(address.shiftRight(count))).isEqualTo(number.shiftRight(count));
        assertThat(number(address.truncate(count)))
                .isEqualTo(number.shiftRight(128 - count).shiftLeft(128 - count));
        BigInteger mask = BigInteger.ONE.shiftLeft(length).subtract(BigInteger.ONE);
        int right = 128 - from - length;
        assertThat(BigInteger.valueOf(address.bits(from, length)).and(mask))
                .isEqualTo(number.shiftRight(right).and(mask));
        BigInteger placed = BigInteger.valueOf(value).and(mask);
        assertThat(number(address.with(from, length, value)))
                .isEqualTo(number.andNot(mask.shiftLeft(right)).or(placed.shiftLeft(right)));
        assertThat(Ipv6.parse(address.toString())).isEqualTo(address);
        assertThat(Integer.signum(address.compareTo(new Ipv6(low, high))))
                .isEqualTo(number.compareTo(number(new Ipv6(low, high))));
    }

    private static BigInteger number(Ipv6 address) {
        return new BigInteger(1, address.toBytes());
    }

    /** A walk consists of lookups by SID, so the SIDs of one block must not crowd into a few buckets. */
    @Test
    void sids_of_one_block_spread_over_a_hash_table() {
        Map<Integer, Integer> buckets = new HashMap<>();
        for (long node = 1; node <= 4095; node++) {
            int hash = new Ipv6(0xfcbbbbbb00000000L | node << 20, 0).hashCode();
            buckets.merge((hash ^ hash >>> 16) & 8191, 1, Integer::sum);
        }
        assertThat(buckets.values()).allSatisfy(size -> assertThat(size).isLessThan(8));
    }

    @Test
    void prefixes_of_both_families() {
        assertThat(IpPrefix.parse("fcbb:bbbb:300::/44").contains(Ipv6.parse("fcbb:bbbb:30f::1")))
                .isTrue();
        assertThat(IpPrefix.parse("fcbb:bbbb:300::/44").contains(Ipv6.parse("fcbb:bbbb:310::")))
                .isFalse();
        assertThat(IpPrefix.parse("10.0.0.0/8").contains(Ipv6.ZERO)).isFalse();
        assertThat(IpPrefix.parse("0.0.0.0/0").contains(IpAddress.parse("255.255.255.255")))
                .isTrue();
        assertThat(IpPrefix.parse("10.1.2.3")).hasToString("10.1.2.3/32");
        assertThat(IpPrefix.of(Ipv6.parse("fd00::1"), 64)).hasToString("fd00::/64");
        assertThatThrownBy(() -> IpPrefix.parse("fd00::1/64")).hasMessageContaining("did you mean fd00::/64?");
        assertThatThrownBy(() -> IpPrefix.parse("10.0.0.0/33")).hasMessageContaining("not within 0 to 32");
        assertThatThrownBy(() -> IpPrefix.parse("10.0.0.0/")).hasMessageContaining("not a prefix");
        assertThatThrownBy(() -> IpPrefix.parse("10.0.0.0/-1")).hasMessageContaining("not a prefix");
    }

    @ParameterizedTest
    @ValueSource(strings = {"1.2.3", "1.2.3.4.5", "01.2.3.4", "256.1.1.1", "1.2.3.", "a.b.c.d", ""})
    void what_is_not_an_ipv4_address_is_refused(String text) {
        assertThatThrownBy(() -> IpAddress.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void mac_addresses() {
        assertThat(MacAddress.parse("02:00:00:00:0A:ff")).hasToString("02:00:00:00:0a:ff");
        assertThat(MacAddress.parse("ff:ff:ff:ff:ff:ff").value()).isEqualTo(0xffffffffffffL);
        assertThatThrownBy(() -> MacAddress.parse("02:00:00:00:0a")).hasMessageContaining("not a MAC address");
        assertThatThrownBy(() -> new MacAddress(1L << 48)).hasMessageContaining("48 bits");
    }
}
