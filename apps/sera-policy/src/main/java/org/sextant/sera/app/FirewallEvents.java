// SPDX-License-Identifier: Apache-2.0
package org.sextant.sera.app;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicyOption;
import org.sextant.core.intent.EngineEvent;
import org.sextant.core.intent.IntentStatus;
import org.sextant.core.intent.Intents;
import org.sextant.core.port.FirewallTelemetry;
import org.sextant.core.port.FirewallTelemetry.Counted;
import org.sextant.core.port.FirewallTelemetry.Logged;
import org.sextant.core.port.Subscription;
import org.sextant.kit.app.EventSource;
import org.sextant.sera.Versioned;

/**
 * The telemetry of firewalls: the log of each, and events {@code firewallLog} and {@code firewallCounters} for
 * subscribers. The controller subscribes to log lines of nodes while a firewall logs, and to counters while its events
 * have a subscriber. A host without {@link FirewallTelemetry} has neither.
 */
@Component(
        immediate = true,
        service = {EventSource.class, FirewallEvents.class})
public class FirewallEvents implements EventSource {
    static final String LOG = "firewallLog";
    static final String COUNTERS = "firewallCounters";

    @Reference
    protected FirewallApp firewalls;

    @Reference
    protected Intents engine;

    @Reference(cardinality = ReferenceCardinality.OPTIONAL, policyOption = ReferencePolicyOption.GREEDY)
    protected @Nullable FirewallTelemetry telemetry;

    private final LogBook book = new LogBook(Clock.systemUTC().instant());
    private final CounterBatch tally = new CounterBatch();
    private FirewallLookup whose;
    private Subscription changes;
    private Optional<Subscription> logging = Optional.empty();
    private volatile Runnable anew = () -> {};
    private boolean active;

    @Activate
    protected synchronized void activate() {
        active = true;
        whose = new FirewallLookup(() -> firewalls.intents().list());
        changes = engine.listen(this::follow);
        log();
    }

    @Deactivate
    protected synchronized void deactivate() {
        active = false;
        changes.close();
        logging.ifPresent(Subscription::close);
        logging = Optional.empty();
    }

    private void follow(EngineEvent event) {
        if (event instanceof EngineEvent.IntentRemoved gone
                && gone.intent().kind().equals(FirewallApp.KIND)) {
            book.forget(gone.intent().id());
        }
        String kind = event instanceof EngineEvent.IntentChanged changed
                ? changed.intent().kind()
                : event instanceof EngineEvent.IntentRemoved removed
                        ? removed.intent().kind()
                        : "";
        if (kind.equals(FirewallApp.KIND)) {
            whose.forget();
            log();
        }
    }

    /** Subscribes to log lines while a firewall logs. */
    private synchronized void log() {
        FirewallTelemetry host = telemetry;
        if (host == null || !active) {
            return;
        }
        boolean wanted = firewalls.intents().list().stream()
                .map(status -> status.intent().intent().firewall())
                .anyMatch(one -> one.audit() || one.rules().stream().anyMatch(rule -> rule.log()));
        if (wanted && logging.isEmpty()) {
            logging = Optional.of(host.onLogged(this::write));
        } else if (!wanted) {
            logging.ifPresent(Subscription::close);
            logging = Optional.empty();
        }
    }

    private void write(Logged event) {
        whose.rule(event.node(), event.instance(), event.ruleSet(), event.priority())
                .ifPresent(rule -> {
                    if (book.write(event, rule)) {
                        anew.run();
                    }
                });
    }

    private void count(Counted counted) {
        tally.count(counted, whose);
        if (!tally.isEmpty()) {
            anew.run();
        }
    }

    @Override
    public Subscription listen(Runnable somethingIsNew) {
        anew = somethingIsNew;
        book.tell(true);
        FirewallTelemetry host = telemetry;
        Subscription counting = host == null ? () -> {} : host.onCounted(this::count);
        return () -> {
            counting.close();
            anew = () -> {};
            book.tell(false);
            tally.clear();
        };
    }

    @Override
    public List<Told> take() {
        List<Told> told = new ArrayList<>();
        book.take().ifPresent(lines -> told.add(new Told(LOG, lines)));
        tally.take().ifPresent(counters -> told.add(new Told(COUNTERS, counters)));
        if (!tally.isEmpty()) {
            anew.run();
        }
        return told;
    }

    /** The last lines of a firewall, latest first. */
    ObjectNode log(String id, int limit) {
        IntentStatus<Versioned> status = firewalls.stored(id);
        ObjectNode view = JsonNodeFactory.instance
                .objectNode()
                .put("id", status.id())
                .put("node", status.intent().intent().firewall().node())
                .put("heard", telemetry != null);
        book.show(status.id(), limit, view);
        return view;
    }

    /** Is true while {@code firewallCounters} covers a firewall. */
    boolean counts(String id) {
        return tally.live(id);
    }
}
