// SPDX-License-Identifier: Apache-2.0
package org.sextant.sera.app;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.sextant.core.Problem;
import org.sextant.core.ProblemException;
import org.sextant.core.access.Role;
import org.sextant.core.calls.NodeCalls;
import org.sextant.core.intent.IntentKind;
import org.sextant.core.intent.IntentRef;
import org.sextant.core.intent.IntentStatus;
import org.sextant.core.intent.Intents;
import org.sextant.core.intent.Plan;
import org.sextant.core.port.DataPlane;
import org.sextant.core.port.Subscription;
import org.sextant.core.shape.ObjectShape;
import org.sextant.core.table.FirewallRule;
import org.sextant.core.table.MySid;
import org.sextant.kit.app.AppIntents;
import org.sextant.kit.app.AppWords;
import org.sextant.kit.app.Filter;
import org.sextant.kit.app.IntentText;
import org.sextant.kit.app.SrApp;
import org.sextant.sera.Versioned;
import org.sextant.sera.VersionedShape;
import org.sextant.sera.plan.FirewallKind;
import org.sextant.sera.trace.TraceRequest;
import org.sextant.sera.trace.Tracer;

/** Firewalls at {@code /srv6/firewalls} and as {@code srv6:firewall…}. */
@Component(
        immediate = true,
        service = {SrApp.class, FirewallApp.class})
public class FirewallApp implements SrApp<Versioned> {
    /** The size of a document of 4,096 rules. */
    static final int MOST_BYTES = 4 << 20;

    static final String KIND = FirewallKind.NAME;

    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final int READERS = 2;

    @Reference
    protected Intents engine;

    @Reference
    protected DataPlane dataPlane;

    private final FirewallKind kind = new FirewallKind();
    private final Recent recent = new Recent();
    private Subscription registered;
    private FirewallIntents firewalls;
    private NodeCalls readers;
    private Meter meter;

    @Activate
    protected void activate() {
        registered = engine.register(kind);
        firewalls = new FirewallIntents(engine, kind, Clock.systemUTC());
        readers = new NodeCalls("sextant-firewalls", READERS);
        meter = new Meter(dataPlane, readers, PATIENCE, Clock.systemUTC());
    }

    @Deactivate
    protected void deactivate() {
        registered.close();
        readers.close();
    }

    @Override
    public List<IntentKind<?>> kinds() {
        return List.of(kind);
    }

    @Override
    public AppWords words() {
        return new FirewallWords();
    }

    @Override
    public List<Filter<Versioned>> filters() {
        return FirewallWords.FILTERS;
    }

    @Override
    public AppIntents<Versioned> intents() {
        return firewalls;
    }

    @Override
    public Role changedBy() {
        return Role.SECURITY;
    }

    @Override
    public int mostBytes() {
        return MOST_BYTES;
    }

    @Override
    public Optional<ObjectShape<Versioned>> shape() {
        return Optional.of(VersionedShape.FIRST);
    }

    @Override
    public IntentText text() {
        return new FirewallText();
    }

    @Override
    public void look(IntentStatus<Versioned> status) {
        recent.look(status);
    }

    @Override
    public ObjectNode explain(Plan plan) {
        ObjectNode explanation = plan.explanation();
        ArrayNode warnings = explanation.putArray("warnings");
        plan.warnings().forEach(warnings::add);
        return explanation;
    }

    @Override
    public void detail(IntentStatus<Versioned> status, ObjectNode view) {
        Plan plan = status.plan();
        view.put("version", status.intent().intent().version());
        Meter.sid(plan).ifPresent(sid -> view.put("sid", sid.sid().toString()));
        view.put("rows", rows(plan));
        ArrayNode through = view.putArray("policies");
        engine.referers(new IntentRef(kind.name(), status.intent().id())).stream()
                .filter(referer -> referer.kind().equals(AlongPolicy.POLICY))
                .forEach(referer -> through.add(referer.id()));
        recent.of(status).ifPresent(findings -> view.set("findings", findings));
    }

    private static long rows(Plan plan) {
        return plan.entries().stream()
                .filter(placed -> placed.entry() instanceof FirewallRule)
                .count();
    }

    /** The counters of a firewall's rules. */
    ObjectNode counters(String id) {
        return meter.view(stored(id));
    }

    /** The verdict of a firewall on a packet and, along a policy, all nodes that it visits. */
    ObjectNode trace(String id, JsonNode request) {
        IntentStatus<Versioned> status = stored(id);
        TraceRequest asked = TraceRequest.read(request);
        if (asked.policy().isPresent()) {
            return new AlongPolicy(engine, kind).trace(id, asked);
        }
        MySid sid = Meter.sid(status.plan())
                .orElseThrow(() -> new ProblemException(new Problem(
                        Problem.Code.UNFEASIBLE,
                        "/id",
                        "firewall \"" + id + "\" has no SID now: it is not installed",
                        "look at the firewall itself, which says what stands against it")));
        return new Tracer(status.intent().intent().firewall(), sid).trace(asked);
    }

    /** The stored versions of a firewall, the latest first. */
    ArrayNode versions(String id) {
        return Versions.of(stored(id).intent().intent());
    }

    /** An earlier version, as the next one. */
    Versioned earlier(String id, OptionalInt version) {
        return Versions.earlier(stored(id).intent().intent(), version);
    }
}
