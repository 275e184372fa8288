// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent.install;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.sextant.core.intent.EngineRuntime;
import org.sextant.core.loop.Commits;
import org.sextant.core.loop.EventLoop;
import org.sextant.core.loop.StoreCalls;
import org.sextant.core.loop.StoreQuestion;
import org.sextant.core.port.Store;
import org.sextant.core.port.StoreUnavailableException;
import org.sextant.core.table.Entry;

/**
 * Counts the boots of nodes: a restarted switch has lost all its entries. The count is checked where an entry carries
 * it ({@link Entry#life}): a node that has lost this entry has lost the others. A count is stored before the node is
 * written with it, so that no two boots share a number.
 */
public final class BootCounts {
    public static final String MAP = "lives";

    private final Commits commits;
    private final StoreCalls calls;
    private final EventLoop thread;
    private final Duration retryDelay;
    private final InstallListener listener;
    private final Map<String, Integer> lives = new HashMap<>();

    /** Nodes whose new count they were not given yet. */
    private final Set<String> begun = new HashSet<>();

    /** Intents were not compiled with the new counts yet. */
    private boolean news;

    /**
     * @param listener gets the nodes that restarted; plans that were compiled with their counts are compiled again then
     */
    BootCounts(EngineRuntime runtime, InstallListener listener) {
        this.commits = runtime.commits();
        this.calls = runtime.commits().calls();
        this.thread = runtime.loop();
        this.retryDelay = runtime.settings().retryDelay();
        this.listener = listener;
    }

    public void load() {
        commits.load(MAP).forEach((node, text) -> read(node, Optional.of(text)));
    }

    public void storeChanged(Store.Change change) {
        read(change.key(), change.value());
    }

    private void read(String node, Optional<String> text) {
        text.filter(number -> number.matches("[1-9]\\d{0,8}"))
                .ifPresent(number -> lives(node, Integer.parseInt(number)));
    }

    private void lives(String node, int life) {
        if (lives.getOrDefault(node, 1) != life) {
            news = true;
            listener.restarted(node);
        }
        lives.put(node, life);
    }

    /** Boot counts by node; an absent node is in its first boot. The caller compiles all plans with them. */
    public Map<String, Integer> counts() {
        news = false;
        return lives;
    }

    boolean quiet() {
        return !news;
    }

    /**
     * True if the desired entry may replace the one that the node holds. An entry with a boot count may not if the node
     * holds none, as the node then begins its next boot. It may not either if the node holds another count, as the
     * node's count wins.
     */
    boolean mayWrite(Row row) {
        Entry wanted = row.wanted();
        if (wanted == null || wanted.life().isEmpty()) {
            return true;
        }
        String node = row.node.name;
        try {
            if (row.held != null && row.held.life().isPresent()) {
                store(row, row.held.life().getAsInt(), false);
                return false;
            }
            if (begun.remove(node)) {
                return true;
            }
            boolean first = !lives.containsKey(node);
            store(row, lives.getOrDefault(node, 0) + 1, true);
            return first || !begun.add(node);
        } catch (StoreUnavailableException e) {
            later(row);
            return false;
        }
    }

    private void later(Row row) {
        thread.after("boot count retry", retryDelay, () -> row.node.dirty.add(row));
    }

    /** @param begins true if the node is written with this count next, and does not report it itself */
    private void store(Row row, int life, boolean begins) {
        String node = row.node.name;
        calls.call(
                StoreQuestion.commit(commits.store(), List.of(Store.Write.put(MAP, node, Integer.toString(life)))),
                Duration.ZERO,
                late -> stored(row, life, begins, late.failure()));
        lives(node, life);
    }

    /** The store was late. */
    private void stored(Row row, int life, boolean begins, Optional<Throwable> failure) {
        if (failure.isPresent()) {
            later(row);
            return;
        }
        lives(row.node.name, life);
        if (begins) {
            begun.add(row.node.name);
        }
        row.node.dirty.add(row);
    }
}
