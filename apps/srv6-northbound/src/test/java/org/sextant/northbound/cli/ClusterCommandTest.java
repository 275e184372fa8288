// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.sextant.northbound.cluster.Clusters.lost;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.sextant.core.fake.FakeCoordination;
import org.sextant.core.fake.FakeInventory;
import org.sextant.core.net.NetworkFile;

@DisplayNameGeneration(ReplaceUnderscores.class)
class ClusterCommandTest {

    @Test
    void members_are_a_table_and_nodes_of_nobody_a_line() {
        FakeCoordination coordination = new FakeCoordination();
        coordination.cluster(List.of(lost("c2")), key -> key.equals("b") ? Optional.empty() : Optional.of("c1"));
        NetworkCommands controller = new NetworkCommands();
        controller.coordination = coordination;
        controller.inventory = new FakeInventory(NetworkFile.parse("""
                {"devices": {"device:a": {"basic": {"name": "a"}}, "device:b": {"basic": {"name": "b"}}}}""").orThrow());
        Typed typed = Typed.run(new ClusterCommand(controller), new String[0]);
        assertThat(typed.err()).isEmpty();
        assertThat(typed.out())
                .containsPattern("c1 +true +READY +2026-11-23 06:43:00 UTC +192.0.2.1 +1 +a\n")
                .containsPattern("c2 +false +LOST ")
                .endsWith("what belongs to no node is settled by c1\nnobody acts for b\n");
        assertThat(Typed.run(new ClusterCommand(controller), new String[] {"--json"})
                        .json()
                        .at("/members/1/state"))
                .hasToString("\"LOST\"");
    }
}
