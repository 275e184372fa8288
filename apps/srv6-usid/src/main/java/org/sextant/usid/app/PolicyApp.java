// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid.app;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.sextant.core.intent.IntentKind;
import org.sextant.core.intent.IntentStatus;
import org.sextant.core.intent.Intents;
import org.sextant.core.port.Subscription;
import org.sextant.core.shape.ObjectShape;
import org.sextant.kit.app.AppIntents;
import org.sextant.kit.app.AppWords;
import org.sextant.kit.app.EngineIntents;
import org.sextant.kit.app.Filter;
import org.sextant.kit.app.Form;
import org.sextant.kit.app.IntentText;
import org.sextant.kit.app.SrApp;
import org.sextant.usid.Policy;
import org.sextant.usid.PolicyShape;
import org.sextant.usid.plan.PolicyCompiler;
import org.sextant.usid.plan.PolicyKind;
import org.sextant.usid.text.PolicyText;

/** SR policies at {@code /srv6/policies} and as {@code srv6:policy…}. */
@Component(
        immediate = true,
        service = {SrApp.class, PolicyApp.class})
public class PolicyApp implements SrApp<Policy> {
    @Reference
    protected Intents engine;

    @Reference
    protected LivenessEvents liveness = new LivenessEvents();

    @Reference
    protected Reroutes reroutes = new Reroutes();

    private final PolicyKind kind = new PolicyKind(new PolicyCompiler());
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
    public AppWords words() {
        return new PolicyWords();
    }

    @Override
    public List<Filter<Policy>> filters() {
        return PolicyFilters.ALL;
    }

    @Override
    public Optional<Form> form() {
        return Optional.of(PolicyWords.form());
    }

    @Override
    public AppIntents<Policy> intents() {
        return new EngineIntents<>(engine, kind);
    }

    @Override
    public Optional<ObjectShape<Policy>> shape() {
        return Optional.of(PolicyShape.POLICY);
    }

    @Override
    public IntentText text() {
        return new PolicyText();
    }

    @Override
    public void detail(IntentStatus<Policy> status, ObjectNode view) {
        ObjectNode explanation = status.plan().explanation();
        if (explanation.has("directions")) {
            view.set("directions", explanation.get("directions"));
        } else {
            view.putArray("directions");
        }
        for (String field : List.of("bindingSid", "fallback")) {
            if (explanation.has(field)) {
                view.set(field, explanation.get(field));
            }
        }
        reroutes.of(status.id()).ifPresent(wanted -> view.set("wanted", wanted));
        liveness.paths(status.id()).ifPresent(paths -> view.set("candidatePaths", paths));
    }
}
