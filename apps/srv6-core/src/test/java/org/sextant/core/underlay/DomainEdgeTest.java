// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.underlay;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.sextant.core.net.NetworkFile;
import org.sextant.core.table.EdgeSid;
import org.sextant.core.table.EdgeSource;

@DisplayNameGeneration(ReplaceUnderscores.class)
class DomainEdgeTest {
    private static final DomainEdge EDGE = DomainEdge.of(NetworkFile.parse("""
            {"devices": {
               "device:a": {"srv6": {"block": "fcbb:bbbb::/32", "uSid": "0100", "encapSource": "fcff:1::1",
                                     "gtpLocator": "fd00:e:1::/48"}},
               "device:b": {"srv6": {"block": "fcbb:bbbb::/32", "uSid": "0200"}},
               "device:c": {"srv6": {"block": "5f00::/16", "format": {"block": 16, "usid": 16}, "uSid": "0300"}}},
             "ports": {
               "device:a/1": {"interfaces": [{"ips": ["fd00::1/64", "fe80::1/64", "10.0.0.1/24"]}]},
               "device:b/1": {"interfaces": [{"ips": ["fcff:1::1/128"]}]}}}
            """).orThrow());

    @Test
    void every_format_and_every_gtp_locator_has_sids() {
        assertThat(EDGE.sids())
                .extracting(EdgeSid::toString)
                .containsExactly(
                        "EdgeSid[destination=5f00::/16, open=false]",
                        "EdgeSid[destination=fcbb:bbbb::/32, open=false]",
                        "EdgeSid[destination=fd00:e:1::/48, open=false]");
    }

    /**
     * b and c have no source of their own: it is their SID. No node sends IPv4 or from a link-local address to a SID.
     */
    @Test
    void sources_are_the_sids_what_is_written_into_headers_and_the_addresses_of_ports() {
        assertThat(EDGE.sources().stream().map(EdgeSource::source))
                .map(Object::toString)
                .containsExactly("5f00::/16", "fcbb:bbbb::/32", "fd00:e:1::/48", "fcff:1::1/128", "fd00::1/128");
    }
}
