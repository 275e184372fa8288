// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent.status;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.sextant.core.intent.EngineEvent;
import org.sextant.core.intent.EngineRuntime;
import org.sextant.core.intent.EntryState;
import org.sextant.core.intent.EntryStatus;
import org.sextant.core.intent.IntentKind;
import org.sextant.core.intent.IntentRef;
import org.sextant.core.intent.IntentState;
import org.sextant.core.intent.IntentStatus;
import org.sextant.core.intent.NodeStatus;
import org.sextant.core.intent.NumberedIntent;
import org.sextant.core.intent.Plan;
import org.sextant.core.intent.ReferencedIntent;
import org.sextant.core.intent.install.EntryReports;
import org.sextant.core.intent.install.IntentIndex;
import org.sextant.core.intent.install.NodeTable;
import org.sextant.core.intent.install.Row;
import org.sextant.core.intent.install.TrackedIntent;
import org.sextant.core.intent.orphan.Orphan;
import org.sextant.core.intent.orphan.OrphanedEntries;
import org.sextant.core.port.DataPlane.Code;
import org.sextant.core.port.DataPlane.Failure;
import org.sextant.core.table.Entry;

/** Statuses as readers see them: immutable, published by the event loop and read from any thread. */
public final class Views {
    private static final Plan NOTHING = Plan.rejected(List.of());

    private final NavigableMap<IntentRef, IntentStatus<Object>> published = new ConcurrentSkipListMap<>();
    private final Map<TrackedIntent, PublishedStatus> shown = new HashMap<>();
    private final EngineRuntime runtime;
    private final EntryReports reports;
    private final IntentReporter reporter;
    private final IntentIndex registry;
    private final OrphanedEntries orphans;
    private final Map<String, NodeTable> nodes;

    Views(
            EngineRuntime runtime,
            EntryReports reports,
            IntentIndex registry,
            OrphanedEntries orphans,
            Map<String, NodeTable> nodes) {
        this.runtime = runtime;
        this.reports = reports;
        this.reporter = new IntentReporter(reports, registry, this);
        this.registry = registry;
        this.orphans = orphans;
        this.nodes = nodes;
    }

    boolean isMine(String node) {
        return nodes.containsKey(node) && nodes.get(node).isMine();
    }

    /** Any thread may call it. */
    public <I> Optional<IntentStatus<I>> get(IntentKind<I> kind, String id) {
        return status(new IntentRef(kind.name(), id)).map(IntentStatus::typed);
    }

    /** Any thread may call it. */
    public Optional<IntentStatus<Object>> status(IntentRef intent) {
        return Optional.ofNullable(published.get(intent));
    }

    /** All intents by kind and id, a view; any thread may call it. */
    public Collection<IntentStatus<Object>> all() {
        return Collections.unmodifiableCollection(published.values());
    }

    /** The intents of a kind whose ids begin so and whose values pass, by id; any thread may call it. */
    public <I> List<IntentStatus<I>> find(IntentKind<I> kind, String beginning, Predicate<I> predicate) {
        List<IntentStatus<I>> found = new ArrayList<>();
        for (IntentStatus<Object> status :
                published.tailMap(new IntentRef(kind.name(), beginning)).values()) {
            if (!status.kind().equals(kind.name()) || !status.id().startsWith(beginning)) {
                break;
            }
            IntentStatus<I> typed = IntentStatus.typed(status);
            if (predicate.test(typed.intent().intent())) {
                found.add(typed);
            }
        }
        return List.copyOf(found);
    }

    private PublishedStatus shown(TrackedIntent intent) {
        return shown.computeIfAbsent(intent, none -> new PublishedStatus());
    }

    /** Completes when every node's controller has reported the status of an intent. */
    public CompletableFuture<Void> reported(TrackedIntent intent) {
        return shown.containsKey(intent) ? shown(intent).reported() : CompletableFuture.completedFuture(null);
    }

    /** The report of a node's controller about an intent's entries there; empty if there is none of its plan. */
    private Optional<EntryReports.Report> reported(TrackedIntent intent, NodeTable node) {
        return reports.received(intent.ref(), node.name(), shown(intent).digest(intent, node));
    }

    /** The state of an intent for compilers that run outside of the engine. */
    public Optional<ReferencedIntent> referred(IntentRef ref) {
        return Optional.ofNullable(published.get(ref))
                .filter(status -> status.state() != IntentState.REMOVING)
                .flatMap(status -> registry.kindNamed(status.kind())
                        .map(kind -> ReferencedIntent.by(kind, status.intent(), status.plan())));
    }

    /** Computes an intent's state again, and emits an event if it changed. */
    public void refresh(TrackedIntent intent) {
        if (intent.isRemoved()) {
            reporter.retract(intent);
            showWithdrawn(intent.ref());
            return;
        }
        if (reports.about(intent) && intent.isResting()) {
            shown(intent).unreported = reporter.report(intent, shown(intent));
        }
        IntentState state = state(intent);
        PublishedStatus now = shown(intent);
        IntentStatus<Object> before = now.status;
        Instant since = before == null || before.state() != state
                ? runtime.settings().clock().instant()
                : before.since();
        IntentStatus<Object> status = new IntentStatus<>(
                intent.ref().kind(),
                intent.numbered(),
                state,
                intent.plan(),
                state == IntentState.INSTALLED ? List.of() : troubles(intent),
                since);
        if (!Objects.equals(before, status)) {
            now.status = status;
            published.put(intent.ref(), status);
            if (before == null || before.state() != state || before.plan() != status.plan()) {
                runtime.emit(new EngineEvent.IntentChanged(intent.ref(), state));
            }
        }
        if (!now.unreported) {
            now.endWaiting();
        }
    }

    public void remove(TrackedIntent intent) {
        PublishedStatus gone = shown.remove(intent);
        if (gone != null) {
            gone.endWaiting();
        }
        showWithdrawn(intent.ref());
    }

    /** Refreshes the status of an intent whose orphaned entries changed. */
    public void orphansChanged(IntentRef ref) {
        registry.find(ref).ifPresentOrElse(this::refresh, () -> showWithdrawn(ref));
    }

    /** An intent that is gone is shown for as long as a node may have entries of it. */
    private void showWithdrawn(IntentRef ref) {
        if (registry.find(ref).isPresent()) {
            return;
        }
        Optional<IntentStatus<Object>> status = withdrawn(ref);
        IntentStatus<Object> before = status.isPresent() ? published.put(ref, status.get()) : published.remove(ref);
        if (status.isPresent() && (before == null || before.state() != IntentState.REMOVING)) {
            runtime.emit(new EngineEvent.IntentChanged(ref, IntentState.REMOVING));
        } else if (status.isEmpty() && before != null) {
            runtime.emit(new EngineEvent.IntentRemoved(ref));
        }
    }

    private Optional<IntentStatus<Object>> withdrawn(IntentRef ref) {
        Optional<IntentKind<Object>> kind = registry.kindNamed(ref.kind());
        Optional<Orphan> left = orphans.of(ref).stream()
                .filter(one -> one.withdrawn().isPresent())
                .findFirst();
        List<EntryStatus> entries = left(ref);
        if (kind.isEmpty() || left.isEmpty() || entries.isEmpty()) {
            return Optional.empty();
        }
        try {
            Object intent = kind.get().decode(left.get().withdrawn().get());
            return Optional.of(new IntentStatus<>(
                    ref.kind(),
                    new NumberedIntent<>(ref.id(), left.get().number(), intent),
                    IntentState.REMOVING,
                    NOTHING,
                    entries,
                    left.get().since()));
        } catch (RuntimeException e) {
            return Optional.empty(); // another version stored it; its entries are shown all the same
        }
    }

    /** Entries that an intent gave up and a node may still hold. */
    private List<EntryStatus> left(IntentRef ref) {
        return orphans.of(ref).stream().flatMap(one -> left(one).stream()).toList();
    }

    List<EntryStatus> left(Orphan orphan) {
        NodeTable node = nodes.getOrDefault(orphan.node(), new NodeTable(orphan.node()));
        List<EntryStatus> entries = new ArrayList<>();
        for (Entry.Key key : orphan.rows()) {
            Row row = node.rows().getOrDefault(key, new Row(node, key));
            boolean gone = node.isMine() && node.isKnown() && row.held() == null;
            if (!row.kept() && !gone) {
                boolean synced = node.state() == NodeStatus.State.SYNCED;
                entries.add(new EntryStatus(
                        node.name(),
                        key,
                        Optional.ofNullable(row.held()),
                        EntryState.REMOVING,
                        synced ? Optional.ofNullable(row.failure()) : node.unavailable(),
                        List.of(orphan.ref()),
                        Optional.empty(),
                        node.blocks() ? Optional.of(node.name()) : Optional.empty()));
            }
        }
        return entries;
    }

    private IntentState state(TrackedIntent intent) {
        if (!intent.isResting()) {
            return IntentState.PENDING;
        }
        if (!intent.plan().feasible()) {
            return IntentState.FAILED;
        }
        boolean all = intent.isCurrent() && left(intent.ref()).isEmpty();
        boolean any = !intent.isCurrent() && !intent.applied().isEmpty();
        boolean refused = !intent.failures().isEmpty();
        for (TrackedIntent.Cell cell : intent.admitted()) {
            EntryState state = state(intent, cell);
            boolean mine = cell.row().node().isMine();
            boolean fine = state == EntryState.INSTALLED || !mine && !reports.about(intent);
            all &= fine;
            any |= state == EntryState.INSTALLED && (!mine || cell.row().appliedOf(intent) != null)
                    || leftOver(intent, cell.row());
            refused |= state == EntryState.FAILED;
        }
        if (all) {
            return IntentState.INSTALLED;
        }
        boolean complete = intent.isCurrent() || !intent.awaited().isEmpty();
        if (shown(intent).unreported && complete && !refused) {
            return IntentState.PENDING;
        }
        if (any || intent.isCurrent() && intent.kind().atomic()) {
            return IntentState.DEGRADED;
        }
        return refused ? IntentState.FAILED : IntentState.PENDING;
    }

    /** True if an earlier run may have installed the row for it, and no other intent has it now. */
    private static boolean leftOver(TrackedIntent intent, Row row) {
        return intent.inherited() && row.node().isKnown() && row.held() != null && row.wanted() == null;
    }

    private List<EntryStatus> troubles(TrackedIntent intent) {
        Judge judge = new Judge(intent);
        List<EntryStatus> troubles = new ArrayList<>();
        for (TrackedIntent.Cell cell : intent.admitted()) {
            if (state(intent, cell) != EntryState.INSTALLED) {
                troubles.add(judge.status(cell));
            }
        }
        troubles.addAll(left(intent.ref()));
        return troubles;
    }

    /** The desired entries of these rows, one per row, with all its owners. */
    List<EntryStatus> entries(List<Row> rows) {
        List<EntryStatus> entries = new ArrayList<>(rows.size());
        for (Row row : rows) {
            EntryStatus entry = null;
            for (Row.Claim claim : row.claims()) {
                if (claim.admitted() != null) {
                    EntryStatus wanted = new Judge(claim.owner()).status(new TrackedIntent.Cell(row, claim.admitted()));
                    entry = entry == null ? wanted : shared(entry, wanted);
                }
            }
            if (entry != null) {
                entries.add(entry);
            }
        }
        return entries;
    }

    /** The entries of these orphans that are still on their nodes. */
    List<EntryStatus> left(List<Orphan> leaving) {
        return leaving.stream().flatMap(orphan -> left(orphan).stream()).toList();
    }

    static EntryStatus shared(EntryStatus one, EntryStatus other) {
        EntryStatus better = other.state() == EntryState.INSTALLED ? other : one;
        List<IntentRef> owners = new ArrayList<>(one.owners());
        owners.addAll(other.owners());
        return new EntryStatus(
                better.node(),
                better.key(),
                better.entry(),
                better.state(),
                better.failure(),
                owners,
                better.counters(),
                better.waitsFor());
    }

    /** The reason why an entry is not installed; empty if it is on its way. */
    Optional<Failure> reason(TrackedIntent intent, Row row) {
        return new Judge(intent).reason(row);
    }

    EntryState state(TrackedIntent intent, TrackedIntent.Cell cell) {
        Row row = cell.row();
        if (!row.node().isMine() && reports.about(intent)) {
            return reported(intent, row.node()).map(EntryReports.Report::state).orElse(EntryState.PENDING);
        }
        if (row.node().isMine() && row.node().isKnown() && row.holds(cell.entry())) {
            return EntryState.INSTALLED;
        }
        boolean refused = row.node().isKnown() && row.failure() != null;
        return refused || intent.failures().containsKey(row) ? EntryState.FAILED : EntryState.PENDING;
    }

    /**
     * Computes the status of an intent's entries. Statuses that many of them have in common are created once and
     * shared.
     */
    private final class Judge {
        private final TrackedIntent intent;
        private final List<IntentRef> owner;
        private boolean judged;
        private Optional<Failure> whole = Optional.empty();

        Judge(TrackedIntent intent) {
            this.intent = intent;
            this.owner = List.of(intent.ref());
        }

        EntryStatus status(TrackedIntent.Cell cell) {
            EntryState state = state(intent, cell);
            Optional<Failure> failure = state == EntryState.INSTALLED ? Optional.empty() : reason(cell.row());
            return new EntryStatus(
                    cell.row().node().name(),
                    cell.row().key(),
                    Optional.of(cell.entry()),
                    state,
                    failure,
                    owner,
                    Optional.ofNullable(cell.row().counters()),
                    state == EntryState.PENDING ? waitsFor(cell.row()) : Optional.empty());
        }

        /** The silent node that is the cause: its own, or another of an intent that is installed as a whole. */
        private Optional<String> waitsFor(Row row) {
            if (row.node().blocks()) {
                return Optional.of(row.node().name());
            }
            NodeTable.HeldBack heldBack = row.node().heldBack(row);
            if (heldBack != null) {
                return Optional.of(heldBack.node())
                        .filter(node -> !node.equals(row.node().name()));
            }
            return row.node().state() == NodeStatus.State.SYNCED
                            && intent.failures().isEmpty()
                    ? Stream.concat(
                                    intent.waitingFor().stream(),
                                    intent.awaited().stream().filter(node -> !isMine(node)))
                            .sorted()
                            .findFirst()
                    : Optional.empty();
        }

        /**
         * The reason why an entry is not installed: its own refusal, its node, or the failure of another entry of the
         * intent.
         */
        Optional<Failure> reason(Row row) {
            if (!row.node().isMine() && reports.about(intent)) {
                return reported(intent, row.node())
                        .map(EntryReports.Report::failure)
                        .orElseGet(() -> Optional.of(new Failure(
                                Code.UNAVAILABLE,
                                "node " + row.node().name()
                                        + ": another controller handles it and has not reported yet")));
            }
            Failure own = intent.failures().getOrDefault(row, row.failure());
            if (own != null && !row.node().blocks()) {
                return Optional.of(own);
            }
            Optional<Failure> unavailable = row.node().unavailable();
            if (unavailable.isPresent()) {
                return unavailable;
            }
            NodeTable.HeldBack heldBack = row.node().heldBack(row);
            if (heldBack != null) {
                return Optional.of(heldBack(heldBack, row.node()));
            }
            if (!judged) {
                judged = true;
                whole = whole();
            }
            return whole;
        }

        private Failure heldBack(NodeTable.HeldBack why, NodeTable node) {
            String cause = why.node().equals(node.name())
                    ? "the report of this node's routes to the other controllers is not stored yet; written when it is"
                    : "the new path leads over node " + why.node()
                            + ", which has not confirmed its own route, so that packets could loop or be lost; written when it has";
            return new Failure(
                    Code.UNAVAILABLE, "held back since " + why.since().truncatedTo(ChronoUnit.SECONDS) + ": " + cause);
        }

        private Optional<Failure> whole() {
            if (!intent.failures().isEmpty()) {
                Row refused = intent.failures().keySet().stream()
                        .min((a, b) -> a.node() == b.node()
                                ? a.key().compareTo(b.key())
                                : a.node().name().compareTo(b.node().name()))
                        .orElseThrow();
                return Optional.of(new Failure(
                        Code.FAILED_PRECONDITION,
                        "node " + refused.node().name() + " refused " + refused.key() + ", so none is installed"));
            }
            Optional<String> awaited = intent.awaited().stream().sorted().findFirst();
            if (intent.waitingFor().isEmpty() && awaited.isPresent()) {
                return awaited.map(node -> new Failure(Code.UNAVAILABLE, missingReport(node)));
            }
            return intent.waitingFor().stream()
                    .sorted()
                    .findFirst()
                    .or(this::ground)
                    .map(what -> new Failure(
                            Code.UNAVAILABLE, "it waits for " + what + ", without which none is installed"));
        }

        private String missingReport(String node) {
            return isMine(node)
                    ? "the report of the intent's entries to the other controllers is not stored yet; written when it is"
                    : "the controller of node " + node
                            + " has not reported that its entries are written; written when it has";
        }

        /** A referred intent that is not on its nodes. */
        private Optional<String> ground() {
            return intent.refersTo().stream()
                    .flatMap(ref -> registry.find(ref).stream())
                    .filter(other -> !other.isCurrent())
                    .map(TrackedIntent::called)
                    .findFirst();
        }
    }
}
