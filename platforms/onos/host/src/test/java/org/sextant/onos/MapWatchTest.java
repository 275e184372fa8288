// SPDX-License-Identifier: Apache-2.0
package org.sextant.onos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.sextant.core.port.Store.Change;
import org.sextant.core.port.StoreUnavailableException;

/** A controller is notified of all changes by others; of changes while it was cut off when it is back. */
@DisplayNameGeneration(ReplaceUnderscores.class)
@Timeout(120)
class MapWatchTest {
    private final FakeStorage.Nodes nodes = new FakeStorage.Nodes();
    private final OnosStore other = Controller.started(nodes, "a").store();
    private final FakeStorage way = new FakeStorage(nodes);
    private final BlockingQueue<Change> heard = new LinkedBlockingQueue<>();

    private void changeEverything() {
        other.put("m", Map.of("new", "1"));
        other.put("m", Map.of("changed", "2"));
        other.remove("m", "gone");
        other.put("m", Map.of("passing", "1"));
        other.remove("m", "passing");
    }

    private void prepare(OnosStore store) {
        other.put("m", new TreeMap<>(Map.of("changed", "1", "gone", "1", "same", "1")));
        store.onChange("m", heard::add);
    }

    private void expectWhatWasMissed() throws Exception {
        Map<String, Optional<String>> found = new TreeMap<>();
        while (found.size() < 3) {
            Change change = heard.poll(60, TimeUnit.SECONDS);
            assertThat(change).as("after %s", found).isNotNull();
            assertThat(found.put(change.key(), change.value())).as(change.key()).isNull();
        }
        assertThat(found)
                .isEqualTo(Map.of("new", Optional.of("1"), "changed", Optional.of("2"), "gone", Optional.empty()));
    }

    @Test
    void what_others_changed_meanwhile_is_told_to_who_could_not_ask() throws Exception {
        OnosStore store = Controller.of(way, "b").store();
        prepare(store);
        way.endAfter(0, FakeStorage.End.SILENT);
        assertThatThrownBy(() -> store.get("m", "same")).isInstanceOf(StoreUnavailableException.class);
        changeEverything();
        assertThat(heard).isEmpty();
        way.mend();
        expectWhatWasMissed();
    }

    @Test
    void who_has_nothing_to_ask_notices_that_it_was_away() throws Exception {
        prepare(Controller.beating(way, "b").store());
        way.endAfter(0, FakeStorage.End.SILENT);
        changeEverything();
        long unanswered = way.asked();
        while (way.asked() < unanswered + 3) { // one by the beat, which is lost, then probes
            Thread.onSpinWait();
        }
        way.mend();
        expectWhatWasMissed();
    }

    @Test
    void what_is_not_told_when_the_way_is_there_again_already_is_found_later() throws Exception {
        OnosStore store = Controller.of(way, "b").store();
        prepare(store);
        way.endAfter(0, FakeStorage.End.SILENT);
        assertThatThrownBy(() -> store.get("m", "same")).isInstanceOf(StoreUnavailableException.class);
        way.deaf = true;
        way.afterReading.put("sextant-m", this::changeEverything);
        way.mend();
        expectWhatWasMissed();
    }

    @Test
    void what_was_told_is_not_told_again() throws Exception {
        OnosStore store = Controller.of(way, "b").store();
        prepare(store);
        changeEverything();
        List<Change> all = List.copyOf(heard);
        assertThat(all).hasSize(5);
        store.catchUp();
        assertThat(heard).hasSize(5);
        other.put("m", Map.of("last", "1"));
        assertThat(heard).hasSize(6);
    }
}
