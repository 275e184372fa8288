// SPDX-License-Identifier: Apache-2.0
package org.sextant.edge.app;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.sextant.core.access.Role;
import org.sextant.core.calls.NodeCalls;
import org.sextant.core.intent.EntryState;
import org.sextant.core.intent.IntentKind;
import org.sextant.core.intent.Intents;
import org.sextant.core.port.DataPlane;
import org.sextant.core.port.Subscription;
import org.sextant.core.provision.Provisioning;
import org.sextant.core.shape.ObjectShape;
import org.sextant.edge.Peer;
import org.sextant.edge.PeerShape;
import org.sextant.edge.plan.PeerKind;
import org.sextant.kit.app.AppIntents;
import org.sextant.kit.app.AppWords;
import org.sextant.kit.app.EngineIntents;
import org.sextant.kit.app.Filter;
import org.sextant.kit.app.Form;
import org.sextant.kit.app.IntentText;
import org.sextant.kit.app.SrApp;
import org.sextant.kit.app.Word;

/** Peers at {@code /srv6/edge/peers} and as {@code srv6:edge-peer…}, and the edge that they pass. */
@Component(
        immediate = true,
        service = {SrApp.class, EdgeApp.class})
public class EdgeApp implements SrApp<Peer> {
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final int READERS = 8;

    @Reference
    protected Intents engine;

    @Reference
    protected DataPlane dataPlane;

    private final PeerKind kind = new PeerKind();
    private final Provisioning provisioning = new Provisioning();
    private Subscription registered;
    private NodeCalls readers;

    @Activate
    protected void activate() {
        registered = engine.register(kind);
        readers = new NodeCalls("sextant-edge", READERS);
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
        return new PeerWords();
    }

    @Override
    public List<Filter<Peer>> filters() {
        return PeerWords.FILTERS;
    }

    @Override
    public Optional<Form> form() {
        return Optional.of(new Form(
                List.of(
                        Word.argument("NAME", "The peer's name, which is its id.", Word.text("name")),
                        Word.option(
                                "--source",
                                "PREFIX",
                                "Where it sends from, as 2001:db8:a::/48; several joined by commas.",
                                Word.texts("sources")),
                        Word.option(
                                "--port",
                                "PORT",
                                "Where it is, as l1/3; several joined by commas.",
                                Word.texts("ports"))),
                1,
                "name, sources and ports, for example office --source 2001:db8:a::/48 --port l1/3"));
    }

    @Override
    public AppIntents<Peer> intents() {
        return new EngineIntents<>(engine, kind);
    }

    @Override
    public Role changedBy() {
        return Role.SECURITY;
    }

    @Override
    public Optional<ObjectShape<Peer>> shape() {
        return Optional.of(PeerShape.PEER);
    }

    @Override
    public IntentText text() {
        return new PeerText();
    }

    /** The role, the peers and the drop counters of each port of all nodes. */
    ObjectNode edge() {
        return view().all();
    }

    /** The ports of one node. */
    ObjectNode edge(String node) {
        return view().one(node);
    }

    private EdgeView view() {
        return new EdgeView(engine.context(), intents().list(), this::refused, new Meter(dataPlane, readers, PATIENCE));
    }

    /** The reason why a node rejected an entry of its edge; empty if it has all of them. */
    private Optional<String> refused(String node) {
        return engine.get(provisioning, node).stream()
                .flatMap(status -> status.troubles().stream())
                .filter(trouble -> trouble.state() == EntryState.FAILED
                        && trouble.key().table().startsWith("edge_"))
                .flatMap(trouble -> trouble.failure().stream().map(why -> trouble.key() + ": " + why.reason()))
                .findFirst();
    }
}
