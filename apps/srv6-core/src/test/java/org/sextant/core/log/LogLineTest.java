// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.System.Logger.Level;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.sextant.core.intent.CompilerStatus;
import org.sextant.core.intent.CompilerVersions;
import org.sextant.core.intent.EngineEvent;
import org.sextant.core.intent.IntentRef;
import org.sextant.core.intent.IntentState;
import org.sextant.core.intent.NodeStatus;
import org.sextant.core.port.DataPlane.Code;
import org.sextant.core.port.DataPlane.Failure;
import org.sextant.core.provision.Provisioning;
import org.sextant.core.table.Entry;

@DisplayNameGeneration(ReplaceUnderscores.class)
class LogLineTest {
    private static final IntentRef GOLD = new IntentRef("policy", "gold");

    @Test
    void a_refused_entry_is_a_warning_with_node_key_and_the_nodes_reason() {
        Failure failure = new Failure(Code.RESOURCE_EXHAUSTED, "the table is full");
        LogLine line = LogLine.of(
                new EngineEvent.EntryRefused("l1", new Entry.Key("my_sid", "sid fcbb:bbbb:100::/48"), failure));
        assertThat(line.level()).isEqualTo(Level.WARNING);
        assertThat(line.text())
                .contains("node=l1", "my_sid", "fcbb:bbbb:100::/48", "RESOURCE_EXHAUSTED", "the table is full");
    }

    @Test
    void what_an_app_reports_of_an_intent_is_a_warning() {
        LogLine line = LogLine.of(new EngineEvent.IntentReported(GOLD, "path 2", true, "path 2 fell silent"));
        assertThat(line.level()).isEqualTo(Level.WARNING);
        assertThat(line.text()).contains("gold", "path 2 fell silent");
    }

    @Test
    void provisioning_that_succeeds_and_what_is_on_its_way_is_for_debugging_only() {
        IntentRef node = new IntentRef(Provisioning.NAME, "l1");
        assertThat(level(node, IntentState.INSTALLED)).isEqualTo(Level.DEBUG);
        assertThat(level(node, IntentState.FAILED)).isEqualTo(Level.INFO);
        assertThat(level(GOLD, IntentState.PENDING)).isEqualTo(Level.DEBUG);
        assertThat(level(GOLD, IntentState.INSTALLED)).isEqualTo(Level.INFO);
    }

    @Test
    void a_node_that_is_lost_is_a_warning_with_the_reason() {
        LogLine lost = node(NodeStatus.State.LOST, "it has not answered a write for 1.0 s");
        assertThat(lost.level()).isEqualTo(Level.WARNING);
        assertThat(lost.text()).isEqualTo("node=l1 state=LOST reason=\"it has not answered a write for 1.0 s\"");
        assertThat(node(NodeStatus.State.READING, "").level()).isEqualTo(Level.DEBUG);
    }

    @Test
    void a_compiler_version_is_logged_and_a_warning_where_the_controller_stands_aside() {
        LogLine followed = compiler(Optional.empty());
        assertThat(followed.level()).isEqualTo(Level.INFO);
        assertThat(followed.text()).isEqualTo("compiler version=2 oldest=1 newest=3");
        LogLine aside = compiler(Optional.of("its compiler versions are not stored yet"));
        assertThat(aside.level()).isEqualTo(Level.WARNING);
        assertThat(aside.text())
                .isEqualTo(
                        "compiler version=2 oldest=1 newest=3 standsAside=\"its compiler versions are not stored yet\"");
    }

    @Test
    void compiler_versions_of_members_are_logged_for_developers() {
        CompilerVersions own = new CompilerVersions(1, 2);
        CompilerStatus status = new CompilerStatus(
                1, own, new TreeMap<>(Map.of("c1", own, "c2", CompilerVersions.FIRST)), Optional.empty());
        assertThat(LogLine.of(new EngineEvent.CompilerMembersChanged(status)))
                .isEqualTo(new LogLine(Level.DEBUG, "compiler members={c1=1 to 2, c2=1}", Optional.empty()));
    }

    private static LogLine compiler(Optional<String> standsAside) {
        CompilerStatus status = new CompilerStatus(2, new CompilerVersions(1, 3), new TreeMap<>(), standsAside);
        return LogLine.of(new EngineEvent.CompilerVersionChanged(status));
    }

    private static LogLine node(NodeStatus.State state, String reason) {
        return LogLine.of(new EngineEvent.NodeChanged(
                new NodeStatus("l1", state, reason, 0, Optional.empty(), Optional.empty())));
    }

    private static Level level(IntentRef intent, IntentState state) {
        return LogLine.of(new EngineEvent.IntentChanged(intent, state)).level();
    }

    @Test
    void a_defect_carries_its_cause() {
        IllegalStateException cause = new IllegalStateException("no");
        LogLine line = LogLine.of(new EngineEvent.Fault("the audit", cause));
        assertThat(line).isEqualTo(new LogLine(Level.ERROR, "fault in the audit", Optional.of(cause)));
    }
}
