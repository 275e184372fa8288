// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.events;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.sextant.core.intent.CompilerStatus;
import org.sextant.core.intent.CompilerVersions;
import org.sextant.core.intent.DriftReport;
import org.sextant.core.intent.EngineEvent;
import org.sextant.core.intent.IntentRef;
import org.sextant.core.intent.IntentState;
import org.sextant.core.net.Link;
import org.sextant.core.net.Network;
import org.sextant.core.net.Node;
import org.sextant.core.net.Overload;
import org.sextant.core.port.DataPlane.Code;
import org.sextant.core.port.DataPlane.Failure;
import org.sextant.core.table.Entry;

@DisplayNameGeneration(ReplaceUnderscores.class)
class LogWordsTest {
    private static final IntentRef GOLD = new IntentRef("policy", "gold");
    private final LogWords words = new LogWords("provisioning"::equals);

    @Test
    void both_directions_of_a_link_are_one_event() {
        assertThat(words.of(network(true, true), network(false, false)))
                .singleElement()
                .satisfies(entry -> {
                    assertThat(entry.text()).isEqualTo("link l1-l2 is down");
                    assertThat(entry.subject()).isEqualTo(new LogSubject("link", "l1/1-l2/1"));
                    assertThat(entry.severity()).isEqualTo(Severity.WARNING);
                });
        assertThat(texts(words.of(network(false, false), network(false, true))))
                .containsExactly("link l1-l2 is down from l1 to l2");
        assertThat(texts(words.of(network(false, true), network(true, true))))
                .containsExactly("link l1-l2 is up again");
        assertThat(words.of(network(true, true), network(true, true))).isEmpty();
    }

    @Test
    void a_node_is_overloaded_drained_and_neither() {
        Network before = network(true, true);
        Network overloaded = before.withOverloads(new TreeMap<>(Map.of("l1", new Overload(Instant.EPOCH, false))));
        Network drained = before.withOverloads(new TreeMap<>(Map.of("l1", new Overload(Instant.EPOCH, true))));
        assertThat(texts(words.of(before, overloaded)))
                .containsExactly("l1 is overloaded: new paths avoid it, and others stay");
        assertThat(texts(words.of(overloaded, drained)))
                .containsExactly("l1 is drained: paths that can avoid it leave it");
        assertThat(texts(words.of(drained, before)))
                .containsExactly("l1 is not overloaded any more: paths use it again");
    }

    @Test
    void another_description_is_told_of() {
        Network empty = new Network(List.of(), List.of(), List.of());
        assertThat(texts(words.of(empty, network(true, true))))
                .containsExactly("the description of the network changed: 2 nodes, 1 links");
    }

    @Test
    void an_intent_is_told_of_when_it_rests_in_another_state() {
        assertThat(tell(
                        changed(GOLD, IntentState.PENDING),
                        changed(GOLD, IntentState.INSTALLED),
                        changed(GOLD, IntentState.PENDING),
                        changed(GOLD, IntentState.INSTALLED),
                        changed(GOLD, IntentState.DEGRADED),
                        new EngineEvent.IntentRemoved(GOLD)))
                .containsExactly(
                        "policy gold is installed",
                        "policy gold is degraded: not all of it is on its nodes",
                        "policy gold is gone");
    }

    @Test
    void what_follows_from_the_network_is_told_of_the_node() {
        IntentRef routes = new IntentRef("provisioning", "l1");
        assertThat(tell(changed(routes, IntentState.FAILED), new EngineEvent.IntentRemoved(routes)))
                .isEmpty();
    }

    @Test
    void a_path_is_told_of_in_the_words_of_its_app() {
        assertThat(tell(new EngineEvent.IntentReported(GOLD, "path 2", true, "path 2 is silent")))
                .containsExactly("policy gold: path 2 is silent");
    }

    @Test
    void drift_is_counted_by_its_ways() {
        Entry.Key key = new Entry.Key("my_sid", "fcbb:bbbb:100::/48");
        EngineEvent drift = new EngineEvent.DriftFound(
                "l1",
                List.of(
                        new DriftReport.Drift(DriftReport.Kind.EXTRA, key),
                        new DriftReport.Drift(DriftReport.Kind.MISSING, key)));
        assertThat(tell(drift))
                .containsExactly("l1 held other entries than was wanted (1 missing, 1 extra), they are repaired;"
                        + " the first: " + key);
    }

    @Test
    void an_audit_says_what_it_found_and_whom_it_did_not_reach() {
        SortedMap<String, String> unread = new TreeMap<>();
        assertThat(tell(new EngineEvent.AuditEnded(new DriftReport(new TreeMap<>(), unread))))
                .containsExactly("a drift check found nothing to repair");
        unread.put("l1", "UNAVAILABLE: io exception");
        assertThat(tell(new EngineEvent.AuditEnded(new DriftReport(new TreeMap<>(), unread))))
                .containsExactly("a drift check found nothing to repair, not read: l1");
    }

    @Test
    void a_refusal_and_a_defect_are_errors() {
        Entry.Key key = new Entry.Key("my_sid", "fcbb:bbbb:100::/48");
        assertThat(tell(
                        new EngineEvent.EntryRefused("l1", key, new Failure(Code.INVALID_ARGUMENT, "no such action")),
                        new EngineEvent.Fault("compile policy/gold", new IllegalStateException("secret")),
                        new EngineEvent.EntriesWritten("l1", 1, 0, 0)))
                .containsExactly(
                        "l1 refused the entry " + key + ": no such action",
                        "a defect was contained, in compile policy/gold; the controller's own log has the rest");
    }

    @Test
    void a_compiler_version_is_reported_and_a_warning_where_the_controller_stands_aside() {
        CompilerVersions own = new CompilerVersions(1, 2);
        EngineEvent followed =
                new EngineEvent.CompilerVersionChanged(new CompilerStatus(2, own, new TreeMap<>(), Optional.empty()));
        EngineEvent aside = new EngineEvent.CompilerVersionChanged(new CompilerStatus(
                3,
                own,
                new TreeMap<>(),
                Optional.of("the cluster's compiler version is 3, and it can compile 1 to 2")));
        assertThat(tell(followed, aside))
                .containsExactly(
                        "this controller compiles intents by compiler version 2",
                        "this controller writes no node: the cluster's compiler version is 3, and it can compile 1 to 2");
        assertThat(words.of(new EngineEvent.CompilerMembersChanged(CompilerStatus.single(own))))
                .isEmpty();
        assertThat(words.of(aside)).map(LogEntry::severity).contains(Severity.WARNING);
    }

    private static EngineEvent changed(IntentRef ref, IntentState state) {
        return new EngineEvent.IntentChanged(ref, state);
    }

    private List<String> tell(EngineEvent... events) {
        return texts(Stream.of(events).map(words::of).flatMap(Optional::stream).toList());
    }

    private static List<String> texts(List<LogEntry> entries) {
        return entries.stream().map(LogEntry::text).toList();
    }

    private static Network network(boolean there, boolean back) {
        List<Node> nodes = Stream.of("l1", "l2")
                .map(name ->
                        new Node(name, "device:" + name, "", "", Optional.empty(), new TreeMap<>(), Optional.empty()))
                .toList();
        Link.End one = new Link.End("l1", 1);
        Link.End other = new Link.End("l2", 1);
        return new Network(
                nodes,
                List.of(
                        new Link(one, other, 10, 10, 0, 0, Set.of(), Set.of(), there),
                        new Link(other, one, 10, 10, 0, 0, Set.of(), Set.of(), back)),
                List.of());
    }
}
