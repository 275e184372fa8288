// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent.install;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Collection;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Executor;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.sextant.core.intent.Digest;
import org.sextant.core.intent.EngineEvent;
import org.sextant.core.intent.EngineRuntime;
import org.sextant.core.intent.EntryState;
import org.sextant.core.intent.IntentRef;
import org.sextant.core.loop.EventLoop;
import org.sextant.core.loop.StoreQuestion;
import org.sextant.core.port.DataPlane.Code;
import org.sextant.core.port.DataPlane.Failure;
import org.sextant.core.port.Store;
import org.sextant.core.port.StoreUnavailableException;

/**
 * Reports between controllers about the nodes that each handles: whether an intent's entries are installed there.
 * Without it a controller would have to guess, and call a policy installed that its node's controller was refused. They also
 * order the writes of several controllers ({@link UpdateStages}).
 *
 * <p>Reports go through the store, so that a report outlives its controller: entries stay when a controller fails. Used by
 * the event loop only; calls of the store run on other threads, and stages that depend on their answers wait without it.
 */
public final class EntryReports {
    public static final String MAP = "reports";
    private static final ObjectMapper MAPPER = new ObjectMapper();

    /** Facts on which other controllers base their next stage ({@link UpdateStages}). */
    public enum Mark {
        /** All entries of the plan that receive packets are confirmed. */
        READY("ready"),
        /** The node may send packets of the intent, by this plan or an earlier one. */
        SENDS("sends"),
        /** Entries at the node wait for reports of other controllers. */
        WAITS("waits");

        private final String field;

        Mark(String field) {
            this.field = field;
        }
    }

    /**
     * The report about an intent at a node. One of an earlier release has no marks.
     *
     * @param plan a digest of the reported entries, so that a report of an earlier plan is not taken for this one
     * @param failure why not, unless INSTALLED
     */
    public record Report(String plan, EntryState state, Optional<Failure> failure, Set<Mark> marks) {
        public Report {
            marks = Set.copyOf(marks);
        }

        public boolean isInstalled() {
            return state == EntryState.INSTALLED;
        }

        public boolean isReady() {
            return marks.contains(Mark.READY) || isInstalled();
        }

        public boolean sends() {
            return marks.contains(Mark.SENDS);
        }

        public boolean waits() {
            return marks.contains(Mark.WAITS);
        }

        String encode() {
            ObjectNode json = MAPPER.createObjectNode().put("plan", plan).put("state", state.name());
            failure.ifPresent(why -> json.put("code", why.code().name()).put("reason", why.reason()));
            new TreeSet<>(marks).forEach(mark -> json.put(mark.field, true));
            return json.toString();
        }

        /** Empty if another version wrote a report that this one does not understand. */
        static Optional<Report> parse(String text) {
            try {
                JsonNode json = MAPPER.readTree(text);
                return Optional.of(new Report(
                        json.path("plan").asText(),
                        EntryState.valueOf(json.path("state").asText()),
                        json.has("code")
                                ? Optional.of(new Failure(
                                        Code.valueOf(json.get("code").asText()),
                                        json.path("reason").asText()))
                                : Optional.empty(),
                        Stream.of(Mark.values())
                                .filter(mark -> json.path(mark.field).asBoolean())
                                .collect(Collectors.toSet())));
            } catch (JsonProcessingException | IllegalArgumentException e) {
                return Optional.empty();
            }
        }
    }

    private final Store store;
    private final EngineRuntime runtime;
    private final EventLoop thread;
    private final Executor workers;

    /** The stored reports as they were read last, by {@link #key}. */
    private final SortedMap<String, Report> reports = new TreeMap<>();

    /** Reports to be stored; empty to remove one. */
    private final SortedMap<String, Optional<Report>> unsent = new TreeMap<>();

    private SortedMap<String, Optional<Report>> sending = new TreeMap<>();

    /** Keys to be read: the store reported other values, or a stage of an intent depends on them. */
    private final SortedSet<String> unread = new TreeSet<>();

    private SortedSet<String> reading = new TreeSet<>();

    /** Intents about which reports were stored or read since they were last taken. */
    private final Set<IntentRef> news = new LinkedHashSet<>();

    EntryReports(EngineRuntime runtime, Executor workers) {
        this.store = runtime.commits().store();
        this.runtime = runtime;
        this.thread = runtime.loop();
        this.workers = workers;
    }

    private static String key(IntentRef ref, String node) {
        return ref + "@" + node;
    }

    private static String nodeOf(String key) {
        return key.substring(key.lastIndexOf('@') + 1);
    }

    private static IntentRef refOf(String key) {
        String ref = key.substring(0, Math.max(0, key.lastIndexOf('@')));
        int slash = ref.indexOf('/');
        return new IntentRef(ref.substring(0, Math.max(0, slash)), ref.substring(slash + 1));
    }

    /** True if an intent is reported about: derived ones follow from the network on every controller alike. */
    public boolean about(TrackedIntent intent) {
        return intent.isStored() && runtime.coordination().shared();
    }

    public void load() {
        if (runtime.coordination().shared()) {
            runtime.commits()
                    .load(MAP)
                    .forEach((key, text) -> Report.parse(text).ifPresent(report -> reports.put(key, report)));
        }
    }

    /** Events may be late and out of order: the store's value counts, which is read. */
    public void storeChanged(Store.Change change) {
        String key = change.key();
        Optional<Report> report = change.value().flatMap(Report::parse);
        boolean mine = sending.containsKey(key) && sending.get(key).equals(report);
        if (!mine && !report.equals(Optional.ofNullable(reports.get(key)))) {
            unread.add(key);
        }
    }

    /** The report of the node's controller about these entries; empty if there is none. */
    public Optional<Report> received(IntentRef intent, String node, String digest) {
        return Optional.ofNullable(reports.get(key(intent, node)))
                .filter(report -> report.plan().equals(digest));
    }

    /**
     * The reports of this controller about the present plan of an intent are made: they are stored, and after that the reports
     * about the other nodes are read.
     */
    public void made(TrackedIntent intent, Collection<String> others) {
        if (intent.reported != intent.admitted) {
            intent.reported = intent.admitted;
            others.forEach(node -> unread.add(key(intent.ref(), node)));
        }
    }

    /**
     * True if this controller's reports about the present plan are durable, and those of the other nodes were read after
     * that. So of two controllers that change their reports at least one reads the new report of the other before it
     * acts on its own.
     */
    boolean areSettled(TrackedIntent intent) {
        return intent.reported == intent.admitted
                && of(intent.ref(), unsent).isEmpty()
                && of(intent.ref(), sending).isEmpty()
                && of(intent.ref(), unread).isEmpty()
                && of(intent.ref(), reading).isEmpty();
    }

    private static <V> SortedMap<String, V> of(IntentRef intent, SortedMap<String, V> byKey) {
        return byKey.subMap(intent + "@", intent + "A"); // all with '@'
    }

    private static SortedSet<String> of(IntentRef intent, SortedSet<String> keys) {
        return keys.subSet(intent + "@", intent + "A");
    }

    /** Intents about which reports were stored or read since the last call. */
    public Set<IntentRef> takeNews() {
        Set<IntentRef> taken = Set.copyOf(news);
        news.clear();
        return taken;
    }

    /** The reports about an intent, by node. */
    SortedMap<String, Report> all(IntentRef intent) {
        SortedMap<String, Report> all = new TreeMap<>();
        of(intent, reports).forEach((key, report) -> all.put(nodeOf(key), report));
        return all;
    }

    /**
     * The marks of a report about a node of this controller. A node that was ready and is silent stays so: it still
     * forwards packets.
     *
     * @param cells the entries of the plan there
     */
    public Set<Mark> marks(TrackedIntent intent, NodeTable node, String plan, List<TrackedIntent.Cell> cells) {
        Set<Mark> marks = EnumSet.noneOf(Mark.class);
        boolean wasReady = last(key(intent.ref(), node.name()))
                .filter(report -> report.plan().equals(plan) && report.isReady())
                .isPresent();
        boolean ready = cells.stream()
                .filter(cell -> UpdateStages.receives(cell.entry()))
                .allMatch(UpdateStages::isReady);
        if (node.isKnown() ? ready : wasReady) {
            marks.add(Mark.READY);
        }
        boolean sent = intent.applied.stream()
                .anyMatch(cell -> cell.row().node == node && UpdateStages.isIngress(cell.entry()));
        if (sent || cells.stream().anyMatch(cell -> UpdateStages.sends(cell.entry()))) {
            marks.add(Mark.SENDS);
        }
        if (!intent.awaited.isEmpty()) {
            marks.add(Mark.WAITS);
        }
        return marks;
    }

    public void report(TrackedIntent intent, NodeTable node, Report report) {
        want(key(intent.ref(), node.name()), Optional.of(report));
    }

    /** Takes back the reports about an intent at this controller's nodes that {@code over} names. */
    public void retract(TrackedIntent intent, Predicate<String> over) {
        for (String key : List.copyOf(of(intent.ref(), reports).keySet())) {
            if (over.test(nodeOf(key))) {
                want(key, Optional.empty());
            }
        }
    }

    /** Takes back the reports, of controllers that are gone, about intents that are gone. */
    public void tidy(Predicate<IntentRef> present) {
        List.copyOf(reports.keySet()).stream()
                .filter(key -> !present.test(refOf(key)))
                .forEach(key -> want(key, Optional.empty()));
    }

    private void want(String key, Optional<Report> report) {
        if (!last(key).equals(report)) {
            unsent.put(key, report);
        }
    }

    private Optional<Report> last(String key) {
        Optional<Report> stored = Optional.ofNullable(reports.get(key));
        return unsent.getOrDefault(key, sending.getOrDefault(key, stored));
    }

    public boolean isQuiet() {
        return unsent.isEmpty() && unread.isEmpty() && sending.isEmpty() && reading.isEmpty();
    }

    /** Stores the reports that are due, and reads others after that; called when the messages at hand are dealt with. */
    public void pump() {
        if (!sending.isEmpty() || !reading.isEmpty() || unsent.isEmpty() && unread.isEmpty()) {
            return;
        }
        sending = new TreeMap<>(unsent);
        reading = new TreeSet<>(unread);
        reading.addAll(sending.keySet());
        unsent.clear();
        unread.clear();
        // One call at a time: values are read in the order in which they were stored.
        thread.call(StoreQuestion.valuesAfter(store, MAP, writes(sending), reading), workers, answer -> {
            answer.value().ifPresent(this::take);
            answer.failure().ifPresent(this::failed);
        });
    }

    private void take(SortedMap<String, String> values) {
        for (String key : reading) {
            Optional<Report> report = Optional.ofNullable(values.get(key)).flatMap(Report::parse);
            report.ifPresentOrElse(now -> reports.put(key, now), () -> reports.remove(key));
            news.add(refOf(key));
        }
        sending = new TreeMap<>();
        reading = new TreeSet<>();
    }

    private static List<Store.Write> writes(SortedMap<String, Optional<Report>> batch) {
        return batch.entrySet().stream()
                .map(reports -> reports.getValue()
                        .map(report -> Store.Write.put(MAP, reports.getKey(), report.encode()))
                        .orElseGet(() -> Store.Write.clear(MAP, reports.getKey())))
                .toList();
    }

    private void failed(Throwable e) {
        if (!(e instanceof StoreUnavailableException)) { // no fault of the engine, and its host reports it
            runtime.emit(new EngineEvent.Fault("reports", e));
        }
        thread.after("report retry", runtime.settings().retryDelay(), () -> {
            sending.forEach(unsent::putIfAbsent);
            unread.addAll(reading);
            sending = new TreeMap<>();
            reading = new TreeSet<>();
        });
    }

    /** The same entries have the same digest on every controller: compilers are pure, and numbers are stored. */
    public static String digest(List<TrackedIntent.Cell> cells) {
        String lines = cells.stream().map(cell -> cell.entry() + "\n").sorted().collect(Collectors.joining());
        return String.format("%016x", Digest.of(lines).high());
    }
}
