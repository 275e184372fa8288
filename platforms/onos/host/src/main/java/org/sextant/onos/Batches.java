// SPDX-License-Identifier: Apache-2.0
package org.sextant.onos;

import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.onosproject.store.service.AsyncConsistentMap;
import org.onosproject.store.service.Versioned;
import org.sextant.core.port.Store.Condition;
import org.sextant.core.port.Store.Write;
import org.sextant.core.port.StoreUnavailableException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Changes of several keys, over any number of maps, all or none of which happen, over maps that change one key at a
 * time (ADR 30). A batch is prepared in a slot, its conditions are judged, and the slot's entry is replaced with the
 * committed batch: from that moment it has happened. Then its changes are carried out in their maps, and it is removed.
 * Until then a reader of a map sees the committed batch over it. The one slot has one batch at a time. A controller
 * that finds a committed one there carries it out, and one that it finds prepared it removes, after a while or if it
 * writes the same key: its controller then begins again. Two controllers may carry out the same batch: each change is
 * made only if the key is as it was when the batch was last seen, so that a late one does not undo later changes.
 *
 * <p>ONOS's own transactions lock their keys between preparing and committing. In Atomix 3.1.9 the locks of a
 * controller that is killed there go only when another member sees it removed (CoreTransactionService): with one ONOS,
 * or one that is back soon, never, and those keys can no longer be written. And a key that is removed meanwhile leaves
 * a tombstone that no iterator passes (AbstractAtomicMapService.next).
 */
final class Batches {
    private static final Logger LOG = LoggerFactory.getLogger(Batches.class);
    private static final String MAP = "batches";

    /** Bytes: an entry of Atomix's log has 1 MiB at most. */
    private static final int PART = 500_000;

    private static final ObjectMapper MAPPER = new ObjectMapper(new JsonFactoryBuilder()
            .enable(JsonWriteFeature.ESCAPE_NON_ASCII) // a part may end anywhere
            .build());
    private static final TypeReference<LinkedHashMap<String, TreeMap<String, String>>> CHANGES =
            new TypeReference<>() {};
    private static final TypeReference<TreeMap<String, String>> CHANGES_OF_ONE_MAP = new TypeReference<>() {};

    /** A map of its own, whose one entry changes before each judging of conditions. */
    private static final String JUDGINGS = "batch-judgings";

    /** The key of the slot. An earlier release had one for each map, by its name. */
    private static final String SLOT = "*";

    private static final String PREPARED = "prepared";
    private static final String COMMITTED = "committed";

    /** So many times a batch finds another one prepared before it removes that: its controller may have died. */
    private static final int WAITS = 10;

    private final Storage storage;
    private final String self;
    private final Set<String> writing = ConcurrentHashMap.newKeySet();

    /** @param self this controller's name, which no other has */
    Batches(Storage storage, String self) {
        this.storage = storage;
        this.self = self;
    }

    /**
     * @param slot its key
     * @param version of the entry that says it, which no other batch ever has
     * @param changes by map, in the order of carrying out: new values; null for keys that it removes
     */
    record Batch(
            String slot,
            String id,
            int parts,
            boolean committed,
            long version,
            Map<String, SortedMap<String, String>> changes) {

        /** Changes that a map is to be read with; none before the commit. */
        SortedMap<String, String> of(String map) {
            return committed ? new TreeMap<>(changes.getOrDefault(map, new TreeMap<>())) : new TreeMap<>();
        }

        boolean has(String map, String key) {
            return changes.containsKey(map) && changes.get(map).containsKey(key);
        }
    }

    private AsyncConsistentMap<String, String> slots() {
        return storage.map(MAP);
    }

    private static String part(String slot, String id, int number) {
        return slot + "/" + id + "/" + number;
    }

    private static String head(String id, List<String> parts, String state) {
        return id + " " + parts.size() + " " + state + "\n" + parts.get(0);
    }

    /**
     * Returns when the changes are durable; a reader sees them, even if they are not carried out yet.
     *
     * @param unmet asked while no other batch can be committed: the writes whose condition does not hold in the maps
     * @return the same; then nothing changed
     */
    synchronized List<Write> write(List<Write> writes, Supplier<List<Write>> unmet) {
        boolean conditional = writes.stream().anyMatch(write -> !(write.condition() instanceof Condition.Any));
        List<String> parts = split(encode(changes(writes)));
        List<Write> judged = List.of();
        boolean committed = false;
        while (!committed && judged.isEmpty()) {
            String id = self + "/" + UUID.randomUUID();
            writing.add(id);
            try {
                place(id, parts, conditional ? PREPARED : COMMITTED);
                if (conditional) {
                    storage.ask(() -> storage.map(JUDGINGS).put(SLOT, id));
                    judged = unmet.get();
                }
                committed = judged.isEmpty() && (!conditional || commit(id, parts));
                if (!committed) {
                    abandon(id, parts.size());
                }
            } finally {
                writing.remove(id);
            }
        }
        try {
            settle();
        } catch (StoreUnavailableException e) {
            LOG.debug("what is stored is carried out when the storage answers");
        }
        return judged;
    }

    private static Map<String, SortedMap<String, String>> changes(List<Write> writes) {
        Map<String, SortedMap<String, String>> changes = new LinkedHashMap<>();
        writes.forEach(write -> changes.computeIfAbsent(write.map(), map -> new TreeMap<>())
                .put(write.key(), write.value().orElse(null)));
        return changes;
    }

    private void place(String id, List<String> parts, String state) {
        storage.askAll(others(parts.size()), i -> slots().put(part(SLOT, id, i), parts.get(i)));
        String head = head(id, parts, state);
        Versioned<String> there = storage.ask(() -> slots().putIfAbsent(SLOT, head));
        for (int found = 1;
                there != null && !there.value().equals(head);
                found++) { // the same if the first answer was lost
            Optional<Batch> other = find();
            if (other.isPresent() && (other.get().committed || found >= WAITS)) {
                end(other.get());
            }
            there = storage.ask(() -> slots().putIfAbsent(SLOT, head));
        }
    }

    /** False if another controller has removed the prepared batch. */
    private boolean commit(String id, List<String> parts) {
        Versioned<String> prepared = storage.ask(() -> slots().get(SLOT));
        String head = head(id, parts, COMMITTED);
        return prepared != null
                && prepared.value().equals(head(id, parts, PREPARED))
                && (storage.ask(() -> slots().replace(SLOT, prepared.version(), head)) || isCommitted(id));
    }

    /** The first answer may have been lost. */
    private boolean isCommitted(String id) {
        return find().filter(batch -> batch.id.equals(id) && batch.committed).isPresent();
    }

    private void abandon(String id, int parts) {
        find().filter(batch -> batch.id.equals(id)).ifPresent(this::end);
        storage.askAll(others(parts), i -> slots().remove(part(SLOT, id, i)));
    }

    /** Carries out committed batches. */
    private void settle() {
        find().filter(Batch::committed).ifPresent(this::carryOut);
    }

    /**
     * Nothing is left about a key that is about to be written, or was.
     *
     * @return false if nothing was
     */
    boolean settle(String map, String key) {
        Optional<Batch> batch = find().filter(one -> one.has(map, key));
        batch.ifPresent(this::end);
        return batch.isPresent();
    }

    /** The entry has another version after each judging of conditions. */
    CompletableFuture<Versioned<String>> lastJudging() {
        return storage.map(JUDGINGS).get(SLOT);
    }

    /** True if conditions may have been judged since, or are just being judged. */
    boolean judgedSince(@Nullable Versioned<String> lastJudging) {
        List<Versioned<String>> now =
                storage.askAll(List.of(true, false), slot -> slot ? slots().get(SLOT) : lastJudging());
        return now.get(0) != null || version(now.get(1)) != version(lastJudging);
    }

    private static long version(@Nullable Versioned<String> entry) {
        return entry == null ? 0 : entry.version();
    }

    private void end(Batch batch) {
        if (batch.committed) {
            carryOut(batch);
        } else if (!storage.ask(() -> slots().remove(batch.slot, batch.version))) {
            find().filter(now -> now.id.equals(batch.id)).ifPresent(this::end); // it was committed meanwhile
        } else {
            storage.askAll(others(batch.parts), i -> slots().remove(part(batch.slot, batch.id, i)));
        }
    }

    /** Carries out all batches, and removes the parts of one that this controller did not finish writing. */
    void settleAll() {
        List<String> keys = List.copyOf(storage.read(MAP).keySet());
        keys.stream()
                .filter(key -> !key.contains("/"))
                .forEach(slot -> find(slot).ifPresent(this::end));
        List<String> left = keys.stream()
                .filter(key -> key.contains("/" + self + "/"))
                .filter(key -> writing.stream().noneMatch(id -> key.contains("/" + id + "/")))
                .toList();
        storage.askAll(left, key -> slots().remove(key));
    }

    /** The batch in the slot. */
    Optional<Batch> find() {
        return find(SLOT);
    }

    private Optional<Batch> find(String slot) {
        while (true) {
            Versioned<String> head = storage.ask(() -> slots().get(slot));
            if (head == null) {
                return Optional.empty();
            }
            int end = head.value().indexOf('\n');
            String[] words = head.value().substring(0, end).split(" ");
            int parts = Integer.parseInt(words[1]);
            List<Versioned<String>> rest = storage.askAll(others(parts), i -> slots().get(part(slot, words[0], i)));
            if (!rest.contains(null)) {
                String text = head.value().substring(end + 1)
                        + rest.stream().map(Versioned::value).collect(Collectors.joining());
                boolean committed = words.length < 3 || words[2].equals(COMMITTED);
                return Optional.of(new Batch(slot, words[0], parts, committed, head.version(), decode(slot, text)));
            }
            // Another controller carried it out meanwhile.
        }
    }

    private void carryOut(Batch batch) {
        for (Map.Entry<String, SortedMap<String, String>> one : batch.changes.entrySet()) {
            if (!carryOut(batch, storage.map(one.getKey()), one.getValue())) {
                return; // done by another
            }
        }
        storage.ask(() -> slots().remove(batch.slot, batch.version));
        storage.askAll(others(batch.parts), i -> slots().remove(part(batch.slot, batch.id, i)));
    }

    /** False if another controller has carried out the batch. */
    private boolean carryOut(
            Batch batch, AsyncConsistentMap<String, String> target, SortedMap<String, String> changes) {
        List<String> left = List.copyOf(changes.keySet());
        while (!left.isEmpty()) {
            List<String> keys = left;
            List<Versioned<String>> before = storage.askAll(keys, target::get);
            Versioned<String> head = storage.ask(() -> slots().get(batch.slot));
            if (head == null || head.version() != batch.version) {
                return false;
            }
            List<Integer> all = IntStream.range(0, keys.size()).boxed().toList();
            List<Boolean> done =
                    storage.askAll(all, i -> change(target, keys.get(i), before.get(i), changes.get(keys.get(i))));
            left = all.stream().filter(i -> !done.get(i)).map(keys::get).toList();
        }
        return true;
    }

    /** False if the key is not as it was before. */
    private static CompletableFuture<Boolean> change(
            AsyncConsistentMap<String, String> map,
            String key,
            @Nullable Versioned<String> before,
            @Nullable String value) {
        if (before == null) {
            return value == null
                    ? CompletableFuture.completedFuture(true)
                    : map.putIfAbsent(key, value).thenApply(there -> there == null);
        }
        if (value == null) {
            return map.remove(key, before.version());
        }
        return before.value().equals(value)
                ? CompletableFuture.completedFuture(true)
                : map.replace(key, before.version(), value);
    }

    private static List<Integer> others(int parts) {
        return IntStream.range(1, parts).boxed().toList();
    }

    private static List<String> split(String text) {
        return IntStream.rangeClosed(0, (text.length() - 1) / PART)
                .mapToObj(i -> text.substring(i * PART, Math.min(text.length(), (i + 1) * PART)))
                .toList();
    }

    private static String encode(Map<String, SortedMap<String, String>> changes) {
        try {
            return MAPPER.writeValueAsString(changes);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("texts that JSON cannot hold", e);
        }
    }

    private static Map<String, SortedMap<String, String>> decode(String slot, String text) {
        try {
            return slot.equals(SLOT)
                    ? new LinkedHashMap<>(MAPPER.readValue(text, CHANGES))
                    : Map.of(slot, MAPPER.readValue(text, CHANGES_OF_ONE_MAP));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(
                    "a batch that no version of this program wrote: " + e.getOriginalMessage(), e);
        }
    }
}
