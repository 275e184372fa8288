// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.events;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArraySet;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.sextant.core.intent.EngineEvent;
import org.sextant.core.intent.Intents;
import org.sextant.core.net.Network;
import org.sextant.core.port.Inventory;
import org.sextant.core.port.Subscription;
import org.sextant.kit.app.EventSource;

/** Keeps the log of events for as long as the controller runs, and notifies listeners of new ones. */
@Component(
        immediate = true,
        service = {LogKeeper.class, EventSource.class})
public class LogKeeper implements EventSource {
    @Reference
    protected Inventory inventory;

    @Reference
    protected Intents intents;

    private final EventLog log = new EventLog();
    private final LogWords words = new LogWords(kind -> intents.derives(kind));
    private final Clock clock;
    private final Set<Runnable> listeners = new CopyOnWriteArraySet<>();
    private List<Subscription> sources = List.of();
    private long told;

    public LogKeeper() {
        this(Clock.systemUTC());
    }

    LogKeeper(Clock clock) {
        this.clock = clock;
    }

    @Activate
    protected void activate() {
        sources = List.of(inventory.onChange(this::changed), intents.listen(this::happened));
    }

    @Deactivate
    protected void deactivate() {
        sources.forEach(Subscription::close);
    }

    private void changed(Network before, Network after) {
        synchronized (words) {
            add(words.of(before, after));
        }
    }

    private void happened(EngineEvent event) {
        synchronized (words) {
            add(words.of(event).stream().toList());
        }
    }

    /** Takes up events that other parts of this bundle saw; from any thread. */
    void tell(List<LogEntry> entries) {
        synchronized (words) {
            add(entries);
        }
    }

    private void add(List<LogEntry> entries) {
        Instant now = clock.instant();
        entries.forEach(entry -> log.add(now, entry));
        if (!entries.isEmpty()) {
            listeners.forEach(Runnable::run);
        }
    }

    /** The events that a query asks for, the newest first; from any thread. */
    public List<LogEvent> find(LogQuery query) {
        return log.find(query);
    }

    @Override
    public Subscription listen(Runnable anew) {
        listeners.add(anew);
        return () -> listeners.remove(anew);
    }

    /** The number of the newest event is enough: clients that show the log ask for the part that is shown. */
    @Override
    public List<Told> take() {
        long last = log.last();
        if (last == told) {
            return List.of();
        }
        told = last;
        return List.of(new Told("log", JsonNodeFactory.instance.objectNode().put("number", last)));
    }
}
