// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.sextant.core.fake.FakeCoordination;
import org.sextant.core.fake.FakeDataPlane;
import org.sextant.core.fake.FakeInventory;
import org.sextant.core.fake.FakeStore;
import org.sextant.core.intent.engine.IntentEngine;
import org.sextant.core.loop.EngineThread;
import org.sextant.core.net.Link;
import org.sextant.core.net.Network;
import org.sextant.core.net.Node;
import org.sextant.core.replay.RecordedRun;

/** An engine between fakes; a square of nodes a-b-c-d with both diagonals. */
final class Bench implements AutoCloseable {
    /** No audit of its own, no grace; retries only on request. */
    static final EngineSettings QUIET = EngineSettings.DEFAULT
            .withAuditInterval(Duration.ZERO)
            .withAdoptionGrace(Duration.ZERO)
            .withRetryDelay(Duration.ofHours(1));

    final FakeInventory inventory;
    final FakeDataPlane dataPlane;
    final FakeStore store;
    final FakeCoordination coordination;
    final IntentKind<Toy> kind;
    final IntentEngine engine;
    final List<EngineEvent> events = new CopyOnWriteArrayList<>();
    private final EngineSettings settings;
    private final Optional<RecordedRun> run;

    /** The fakes around an engine. */
    record Fakes(FakeInventory inventory, FakeDataPlane dataPlane, FakeStore store, FakeCoordination coordination) {
        Fakes(FakeInventory inventory, FakeDataPlane dataPlane, FakeStore store) {
            this(inventory, dataPlane, store, new FakeCoordination());
        }

        static Fakes square() {
            return new Fakes(new FakeInventory(Bench.square()), new FakeDataPlane(), new FakeStore());
        }
    }

    Bench(
            FakeInventory inventory,
            FakeDataPlane dataPlane,
            FakeStore store,
            EngineSettings settings,
            IntentKind<Toy> kind) {
        this(new Fakes(inventory, dataPlane, store), settings, kind, Optional.empty());
    }

    Bench(
            FakeInventory inventory,
            FakeDataPlane dataPlane,
            FakeStore store,
            FakeCoordination coordination,
            EngineSettings settings,
            IntentKind<Toy> kind) {
        this(new Fakes(inventory, dataPlane, store, coordination), settings, kind, Optional.empty());
    }

    private Bench(Fakes fakes, EngineSettings settings, IntentKind<Toy> kind, Optional<RecordedRun> run) {
        this.inventory = fakes.inventory();
        this.dataPlane = fakes.dataPlane();
        this.store = fakes.store();
        this.coordination = fakes.coordination();
        this.kind = kind;
        this.settings = settings;
        this.run = run;
        this.engine = new IntentEngine(
                new IntentEngine.Ports(inventory, dataPlane, store, coordination),
                settings,
                EngineThread.factory(settings.clock(), run));
        engine.listen(events::add);
        engine.register(kind);
    }

    /** A bench whose run is replayed when it is closed: the replay must make the same calls. */
    static Bench recorded(Fakes fakes, EngineSettings settings, IntentKind<Toy> kind) {
        return new Bench(fakes, settings, kind, Optional.of(new RecordedRun()));
    }

    /** Started, with all four nodes connected. */
    static Bench started() {
        return started(QUIET);
    }

    static Bench started(EngineSettings settings) {
        Bench bench =
                new Bench(new FakeInventory(square()), new FakeDataPlane(), new FakeStore(), settings, new Toy.Kind());
        bench.connectAll();
        bench.start();
        return bench;
    }

    /** Another engine on the same nodes and the same store, as after a restart. */
    Bench restarted() {
        close();
        dataPlane.forgetLog();
        Bench next = new Bench(
                new Fakes(inventory, dataPlane, store), QUIET, new Toy.Kind(), run.map(before -> new RecordedRun()));
        next.start();
        return next;
    }

    void start() {
        engine.start();
        settle();
    }

    void connectAll() {
        inventory.snapshot().nodes().keySet().forEach(dataPlane::connect);
    }

    Submission<Toy> submit(Toy... toys) {
        Submission<Toy> submission = engine.submit(kind, List.of(toys));
        await(submission.settled());
        return submission;
    }

    void settle() {
        await(engine.idle());
    }

    DriftReport audit() {
        return await(engine.audit());
    }

    IntentStatus<Toy> status(String id) {
        return engine.get(kind, id).orElseThrow(() -> new AssertionError("no " + kind.name() + " " + id));
    }

    /** The recorded updates since the log was last cleared, as text. */
    List<String> log() {
        return dataPlane.log().stream().map(FakeDataPlane.Done::toString).toList();
    }

    @Override
    public void close() {
        engine.close();
        run.ifPresent(recorded -> recorded.requireSameDecisions(settings));
    }

    static <T> T await(CompletableFuture<T> future) {
        try {
            return future.get(20, TimeUnit.SECONDS);
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            throw new AssertionError("did not settle", e);
        }
    }

    static Network square() {
        List<Node> nodes = new ArrayList<>();
        for (String name : List.of("a", "b", "c", "d")) {
            nodes.add(node(name));
        }
        List<Link> links = new ArrayList<>();
        for (String pair : List.of("ab", "bc", "cd", "da", "ac", "bd")) {
            links.addAll(links(pair.substring(0, 1), pair.substring(1)));
        }
        return new Network(nodes, links, List.of());
    }

    static Node node(String name) {
        return new Node(
                name,
                "device:" + name,
                "grpc://" + name,
                "org.sextant.linux",
                Optional.empty(),
                new TreeMap<>(),
                Optional.empty());
    }

    /** Both directions; the number of a node's port follows from the neighbor's name. */
    static List<Link> links(String one, String other) {
        Link.End here = new Link.End(one, other.charAt(0) - 'a' + 1);
        Link.End there = new Link.End(other, one.charAt(0) - 'a' + 1);
        return List.of(link(here, there), link(there, here));
    }

    private static Link link(Link.End from, Link.End to) {
        return new Link(from, to, 10, 10, 0, 1500, java.util.Set.of(), java.util.Set.of(), true);
    }
}
