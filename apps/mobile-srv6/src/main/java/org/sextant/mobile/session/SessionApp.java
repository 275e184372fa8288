// SPDX-License-Identifier: Apache-2.0
package org.sextant.mobile.session;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.sextant.core.calls.NodeCalls;
import org.sextant.core.intent.IntentKind;
import org.sextant.core.intent.IntentStatus;
import org.sextant.core.intent.Intents;
import org.sextant.core.port.DataPlane;
import org.sextant.core.port.Subscription;
import org.sextant.core.shape.ObjectShape;
import org.sextant.kit.app.AppIntents;
import org.sextant.kit.app.AppWords;
import org.sextant.kit.app.EngineIntents;
import org.sextant.kit.app.Filter;
import org.sextant.kit.app.Form;
import org.sextant.kit.app.IntentText;
import org.sextant.kit.app.SrApp;
import org.sextant.mobile.Session;
import org.sextant.mobile.SessionShape;
import org.sextant.mobile.meter.Nodes;
import org.sextant.mobile.slice.SliceApp;

/** Sessions at {@code /srv6/slices/{slice}/sessions} and as {@code srv6:session…}, with their counters. */
@Component(
        immediate = true,
        service = {SrApp.class, SessionApp.class})
public class SessionApp implements SrApp<Session> {
    /** The time for which a request for a session waits for its gateways. */
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private static final int READERS = 4;

    @Reference
    protected Intents engine;

    @Reference
    protected DataPlane dataPlane;

    @Reference
    protected SliceApp slices;

    private final SessionKind kind = new SessionKind();
    private Subscription registered;
    private AppIntents<Session> sessions;
    private NodeCalls readers;
    private Meter meter;

    @Activate
    protected void activate() {
        registered = engine.register(kind);
        sessions = new EngineIntents<>(engine, kind);
        readers = new NodeCalls("sextant-sessions", READERS);
        meter = new Meter(new Nodes(dataPlane, readers, PATIENCE));
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
        return new SessionWords(new SliceApp().words());
    }

    @Override
    public List<Filter<Session>> filters() {
        return SessionWords.FILTERS;
    }

    @Override
    public Optional<Form> form() {
        return Optional.of(SessionWords.form());
    }

    @Override
    public AppIntents<Session> intents() {
        return sessions;
    }

    @Override
    public AppIntents<?> above() {
        return slices.intents();
    }

    /** {@inheritDoc} This shape describes and writes sessions of any slice; the shape of a slice reads them. */
    @Override
    public Optional<ObjectShape<Session>> shape() {
        return Optional.of(SessionShape.in(""));
    }

    /** {@inheritDoc} Reads stored sessions; posted ones have their slice in the address. */
    @Override
    public Session decode(JsonNode json) {
        return new SessionKind().decode(json);
    }

    @Override
    public Session decode(String above, JsonNode json) {
        return SessionShape.in(above).decode(json);
    }

    @Override
    public IntentText text() {
        return new SessionText();
    }

    @Override
    public void look(IntentStatus<Session> status) {
        meter.read(status.id(), status.plan());
    }

    @Override
    public void detail(IntentStatus<Session> status, ObjectNode view) {
        meter.last(status.id()).ifPresent(traffic -> traffic.in(view.putObject("counters")));
    }
}
