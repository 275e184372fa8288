// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.rest;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class VersionResourceTest {
    @Test
    void it_is_that_of_the_interface_also_outside_of_a_container() {
        assertThat(Client.of(new VersionResource()).get("version").json().toString())
                .isEqualTo("{\"version\":\"\",\"api\":\"1\"}");
    }
}
