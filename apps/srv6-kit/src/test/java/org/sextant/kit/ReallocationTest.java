// SPDX-License-Identifier: Apache-2.0
package org.sextant.kit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sextant.core.net.Node;

/** Only the kernel's lightweight tunnels reallocate twice (paper on double reallocation, section 2). */
class ReallocationTest {
    /** A list that pushes 256 bytes reduced, as in the paper's Table 1. */
    private static final int TWICE_REDUCED = 14;

    @ParameterizedTest
    @ValueSource(strings = {"", "org.sextant.linux"})
    void a_Linux_headend_reallocates_twice_for_256_bytes(String pipeconf) {
        Reallocation reallocation = Reallocation.of(node(pipeconf), true, TWICE_REDUCED);
        assertThat(reallocation.verdict().twice()).isTrue();
        assertThat(reallocation.avoidedBy()).isEqualTo("\"encapsulation\": \"full\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"org.sextant.vpp", "org.sextant.bmv2"})
    void another_data_plane_never_does(String pipeconf) {
        Reallocation reallocation = Reallocation.of(node(pipeconf), true, TWICE_REDUCED);
        assertThat(reallocation.verdict().twice()).isFalse();
        assertThat(reallocation.verdict().headerBytes()).isEqualTo(256);
    }

    @Test
    void a_gateway_that_pushes_by_its_own_program_never_does() {
        assertThat(Reallocation.ofGateway(node("org.sextant.linux"), TWICE_REDUCED)
                        .json()
                        .toString())
                .isEqualTo("{\"node\":\"l1\",\"headerBytes\":256,\"twice\":false}");
    }

    private static Node node(String pipeconf) {
        return new Node("l1", "device:l1", "", pipeconf, Optional.empty(), new TreeMap<>(), Optional.empty());
    }
}
