// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent;

import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.sextant.core.port.DataPlane.Code;
import org.sextant.core.port.DataPlane.Failure;

/** What readers see: immutable statuses, published by the engine's thread and read from any. */
final class Views {
    private final NavigableMap<IntentRef, IntentStatus<Object>> published = new ConcurrentSkipListMap<>();
    private final Clock clock;
    private final Events events;
    private final Reports reports;
    private final Predicate<String> isMine;

    /** @param isMine whether this controller handles a node */
    Views(Clock clock, Events events, Reports reports, Predicate<String> isMine) {
        this.clock = clock;
        this.events = events;
        this.reports = reports;
        this.isMine = isMine;
    }

    NavigableMap<IntentRef, IntentStatus<Object>> published() {
        return published;
    }

    /** Computes an intent's state again and tells listeners if anything they see changed. */
    void refresh(Tracked intent) {
        if (intent.removed) {
            return;
        }
        if (reports.about(intent)) {
            report(intent);
        }
        IntentState state = state(intent);
        IntentStatus<Object> before = published.get(intent.ref);
        if (before == null || before.state() != state) {
            intent.since = Instant.now(clock);
        }
        intent.state = state;
        IntentStatus<Object> status = new IntentStatus<>(
                intent.ref.kind(), intent.intent, state, intent.plan,
                state == IntentState.INSTALLED ? List.of() : troubles(intent), intent.since);
        if (!Objects.equals(before, status)) {
            published.put(intent.ref, status);
            if (before == null || before.state() != state || before.plan() != status.plan()) {
                events.emit(new EngineEvent.IntentChanged(intent.ref, state));
            }
        }
        if (!intent.unheard) {
            intent.endHearing();
        }
    }

    /** Tells the other controllers what became of the intent at the nodes of this one, and looks who else has to tell. */
    private void report(Tracked intent) {
        if (intent.phase != Tracked.Phase.RESTING) {
            return;
        }
        Map<NodeTable, List<Tracked.Cell>> byNode = new LinkedHashMap<>();
        intent.target.forEach(cell -> byNode.computeIfAbsent(cell.row().node, node -> new ArrayList<>()).add(cell));
        boolean unheard = false;
        for (Map.Entry<NodeTable, List<Tracked.Cell>> there : byNode.entrySet()) {
            NodeTable node = there.getKey();
            if (!node.mine) {
                unheard |= reports.heard(intent, node).isEmpty();
            } else if (node.state() != NodeStatus.State.READING) {
                Reports.Report report = summary(intent, node, there.getValue());
                boolean onItsWay = report.state() == EntryState.PENDING && report.failure().isEmpty();
                if (!onItsWay) {
                    reports.tell(intent, node, report);
                }
            }
        }
        Set<String> wanted = byNode.keySet().stream().map(node -> node.name).collect(Collectors.toSet());
        reports.takeBack(intent, name -> !wanted.contains(name) && isMine.test(name));
        intent.unheard = unheard;
    }

    private Reports.Report summary(Tracked intent, NodeTable node, List<Tracked.Cell> cells) {
        Reports.Report worst = new Reports.Report(intent.digest(node), EntryState.INSTALLED, Optional.empty());
        for (Tracked.Cell cell : cells) {
            EntryState state = state(intent, cell);
            if (state == EntryState.FAILED || state == EntryState.PENDING && worst.state() == EntryState.INSTALLED) {
                worst = new Reports.Report(worst.plan(), state, reason(intent, cell.row()));
            }
            if (state == EntryState.FAILED) {
                break;
            }
        }
        return worst;
    }

    void remove(Tracked intent) {
        if (reports.about(intent)) {
            reports.takeBack(intent, isMine);
        }
        intent.unheard = false;
        intent.endHearing();
        if (published.remove(intent.ref) != null) {
            events.emit(new EngineEvent.IntentRemoved(intent.ref));
        }
    }

    private IntentState state(Tracked intent) {
        if (intent.phase != Tracked.Phase.RESTING) {
            return IntentState.PENDING;
        }
        if (!intent.plan.feasible()) {
            return IntentState.FAILED;
        }
        boolean all = intent.current();
        boolean any = !intent.current() && !intent.active.isEmpty();
        boolean refused = !intent.failures.isEmpty();
        for (Tracked.Cell cell : intent.target) {
            EntryState state = state(intent, cell);
            boolean mine = cell.row().node.mine;
            boolean fine = state == EntryState.INSTALLED || !mine && !reports.about(intent);
            all &= fine;
            any |= state == EntryState.INSTALLED && (!mine || cell.row().activeOf(intent) != null)
                    || leftOver(intent, cell.row());
            refused |= state == EntryState.FAILED;
        }
        if (all) {
            return IntentState.INSTALLED;
        }
        if (intent.unheard && intent.current() && !refused) {
            return IntentState.PENDING;
        }
        if (any || intent.current() && intent.kind.atomic()) {
            return IntentState.DEGRADED;
        }
        return refused ? IntentState.FAILED : IntentState.PENDING;
    }

    /** What an earlier run may have installed for it, and no other intent has now. */
    private static boolean leftOver(Tracked intent, Row row) {
        return intent.inherited && row.node.known && row.held != null && row.wanted() == null;
    }

    private List<EntryStatus> troubles(Tracked intent) {
        return intent.target.stream()
                .filter(cell -> state(intent, cell) != EntryState.INSTALLED)
                .map(cell -> status(intent, cell))
                .toList();
    }

    /** Every wanted entry that passes, one per row, with all its owners. */
    List<EntryStatus> entries(Iterable<Tracked> intents, EntryFilter filter) {
        SortedMap<String, SortedMap<org.sextant.core.table.Entry.Key, EntryStatus>> byNode = new TreeMap<>();
        for (Tracked intent : intents) {
            for (Tracked.Cell cell : intent.target) {
                if (filter.node().map(cell.row().node.name::equals).orElse(true)) {
                    byNode.computeIfAbsent(cell.row().node.name, node -> new TreeMap<>())
                            .merge(cell.row().key, status(intent, cell), Views::shared);
                }
            }
        }
        return byNode.values().stream().flatMap(rows -> rows.values().stream()).filter(filter::accepts).toList();
    }

    private static EntryStatus shared(EntryStatus one, EntryStatus other) {
        EntryStatus better = other.state() == EntryState.INSTALLED ? other : one;
        List<IntentRef> owners = new ArrayList<>(one.owners());
        owners.addAll(other.owners());
        return new EntryStatus(
                better.node(), better.entry(), better.state(), better.failure(), owners, better.counters());
    }

    private EntryState state(Tracked intent, Tracked.Cell cell) {
        Row row = cell.row();
        if (!row.node.mine && reports.about(intent)) {
            return reports.heard(intent, row.node).map(Reports.Report::state).orElse(EntryState.PENDING);
        }
        if (row.node.mine && row.node.known && row.holds(cell.entry())) {
            return EntryState.INSTALLED;
        }
        boolean refused = row.node.known && row.failure != null;
        return refused || intent.failures.containsKey(row) ? EntryState.FAILED : EntryState.PENDING;
    }

    private EntryStatus status(Tracked intent, Tracked.Cell cell) {
        EntryState state = state(intent, cell);
        Optional<Failure> failure = state == EntryState.INSTALLED ? Optional.empty() : reason(intent, cell.row());
        return new EntryStatus(
                cell.row().node.name, cell.entry(), state, failure, List.of(intent.ref),
                Optional.ofNullable(cell.row().counters));
    }

    /** Why an entry is not installed: its own refusal, its node, or another entry that took it along. */
    private Optional<Failure> reason(Tracked intent, Row row) {
        if (!row.node.mine && reports.about(intent)) {
            return reports.heard(intent, row.node).map(Reports.Report::failure).orElseGet(() -> Optional.of(new Failure(
                    Code.UNAVAILABLE, "node " + row.node.name + ": another controller handles it and has not told yet")));
        }
        Failure own = intent.failures.getOrDefault(row, row.failure);
        if (own != null) {
            return Optional.of(own);
        }
        if (row.node.state() != NodeStatus.State.SYNCED) {
            return Optional.of(new Failure(Code.UNAVAILABLE, "node " + row.node.name + ": " + row.node.why()));
        }
        if (!intent.failures.isEmpty()) {
            Row refused = intent.failures.keySet().stream()
                    .min((a, b) -> a.node == b.node ? a.key.compareTo(b.key) : a.node.name.compareTo(b.node.name))
                    .orElseThrow();
            return Optional.of(new Failure(
                    Code.FAILED_PRECONDITION, "node " + refused.node.name + " refused " + refused.key + ", so none is installed"));
        }
        return intent.waitingFor.stream().sorted().findFirst().map(name -> new Failure(
                Code.UNAVAILABLE, "it waits for node " + name + ", without which none is installed"));
    }
}
