// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.app;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.sextant.core.Problem;
import org.sextant.core.intent.IntentState;
import org.sextant.core.intent.IntentStatus;
import org.sextant.core.intent.Submission;
import org.sextant.core.json.ProblemJson;
import org.sextant.kit.InstallWait;
import org.sextant.kit.app.SrApp;

/**
 * The results of a posted list of intents after waiting for the nodes for a while, one by one in the order posted. The
 * first rejected ones are listed with their problems, the rest is a number.
 */
public final class ListReceipt<I> {
    /** One durable step of the engine, between which others have their turn. */
    private static final int PART = 1000;

    /** A mistake that is made a hundred times is clear by then. */
    private static final int MAX_EXPLAINED = 100;

    private final SrApp<I> app;
    private final List<Line> lines = new ArrayList<>();
    private int explained;
    private int leftOut;

    private sealed interface Line {
        int code();
    }

    private record Stored(String id, int code, IntentState state) implements Line {}

    private record Rejected(int code, List<Problem> problems) implements Line {}

    /** Accepted, and not settled yet. */
    private record Accepted(String id, boolean changed, boolean created) implements Line {
        @Override
        public int code() {
            return 202;
        }
    }

    private ListReceipt(SrApp<I> app) {
        this.app = app;
    }

    /** Submits the readable ones and waits a while until they are settled. */
    public static <I> ListReceipt<I> submit(SrApp<I> app, PostBody<I> list) throws IOException {
        ListReceipt<I> receipt = new ListReceipt<>(app);
        List<CompletableFuture<Void>> settling = new ArrayList<>();
        list.parts(PART, items -> settling.add(receipt.submit(items)));
        InstallWait.await(CompletableFuture.allOf(settling.toArray(CompletableFuture<?>[]::new)), Receipt.PATIENCE);
        receipt.lines.replaceAll(line -> line instanceof Accepted accepted ? receipt.settled(accepted) : line);
        return receipt;
    }

    private CompletableFuture<Void> submit(List<PostBody.Item<I>> items) {
        List<I> readable =
                items.stream().flatMap(item -> item.intent().stream()).toList();
        Set<String> before = new HashSet<>();
        readable.stream()
                .flatMap(intent -> app.intents().name(intent).stream())
                .filter(app::present)
                .forEach(before::add);
        Submission<I> submission = app.intents().submit(readable);
        Iterator<Submission.Outcome<I>> outcomes = submission.outcomes().iterator();
        for (PostBody.Item<I> item : items) {
            lines.add(item.intent().isPresent() ? line(outcomes.next(), before) : rejected(item.problems()));
        }
        return submission.settled();
    }

    private Line line(Submission.Outcome<I> outcome, Set<String> before) {
        if (!outcome.accepted()) {
            return rejected(outcome.problems());
        }
        String id = outcome.intent().orElseThrow().id();
        return new Accepted(id, outcome.changed(), before.add(id));
    }

    private Line rejected(List<Problem> problems) {
        int code = ProblemJson.status(problems, true);
        if (explained == MAX_EXPLAINED) {
            leftOut++;
            return new Rejected(code, List.of());
        }
        explained++;
        return new Rejected(code, PostBody.in(lines.size(), problems));
    }

    private Line settled(Accepted line) {
        // It may have been removed meanwhile.
        IntentState state =
                app.intents().find(line.id()).map(IntentStatus::state).orElse(IntentState.PENDING);
        return new Stored(line.id(), InstallWait.code(line.changed(), line.created(), state), state);
    }

    /** 207 if something was rejected; else 202 if something is not installed; else 201 if something is new; else 200. */
    public int code() {
        int worst = lines.stream().mapToInt(Line::code).max().orElse(200);
        return worst >= 400 ? 207 : worst;
    }

    /** The counts, and one item per intent in the order posted. */
    public void write(JsonGenerator json) throws IOException {
        json.writeStartObject();
        json.writeNumberField("created", count(201));
        json.writeNumberField("unchangedOrReplaced", count(200));
        json.writeNumberField("pending", count(202));
        json.writeNumberField(
                "rejected", lines.stream().filter(line -> line.code() >= 400).count());
        json.writeNumberField("errorsLeftOut", leftOut);
        json.writeArrayFieldStart("items");
        for (Line line : lines) {
            write(json, line);
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    private static void write(JsonGenerator json, Line line) throws IOException {
        json.writeStartObject();
        json.writeNumberField("status", line.code());
        if (line instanceof Stored stored) {
            json.writeStringField("id", stored.id());
            json.writeStringField("state", stored.state().name());
        } else if (line instanceof Rejected rejected && !rejected.problems().isEmpty()) {
            json.writeFieldName("errors");
            json.writeTree(ProblemJson.list(rejected.problems()));
        }
        json.writeEndObject();
    }

    private long count(int code) {
        return lines.stream().filter(line -> line.code() == code).count();
    }
}
