// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.sextant.core.ProblemException;
import org.sextant.core.fake.FakeCoordination;
import org.sextant.core.fake.FakeDataPlane;
import org.sextant.core.fake.FakeInventory;
import org.sextant.core.fake.FakeStore;
import org.sextant.core.intent.engine.EngineMessage;
import org.sextant.core.intent.engine.IntentEngine;
import org.sextant.core.port.DataPlane;
import org.sextant.core.port.DataPlane.Code;
import org.sextant.core.port.NodeUnavailableException;

/**
 * A network of four nodes a, b, c, d with links between all, and an engine. Each event is a line; its effects are
 * indented below it: writes, and new states of intents and nodes. A write is carried out when a line requests it; all
 * else is answered at once.
 *
 * <pre>
 *   submit NAME PREFIX PATH...    withdraw NAME
 *   NODE answers                  its first pending write is carried out
 *   NODE fails                    the connection breaks instead
 *   NODE refuses TABLE            from now on
 *   NODE obeys
 *   NODE is lost                  NODE is back
 *   link A-B down                 link A-B up
 *   store hangs                   store answers
 *   wait MILLISECONDS
 * </pre>
 */
final class Story implements AutoCloseable {
    private static final String STORE = "store";

    private final StepLoop loop = new StepLoop();
    private final FakeInventory inventory = new FakeInventory(Bench.square());
    private final FakeDataPlane dataPlane = new FakeDataPlane();
    private final IntentKind<Toy> kind = new Toy.Kind();
    private final IntentEngine engine;
    private final List<String> lines = new ArrayList<>();
    private final List<String> seen = new ArrayList<>();
    private SortedMap<String, String> states = new TreeMap<>();
    private boolean storeHangs;

    Story() {
        EngineSettings settings = Bench.QUIET.withRetryDelay(Duration.ofSeconds(1));
        engine = new IntentEngine(
                new IntentEngine.Ports(inventory, dataPlane, new FakeStore(), new FakeCoordination()),
                settings,
                loop::connect);
        engine.register(kind);
        engine.start();
        inventory.snapshot().nodes().keySet().forEach(dataPlane::connect);
        settle();
        states = states();
    }

    /** Runs the events of a text, and returns it with the effects of each; lines that begin with # stay. */
    static String play(String text) {
        try (Story story = new Story()) {
            for (String line : text.lines().toList()) {
                if (line.isBlank() || line.startsWith("#")) {
                    story.lines.add(line);
                } else if (!line.startsWith(" ")) {
                    story.event(line);
                }
            }
            return String.join("\n", story.lines) + "\n";
        }
    }

    private void event(String line) {
        lines.add(line);
        carryOut(line.split(" "));
        settle();
        SortedMap<String, String> now = states();
        now.forEach((name, state) -> {
            if (!state.equals(states.get(name))) {
                seen.add(name + ": " + state);
            }
        });
        states.keySet().stream().filter(name -> !now.containsKey(name)).forEach(name -> seen.add(name + ": gone"));
        states = now;
        seen.forEach(one -> lines.add("  " + one));
        seen.clear();
    }

    private void carryOut(String[] words) {
        switch (words[0]) {
            case "submit" ->
                change(new EngineMessage.Submit<>(
                        kind,
                        List.of(new Toy(words[1], words[2], List.of(words).subList(3, words.length))),
                        Precondition.NONE));
            case "withdraw" -> change(new EngineMessage.Withdraw(kind, List.of(words[1]), Precondition.NONE));
            case "link" -> {
                String[] ends = words[1].split("-");
                inventory.link(ends[0], ends[1], words[2].equals("up"));
            }
            case STORE -> {
                storeHangs = words[1].equals("hangs");
                loop.storeHangs(storeHangs);
            }
            case "wait" -> pass(Duration.ofMillis(Long.parseLong(words[1])));
            default -> node(words[0], words);
        }
    }

    private void change(EngineMessage.Change<?> change) {
        loop.request(change).result().whenComplete((result, failure) -> {
            if (failure != null) {
                seen.add("refused: "
                        + (failure instanceof ProblemException problem
                                ? problem.problems().get(0).message()
                                : failure.getMessage()));
            } else if (result instanceof Submission<?> submission
                    && !submission.outcomes().get(0).problems().isEmpty()) {
                seen.add("refused: "
                        + submission.outcomes().get(0).problems().get(0).message());
            }
        });
    }

    private void node(String node, String[] words) {
        switch (words[1]) {
            case "answers" -> loop.take(("write " + node)::equals).answers().run();
            case "fails" ->
                loop.take(("write " + node)::equals)
                        .fails()
                        .accept(new NodeUnavailableException(node, "the connection broke"));
            case "refuses" ->
                dataPlane.refuse(
                        node,
                        update -> update.entry().key().table().equals(words[2]),
                        Code.RESOURCE_EXHAUSTED,
                        "the table is full");
            case "obeys" -> dataPlane.obey(node);
            default -> {
                if (words[2].equals("back")) {
                    dataPlane.connect(node);
                } else {
                    dataPlane.disconnect(node, "it was switched off");
                }
            }
        }
    }

    private void pass(Duration duration) {
        for (Duration left = duration; !left.isZero(); left = left.minusMillis(1)) {
            loop.pass(Duration.ofMillis(1));
            settle();
        }
    }

    /** Handles the pending messages, and answers all calls but writes. */
    private void settle() {
        Predicate<String> answered = name -> !name.startsWith("write ") && !(storeHangs && name.startsWith(STORE));
        loop.run();
        while (loop.has(answered)) {
            loop.take(answered).answers().run();
            loop.run();
        }
        loop.begun().forEach(call -> seen.add(call.name() + ": " + updates(call.request())));
    }

    private static String updates(Object request) {
        return ((List<?>) request)
                .stream().map(DataPlane.Update.class::cast).map(Story::update).collect(Collectors.joining(", "));
    }

    private static String update(DataPlane.Update update) {
        return update.operation() + " " + update.entry().key();
    }

    private SortedMap<String, String> states() {
        SortedMap<String, String> now = new TreeMap<>();
        engine.list(kind).forEach(status -> now.put(status.id(), state(status)));
        engine.nodes()
                .forEach(node -> now.put("node " + node.node(), node.state().name()));
        return now;
    }

    private static String state(IntentStatus<Toy> status) {
        String why = status.troubles().stream()
                .map(trouble -> trouble.node() + " " + trouble.state())
                .distinct()
                .collect(Collectors.joining(", "));
        return status.state() + (why.isEmpty() ? "" : " (" + why + ")");
    }

    @Override
    public void close() {
        engine.release();
    }
}
