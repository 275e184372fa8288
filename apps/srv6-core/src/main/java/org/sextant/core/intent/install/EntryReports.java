// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent.status;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.function.Predicate;
import org.sextant.core.intent.EngineEvent;
import org.sextant.core.intent.EngineRuntime;
import org.sextant.core.intent.EntryState;
import org.sextant.core.intent.IntentRef;
import org.sextant.core.intent.install.NodeTable;
import org.sextant.core.intent.install.TrackedIntent;
import org.sextant.core.loop.EventLoop;
import org.sextant.core.loop.StoreQuestion;
import org.sextant.core.port.DataPlane.Code;
import org.sextant.core.port.DataPlane.Failure;
import org.sextant.core.port.Store;
import org.sextant.core.port.StoreUnavailableException;

/**
 * Reports between controllers about the nodes that each handles: whether an intent's entries are installed there.
 * Without it a controller would have to guess, and call a policy installed that its node's controller was refused.
 * Reports go through the store, so that a report outlives its controller: entries stay when a controller fails. Used by
 * the event loop only; writing runs on another, because nothing waits for it.
 */
public final class Reports {
    public static final String MAP = "reports";
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final int PLAN_DIGITS = 16;

    /**
     * @param plan a digest of the reported entries, so that a report of an earlier plan is not taken for this one
     * @param failure why not, unless INSTALLED
     */
    record Report(String plan, EntryState state, Optional<Failure> failure) {

        String encode() {
            ObjectNode json = MAPPER.createObjectNode().put("plan", plan).put("state", state.name());
            failure.ifPresent(why -> json.put("code", why.code().name()).put("reason", why.reason()));
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
                                : Optional.empty()));
            } catch (JsonProcessingException | IllegalArgumentException e) {
                return Optional.empty();
            }
        }
    }

    private final Store store;
    private final EngineRuntime runtime;
    private final EventLoop thread;
    private final Executor workers;

    /** The stored reports, by {@link #key}. */
    private final SortedMap<String, Report> reports = new TreeMap<>();

    /** Reports to be stored; empty to remove one. */
    private final Map<String, Optional<Report>> unsent = new LinkedHashMap<>();

    private Map<String, Optional<Report>> sending = Map.of();

    /** Reports that were sent and have not come back from the store yet; another controller may write the same key after it. */
    private final Map<String, Optional<Report>> unechoed = new HashMap<>();

    Reports(EngineRuntime runtime, Executor workers) {
        this.store = runtime.commits().store();
        this.runtime = runtime;
        this.thread = runtime.loop();
        this.workers = workers;
    }

    private static String key(IntentRef ref, String node) {
        return ref + "@" + node;
    }

    /** The intent of a key of the map. */
    static IntentRef refOf(String key) {
        String ref = key.substring(0, Math.max(0, key.lastIndexOf('@')));
        int slash = ref.indexOf('/');
        return new IntentRef(ref.substring(0, Math.max(0, slash)), ref.substring(slash + 1));
    }

    /** True if an intent is reported about: derived ones follow from the network on every controller alike. */
    boolean about(TrackedIntent intent) {
        return intent.isStored() && runtime.coordination().shared();
    }

    void load() {
        if (runtime.coordination().shared()) {
            runtime.commits()
                    .load(MAP)
                    .forEach((key, text) -> Report.parse(text).ifPresent(report -> reports.put(key, report)));
        }
    }

    void storeChanged(Store.Change change) {
        Optional<Report> report = change.value().flatMap(Report::parse);
        if (report.isPresent()) {
            reports.put(change.key(), report.get());
        } else {
            reports.remove(change.key());
        }
        unechoed.remove(change.key(), report);
    }

    /** The report of the node's controller about these entries; empty if there is none. */
    Optional<Report> received(IntentRef intent, String node, String digest) {
        return Optional.ofNullable(reports.get(key(intent, node)))
                .filter(report -> report.plan().equals(digest));
    }

    void report(TrackedIntent intent, NodeTable node, Report report) {
        want(key(intent.ref(), node.name()), Optional.of(report));
    }

    /** Takes back the reports about an intent at this controller's nodes that {@code over} names. */
    void retract(TrackedIntent intent, Predicate<String> over) {
        String from = intent.ref() + "@";
        for (String key : List.copyOf(reports.subMap(from, intent.ref() + "A").keySet())) { // all with '@'
            if (over.test(key.substring(from.length()))) {
                want(key, Optional.empty());
            }
        }
    }

    /** Takes back the reports, of controllers that are gone, about intents that are gone. */
    void tidy(Predicate<IntentRef> present) {
        List.copyOf(reports.keySet()).stream()
                .filter(key -> !present.test(refOf(key)))
                .forEach(key -> want(key, Optional.empty()));
    }

    private void want(String key, Optional<Report> report) {
        Optional<Report> before = Optional.ofNullable(reports.get(key));
        for (Map<String, Optional<Report>> later : List.of(unechoed, sending, unsent)) {
            before = later.getOrDefault(key, before);
        }
        if (!before.equals(report)) {
            unsent.put(key, report);
        }
    }

    boolean quiet() {
        return unsent.isEmpty() && sending.isEmpty();
    }

    /** Sends the reports that are due; called when the messages at hand are dealt with. */
    void pump() {
        if (unsent.isEmpty() || !sending.isEmpty()) {
            return;
        }
        sending = Map.copyOf(unsent);
        unsent.clear();
        unechoed.putAll(sending);
        Map<String, Optional<Report>> batch = sending;
        thread.call(StoreQuestion.commit(store, writes(batch)), workers, answer -> {
            if (answer.failure().isEmpty()) {
                sending = Map.of();
            } else {
                failed(batch, answer.failure().get());
            }
        });
    }

    private static List<Store.Write> writes(Map<String, Optional<Report>> batch) {
        return new TreeMap<>(batch)
                .entrySet().stream()
                        .map(reports -> reports.getValue()
                                .map(report -> Store.Write.put(MAP, reports.getKey(), report.encode()))
                                .orElseGet(() -> Store.Write.clear(MAP, reports.getKey())))
                        .toList();
    }

    private void failed(Map<String, Optional<Report>> batch, Throwable e) {
        if (!(e instanceof StoreUnavailableException)) { // no fault of the engine, and its host reports it
            runtime.emit(new EngineEvent.Fault("reports", e));
        }
        thread.after("report retry", runtime.settings().retryDelay(), () -> {
            sending = Map.of();
            batch.forEach(unsent::putIfAbsent);
        });
    }

    /** The same entries have the same digest on every controller: compilers are pure, and numbers are stored. */
    static String digest(List<TrackedIntent.Cell> cells) {
        MessageDigest sha;
        try {
            sha = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every Java has SHA-256", e);
        }
        cells.stream()
                .map(cell -> cell.entry().toString())
                .sorted()
                .forEach(entry -> sha.update((entry + "\n").getBytes(StandardCharsets.UTF_8)));
        return HexFormat.of().formatHex(sha.digest()).substring(0, PLAN_DIGITS);
    }
}
