// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.sextant.northbound.cluster.Clusters.lost;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.sextant.core.fake.FakeCoordination;
import org.sextant.core.fake.FakeDataPlane;
import org.sextant.core.fake.FakeInventory;
import org.sextant.core.fake.FakeStore;
import org.sextant.core.intent.CompilerVersions;
import org.sextant.core.intent.EngineSettings;
import org.sextant.core.intent.engine.IntentEngine;
import org.sextant.core.net.Network;
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
        try (IntentEngine engine = engine(CompilerVersions.FIRST, controller)) {
            controller.intents = engine;
            Typed typed = Typed.run(new ClusterCommand(controller), new String[0]);
            assertThat(typed.err()).isEmpty();
            assertThat(typed.out())
                    .containsPattern("c1 +true +READY +2026-11-23 06:43:00 UTC +192.0.2.1 +1 +1 +a\n")
                    .containsPattern("c2 +false +LOST ")
                    .endsWith(
                            "compiler version 1 is in force\nwhat belongs to no node is settled by c1\nno controller acts for b\n");
            assertThat(Typed.run(new ClusterCommand(controller), new String[] {"--json"})
                            .json()
                            .at("/members/1/state"))
                    .hasToString("\"LOST\"");
        }
    }

    @Test
    void a_member_that_holds_the_compiler_version_back_is_a_line() throws Exception {
        assertThat(besideOneWithoutRecord(new CompilerVersions(1, 2)))
                .containsPattern("c1 .* 1 to 2 +0 *\n")
                .containsPattern("c2 .* 1 +0 *\n")
                .contains("\ncompiler version 1 is in force, held back by c2\n")
                .doesNotContain("writes no node");
    }

    @Test
    void a_controller_that_cannot_compile_the_version_in_force_says_why_it_writes_no_node() throws Exception {
        assertThat(besideOneWithoutRecord(new CompilerVersions(2, 3)))
                .contains("this controller writes no node: the cluster's compiler version is 1, "
                        + "and it can compile 2 to 3\n");
    }

    private static String besideOneWithoutRecord(CompilerVersions own) throws Exception {
        FakeCoordination coordination = new FakeCoordination();
        coordination.cluster(List.of(lost("c2")), key -> Optional.of("c1"));
        NetworkCommands controller = new NetworkCommands();
        controller.coordination = coordination;
        controller.inventory = new FakeInventory(Network.EMPTY);
        try (IntentEngine engine = engine(own, controller)) {
            controller.intents = engine;
            engine.start();
            engine.idle().get(20, TimeUnit.SECONDS);
            return Typed.run(new ClusterCommand(controller), new String[0]).out();
        }
    }

    /** The engine of a controller, not started. */
    private static IntentEngine engine(CompilerVersions own, NetworkCommands controller) {
        EngineSettings settings =
                EngineSettings.DEFAULT.withAuditInterval(Duration.ZERO).withCompilers(own);
        return new IntentEngine(
                controller.inventory, new FakeDataPlane(), new FakeStore(), controller.coordination, settings);
    }
}
