// SPDX-License-Identifier: Apache-2.0
package org.sextant.marker;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.sextant.core.intent.IntentKind;
import org.sextant.core.intent.Intents;
import org.sextant.core.port.Subscription;
import org.sextant.kit.app.AppIntents;
import org.sextant.kit.app.IntentText;
import org.sextant.kit.app.AppWords;
import org.sextant.kit.app.EngineIntents;
import org.sextant.kit.app.Form;
import org.sextant.kit.app.SrApp;
import org.sextant.kit.app.Word;

/** Markers at /srv6/markers and as srv6:marker…: it makes its kind known to the engine, and says what things are called. */
@Component(immediate = true)
public class MarkerApp implements SrApp<Marker> {
    @Reference
    protected Intents engine;

    private final MarkerKind kind = new MarkerKind();
    private Subscription registered;

    @Activate
    protected void activate() {
        registered = engine.register(kind);
    }

    @Deactivate
    protected void deactivate() {
        registered.close();
    }

    @Override
    public List<IntentKind<?>> kinds() {
        return List.of(kind);
    }

    @Override
    public AppIntents<Marker> intents() {
        return new EngineIntents<>(engine, kind);
    }

    @Override
    public Marker decode(JsonNode json) {
        return kind.decode(json);
    }

    @Override
    public ObjectNode encode(Marker marker) {
        return kind.encode(marker);
    }

    @Override
    public IntentText text() {
        return new MarkerText();
    }

    @Override
    public AppWords words() {
        return new MarkerWords();
    }

    @Override
    public Optional<Form> form() {
        return Optional.of(new Form(
                List.of(
                        Word.argument("NAME", "The marker's name, which is its id.", Word.text("name")),
                        Word.argument("NODE", "The node that gets the SID.", Word.text("node")),
                        Word.argument("SID", "A prefix, as fcbb:bbbb:100:aaaa::/64.", Word.text("sid"))),
                3,
                "name, node and SID, for example one l1 fcbb:bbbb:100:aaaa::/64"));
    }
}
