// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.sid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

class EncapsulationTest {

    /**
     * Figure 3 of the uSID paper: w waypoints in each of three domains and the egress are 3w + 1 SIDs, six uSIDs to a
     * container. Bytes worked out by hand from the formulas of section IV-B.
     */
    @ParameterizedTest(name = "{0} waypoints per domain")
    @CsvFileSource(files = "../../docs/papers/usid-figure-3.csv", numLinesToSkip = 1)
    void figure_3_of_the_paper(
            int waypoints,
            int sids,
            int containers,
            int plain,
            int usid,
            int crh16,
            int crh32,
            double usidSaving,
            double crh16Saving,
            double crh32Saving) {
        assertThat(3 * waypoints + 1).isEqualTo(sids);
        assertThat((sids + 5) / 6).isEqualTo(containers);
        Encapsulation encapsulation = new Encapsulation(true, containers, sids);
        assertThat(encapsulation.plainSrv6Bytes()).isEqualTo(plain);
        assertThat(encapsulation.bytes()).isEqualTo(usid);
        assertThat(encapsulation.crh16Bytes()).isEqualTo(crh16);
        assertThat(encapsulation.crh32Bytes()).isEqualTo(crh32);
        assertThat(encapsulation.savingPercent()).isCloseTo(usidSaving, within(0.001));
        assertThat(encapsulation.savingPercent(crh16)).isCloseTo(crh16Saving, within(0.001));
        assertThat(encapsulation.savingPercent(crh32)).isCloseTo(crh32Saving, within(0.001));
    }

    @Test
    void the_policy_of_figure_4_costs_64_bytes_and_24_less_with_the_44_numbering() {
        assertThat(new Encapsulation(true, 2, 7).bytes()).isEqualTo(64);
        assertThat(new Encapsulation(true, 1, 7).bytes()).isEqualTo(64 - 24);
    }

    @Test
    void one_identifier_needs_no_routing_header() {
        Encapsulation one = new Encapsulation(true, 1, 1);
        assertThat(one.bytes()).isEqualTo(40);
        assertThat(one.plainSrv6Bytes()).isEqualTo(40);
        assertThat(one.crh16Bytes()).isEqualTo(48);
        assertThat(one.crh32Bytes()).isEqualTo(48);
        assertThat(one.savingPercent()).isZero();
        assertThat(one.savingPercent(one.crh16Bytes())).isEqualTo(-20.0);
    }

    @Test
    void without_reduction_every_segment_is_in_the_srh() {
        assertThat(new Encapsulation(false, 1, 4).bytes()).isEqualTo(64);
        assertThat(new Encapsulation(false, 2, 4).bytes()).isEqualTo(80);
    }

    @Test
    void an_srh_holds_127_segments_and_a_reduced_list_has_one_more() {
        assertThat(new Encapsulation(true, 128, 128).bytes()).isEqualTo(40 + 2040);
        assertThat(new Encapsulation(false, 127, 127).bytes()).isEqualTo(40 + 2040);
        assertThatThrownBy(() -> new Encapsulation(true, 129, 129))
                .hasMessageContaining("129 segments do not fit into an SRH, which holds 128");
        assertThatThrownBy(() -> new Encapsulation(false, 128, 128)).hasMessageContaining("holds 127 with H.Encaps");
        assertThatThrownBy(() -> new Encapsulation(true, 0, 1)).hasMessageContaining("at least one segment");
    }
}
