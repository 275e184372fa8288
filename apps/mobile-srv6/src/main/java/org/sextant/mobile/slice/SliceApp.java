// SPDX-License-Identifier: Apache-2.0
package org.sextant.mobile.slice;

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
import org.sextant.kit.app.Filter;
import org.sextant.kit.app.Form;
import org.sextant.kit.app.IntentText;
import org.sextant.kit.app.SrApp;
import org.sextant.mobile.Slice;
import org.sextant.mobile.SliceShape;
import org.sextant.mobile.meter.Nodes;

/** Mobile slices at {@code /srv6/slices} and as {@code srv6:slice…}. */
@Component(
        immediate = true,
        service = {SrApp.class, SliceApp.class})
public class SliceApp implements SrApp<Slice> {
    /** The time for which a request for a slice waits for its gateways. */
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private static final int READERS = 4;

    @Reference
    protected Intents engine;

    @Reference
    protected DataPlane dataPlane;

    private final SliceKind kind = new SliceKind();
    private Subscription registered;
    private SliceIntents slices;
    private NodeCalls readers;
    private SliceMeter meter;

    @Activate
    protected void activate() {
        registered = engine.register(kind);
        slices = new SliceIntents(engine, kind);
        readers = new NodeCalls("sextant-slices", READERS);
        meter = new SliceMeter(new Nodes(dataPlane, readers, PATIENCE));
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
    public void look(IntentStatus<Slice> status) {
        meter.read(status.id(), status.plan());
    }

    @Override
    public AppWords words() {
        return new SliceWords();
    }

    @Override
    public List<Filter<Slice>> filters() {
        return SliceWords.FILTERS;
    }

    @Override
    public Optional<Form> form() {
        return Optional.of(SliceWords.form());
    }

    @Override
    public AppIntents<Slice> intents() {
        return slices;
    }

    @Override
    public Optional<ObjectShape<Slice>> shape() {
        return Optional.of(SliceShape.SLICE);
    }

    @Override
    public IntentText text() {
        return new SliceText();
    }

    @Override
    public void detail(IntentStatus<Slice> status, ObjectNode view) {
        ObjectNode explanation = status.plan().explanation();
        if (explanation.has("ways")) {
            view.set("ways", explanation.get("ways"));
        } else {
            view.putArray("ways");
        }
        meter.detail(status.id(), view);
    }
}
