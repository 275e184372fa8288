// SPDX-License-Identifier: Apache-2.0
package org.sextant.onos;

import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.onosproject.store.service.AsyncConsistentMap;
import org.onosproject.store.service.Versioned;
import org.sextant.core.port.StoreUnavailableException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Changes of several keys of a map, all or none of which happen, over maps that change one key at a time. The whole
 * batch is written first, under the name of its map in a map of its own: from that moment it has happened. Then its
 * changes are carried out in the map, and it is removed. Until then who reads the map sees the batch over it, and
 * whoever finds a batch whose controller died (who starts, who hears of the death, who wants to write the same keys)
 * carries it out. A map has one batch at a time. Two controllers may carry out the same one: each change is made only
 * if the key is as it was when the batch was last seen, so that a late one does not undo what came after it.
 *
 * <p>ONOS's own transactions lock their keys between preparing and committing. In Atomix 3.1.9 the locks of a
 * controller that is killed there go only when another member sees it removed (CoreTransactionService): with one ONOS,
 * or one that is back soon, never, and nobody can write those keys any more. And a key that is removed meanwhile leaves
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
    private static final TypeReference<TreeMap<String, String>> CHANGES = new TypeReference<>() {};

    private final Storage storage;
    private final String self;
    private final Set<String> writing = ConcurrentHashMap.newKeySet();

    /** @param self this controller's name, which no other has */
    Batches(Storage storage, String self) {
        this.storage = storage;
        this.self = self;
    }

    /**
     * @param version of the entry that says it, which no other batch of the map ever has
     * @param changes new values; null for keys that it removes
     */
    record Batch(String map, String id, int parts, long version, SortedMap<String, String> changes) {}

    private AsyncConsistentMap<String, String> slots() {
        return storage.map(MAP);
    }

    private static String part(String map, String id, int number) {
        return map + "/" + id + "/" + number;
    }

    /**
     * Returns when the changes are durable; who reads sees them, even if they are not carried out yet.
     *
     * @param changes new values; null for keys to remove
     */
    void write(String map, SortedMap<String, String> changes) {
        String id = self + "/" + UUID.randomUUID();
        writing.add(id);
        try {
            commit(map, id, split(encode(changes)));
        } finally {
            writing.remove(id);
        }
        try {
            settle(map);
        } catch (StoreUnavailableException e) {
            LOG.debug("what is stored for {} is carried out when the storage answers", map);
        }
    }

    private void commit(String map, String id, List<String> parts) {
        storage.askAll(others(parts.size()), i -> slots().put(part(map, id, i), parts.get(i)));
        String head = id + " " + parts.size() + "\n" + parts.get(0);
        Versioned<String> there = storage.ask(() -> slots().putIfAbsent(map, head));
        while (there != null && !there.value().equals(head)) { // the same if the first answer was lost
            settle(map);
            there = storage.ask(() -> slots().putIfAbsent(map, head));
        }
    }

    /** Carries out what a map still has to become. */
    void settle(String map) {
        find(map).ifPresent(this::carryOut);
    }

    /** As {@link #settle(String)}, if {@code key} is among it. */
    void settle(String map, String key) {
        find(map).filter(batch -> batch.changes.containsKey(key)).ifPresent(this::carryOut);
    }

    /** Carries out all batches, and removes what this controller left of one that it did not finish writing. */
    void settleAll() {
        List<String> keys = List.copyOf(storage.read(MAP).keySet());
        keys.stream().filter(key -> !key.contains("/")).forEach(this::settle);
        List<String> left = keys.stream()
                .filter(key -> key.contains("/" + self + "/"))
                .filter(key -> writing.stream().noneMatch(id -> key.contains("/" + id + "/")))
                .toList();
        storage.askAll(left, key -> slots().remove(key));
    }

    /** What a map still has to become. */
    Optional<Batch> find(String map) {
        while (true) {
            Versioned<String> head = storage.ask(() -> slots().get(map));
            if (head == null) {
                return Optional.empty();
            }
            String[] words =
                    head.value().substring(0, head.value().indexOf('\n')).split(" ");
            int parts = Integer.parseInt(words[1]);
            List<Versioned<String>> rest = storage.askAll(others(parts), i -> slots().get(part(map, words[0], i)));
            if (!rest.contains(null)) {
                String text = head.value().substring(head.value().indexOf('\n') + 1)
                        + rest.stream().map(Versioned::value).collect(Collectors.joining());
                return Optional.of(new Batch(map, words[0], parts, head.version(), decode(text)));
            }
            // Another controller carried it out meanwhile.
        }
    }

    private void carryOut(Batch batch) {
        AsyncConsistentMap<String, String> target = storage.map(batch.map);
        List<String> left = List.copyOf(batch.changes.keySet());
        while (!left.isEmpty()) {
            List<String> keys = left;
            List<Versioned<String>> before = storage.askAll(keys, target::get);
            Versioned<String> head = storage.ask(() -> slots().get(batch.map));
            if (head == null || head.version() != batch.version) {
                return; // done by another
            }
            List<Integer> all = IntStream.range(0, keys.size()).boxed().toList();
            List<Boolean> done = storage.askAll(
                    all, i -> change(target, keys.get(i), before.get(i), batch.changes.get(keys.get(i))));
            left = all.stream().filter(i -> !done.get(i)).map(keys::get).toList();
        }
        storage.ask(() -> slots().remove(batch.map, batch.version));
        storage.askAll(others(batch.parts), i -> slots().remove(part(batch.map, batch.id, i)));
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

    private static String encode(SortedMap<String, String> changes) {
        try {
            return MAPPER.writeValueAsString(changes);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("texts that JSON cannot hold", e);
        }
    }

    private static SortedMap<String, String> decode(String text) {
        try {
            return MAPPER.readValue(text, CHANGES);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(
                    "a batch that no version of this program wrote: " + e.getOriginalMessage(), e);
        }
    }
}
