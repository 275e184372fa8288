// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid.app;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Clock;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.sextant.core.calls.Daemons;
import org.sextant.core.intent.CompileContext;
import org.sextant.core.intent.EngineEvent;
import org.sextant.core.intent.IntentRef;
import org.sextant.core.intent.IntentState;
import org.sextant.core.intent.IntentStatus;
import org.sextant.core.intent.Intents;
import org.sextant.core.net.Network;
import org.sextant.core.port.Subscription;
import org.sextant.core.text.Moments;
import org.sextant.kit.path.PolicyOffer;
import org.sextant.usid.Policy;
import org.sextant.usid.plan.IntendedPath;
import org.sextant.usid.plan.PolicyCompiler;
import org.sextant.usid.plan.PolicyKind;

/**
 * The policies that are not on their intended path, with the time since when and that path. It examines only policies
 * whose plan changed, outside the engine's thread: a failed link causes policies that depend on it to be compiled
 * again. The time is that at which this controller detected it.
 */
@Component(immediate = true, service = Reroutes.class)
public class Reroutes {
    /** The subject of these reports on a policy in the event log. */
    private static final String SUBJECT = "path";

    private record Off(Instant since, IntendedPath wanted, boolean valid) {
        String message() {
            return (valid ? "rerouted" : "no valid path") + ", wanted " + String.join(", ", wanted.down());
        }
    }

    @Reference
    protected Intents engine;

    private final PolicyCompiler compiler = new PolicyCompiler();
    /** Only queries the engine; the app registers its own kind, which compiles. */
    private final PolicyKind kind = new PolicyKind(compiler);

    private final Clock clock;
    private final Map<String, Off> off = new ConcurrentHashMap<>();
    /** The policies to examine. Guarded by itself. */
    private final Set<String> changed = new LinkedHashSet<>();

    private volatile @Nullable ScheduledThreadPoolExecutor looker;
    private Optional<Subscription> listening = Optional.empty();

    public Reroutes() {
        this(Clock.systemUTC());
    }

    Reroutes(Clock clock) {
        this.clock = clock;
    }

    @Activate
    protected synchronized void activate() {
        looker = Daemons.clock("sextant-reroutes");
        listening = Optional.of(engine.listen(this::follow));
        engine.list(kind).forEach(status -> look(status.id()));
    }

    @Deactivate
    protected synchronized void deactivate() {
        listening.ifPresent(Subscription::close);
        ScheduledThreadPoolExecutor running = looker;
        looker = null;
        if (running != null) {
            running.shutdown(); // a running task may query the engine, which must not be interrupted
        }
    }

    private void follow(EngineEvent event) {
        if (event instanceof EngineEvent.IntentChanged now
                && now.state() != IntentState.PENDING
                && now.intent().kind().equals(PolicyOffer.KIND)) {
            look(now.intent().id());
        }
        if (event instanceof EngineEvent.IntentRemoved gone
                && gone.intent().kind().equals(PolicyOffer.KIND)) {
            look(gone.intent().id());
        }
    }

    /** Schedules an examination, together with those of all policies that change until then. */
    private void look(String id) {
        boolean first;
        synchronized (changed) {
            first = changed.isEmpty();
            changed.add(id);
        }
        ScheduledThreadPoolExecutor running = looker;
        if (first && running != null) {
            try {
                running.execute(this::lookUnlessClosing);
            } catch (RejectedExecutionException closing) {
                return; // already closed
            }
        }
    }

    private void lookUnlessClosing() {
        try {
            if (looker != null) {
                lookAtAll();
            }
        } catch (IllegalStateException e) {
            if (looker != null) {
                throw e; // otherwise the engine closed meanwhile
            }
        }
    }

    private void lookAtAll() {
        Set<String> ids;
        synchronized (changed) {
            ids = Set.copyOf(changed);
            changed.clear();
        }
        CompileContext now = engine.context();
        Network allUp = IntendedPath.allUp(now.network());
        Optional<CompileContext> ideal = allUp == now.network() ? Optional.empty() : Optional.of(now.over(allUp));
        ids.stream().sorted().forEach(id -> {
            Optional<IntentStatus<Policy>> status =
                    engine.get(kind, id).filter(one -> one.state() != IntentState.REMOVING);
            if (status.isPresent() && IntendedPath.isOutdated(status.get().plan(), now)) {
                return; // examined again with the policy's next plan
            }
            Optional<IntendedPath> wanted = status.flatMap(
                    one -> ideal.flatMap(context -> IntendedPath.of(compiler, one.intent(), context, now.network())));
            if (wanted.isPresent()) {
                boolean valid = status.get().plan().feasible()
                        && !status.get().plan().explanation().has("fallback");
                put(id, wanted.get(), valid);
            } else {
                end(id, status.isPresent());
            }
        });
    }

    private void put(String id, IntendedPath wanted, boolean valid) {
        Off before = off.get(id);
        Off next = new Off(before == null ? clock.instant() : before.since(), wanted, valid);
        off.put(id, next);
        if (!next.equals(before)) {
            tell(id, true, next.message());
        }
    }

    private void end(String id, boolean there) {
        if (off.remove(id) != null && there) {
            tell(id, false, "back on its intended path");
        }
    }

    private void tell(String id, boolean trouble, String message) {
        engine.report(new EngineEvent.IntentReported(new IntentRef(PolicyOffer.KIND, id), SUBJECT, trouble, message));
    }

    /** The view of a policy that is not on its intended path; empty if it is. From any thread. */
    Optional<ObjectNode> of(String id) {
        return Optional.ofNullable(off.get(id)).map(Reroutes::json);
    }

    private static ObjectNode json(Off one) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("since", Moments.iso(one.since())).put("valid", one.valid());
        ArrayNode down = json.putArray("down");
        one.wanted().down().forEach(down::add);
        ArrayNode links = json.putArray("links");
        one.wanted().links().forEach(links::add);
        return json;
    }
}
