// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.sextant.core.port.Store;
import org.sextant.core.port.StoreUnavailableException;

/**
 * Writes in one commit what belongs together, over all maps of the engine. A commit that fails may have been made all the
 * same: its keys are uncertain until they are read again, and until then no other change is made. Touched by the engine's
 * thread only, but for {@link #uncertain}.
 */
final class Commits {
    private final Store store;
    private final EngineThread thread;
    private final Duration retryDelay;
    private final Runnable settle;

    /** By map, in the order of reading: a leftover keeps rows and numbers from others before its intent gives them up. */
    private final Map<String, Following> followed = new LinkedHashMap<>();

    /** @param settle decides about what came and went by reading */
    Commits(Store store, EngineThread thread, Duration retryDelay, Runnable settle) {
        this.store = store;
        this.thread = thread;
        this.retryDelay = retryDelay;
        this.settle = settle;
    }

    /** For reading, and for writes that are repeated until they are made. */
    Store store() {
        return store;
    }

    /**
     * Follows a map after those that are followed already.
     *
     * @param follow is given a key and its value in the store; empty if there is none
     */
    Following follow(String map, BiConsumer<String, Optional<String>> follow) {
        Following following = new Following(store, map, thread, retryDelay, follow);
        followed.put(map, following);
        return following;
    }

    /**
     * Makes all of {@code writes} in one durable step, or none. Not for what {@code settle} runs, which runs in this.
     *
     * @param writes of followed maps
     * @param undo runs if they are not made, or it is unknown whether they are: the engine is then as before
     * @return the writes whose condition does not hold; empty if all are durable
     * @throws RuntimeException of the store; the engine has then what the store has, or the keys are uncertain
     */
    List<Store.Write> commit(List<Store.Write> writes, Runnable undo) {
        try {
            return commitAndReadLater(writes, undo);
        } catch (RuntimeException e) {
            try {
                readAgain();
            } catch (RuntimeException unreadable) {
                e.addSuppressed(unreadable);
            }
            throw e;
        }
    }

    /** As {@link #commit}, but after a failure the keys are uncertain for a while in any case. */
    List<Store.Write> commitAndReadLater(List<Store.Write> writes, Runnable undo) {
        List<Store.Write> unmet;
        try {
            unmet = store.commit(writes);
        } catch (RuntimeException | Error e) {
            writes.forEach(write -> following(write.map()).doubt(write.key()));
            undo.run();
            throw e;
        }
        if (!unmet.isEmpty()) {
            undo.run();
        }
        return unmet;
    }

    private Following following(String map) {
        return Optional.ofNullable(followed.get(map))
                .orElseThrow(() -> new IllegalArgumentException("the map " + map + " is not followed"));
    }

    /** True if the engine knows what the store has of everything that it wrote. */
    boolean certain() {
        return followed.values().stream().allMatch(Following::certain);
    }

    /** True from a failed change of an intent until its key is read again; any thread may ask. */
    boolean uncertain(IntentRef ref) {
        return following(StoredIntent.MAP).uncertain(ref.toString());
    }

    /** Reads uncertain keys now, and goes by what is there. They stay uncertain if the store does not answer. */
    private void readAgain() {
        for (Following one : followed.values()) {
            if (!one.certain()) {
                one.catchUp();
            }
            if (!one.certain()) {
                break;
            }
        }
        settle.run();
    }

    /** @throws StoreUnavailableException if keys are uncertain and cannot be read */
    void requireCertain() {
        if (certain()) {
            return;
        }
        readAgain();
        if (!certain()) {
            throw new StoreUnavailableException(
                    "an earlier change was refused, and it is unknown whether it is stored: the store cannot be read; nothing is"
                            + " changed until it has been, which is tried again every " + retryDelay.toMillis()
                            + " ms");
        }
    }

    /**
     * Any thread may ask.
     *
     * @throws StoreUnavailableException if it is {@linkplain #uncertain} what an intent is
     */
    void requireCertain(IntentRef ref) {
        if (uncertain(ref)) {
            throw new StoreUnavailableException("a change of " + ref.kind() + " \"" + ref.id()
                    + "\" was refused, and it is unknown whether it is stored: the store cannot be read, which is tried again every "
                    + retryDelay.toMillis() + " ms");
        }
    }

    /** Follows what changed in the store; called when the messages at hand are dealt with. */
    void catchUp() {
        while (read()) {
            settle.run();
        }
    }

    private boolean read() {
        boolean any = false;
        for (Following one : followed.values()) {
            if (one.behind()) {
                any = true;
                one.catchUp();
            }
            if (!one.certain()) {
                break;
            }
        }
        return any;
    }
}
