// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.TokenBuffer;
import java.io.IOException;
import org.sextant.core.intent.IntentState;
import org.sextant.kit.app.Operation;
import org.sextant.kit.app.SrApp;
import org.sextant.northbound.answer.JsonAnswer;
import org.sextant.northbound.app.DryRuns;
import org.sextant.northbound.app.ListReceipt;
import org.sextant.northbound.app.PostBody;
import org.sextant.northbound.app.Receipt;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** Adds an intent or a list of them, as {@code srv6:policy-add}. */
@Command
final class AppAdd<I> extends AppCommand<I> {
    @Option(names = "--dry-run", description = "Only say what would happen.")
    private boolean dryRun;

    AppAdd(SrApp<I> app) {
        super(app);
    }

    @Override
    void describe(CommandSpec spec) {
        called(spec, name("-add"), Operation.ADD);
        addAbove(spec);
        addForm(spec);
    }

    @Override
    protected boolean readsDocument() {
        return fileGiven(spec);
    }

    @Override
    protected boolean isDryRun() {
        return dryRun;
    }

    @Override
    protected int run() throws IOException {
        enter(spec);
        if (!fileGiven(spec)) {
            return add(said(spec, "give " + asking()));
        }
        return document(
                spec,
                posted -> posted.single().isPresent() ? add(posted.single().get()) : add(posted));
    }

    private int add(I intent) throws IOException {
        if (dryRun) {
            ObjectNode plan = DryRuns.plan(app, intent);
            print(plan, app.text().plan(plan));
            return 0;
        }
        Receipt receipt = Receipt.submit(app, intent);
        boolean installed = receipt.state() == IntentState.INSTALLED;
        print(
                receipt.view(),
                AppText.of(app, receipt.view()) + (installed ? "" : "stored, but not (fully) installed yet\n"));
        return 0;
    }

    private int add(PostBody<I> list) throws IOException {
        if (dryRun) {
            JsonNode view = tree(json -> DryRuns.write(app, list, json));
            print(view, AppText.ofTried(app, view));
            return view.get("items").findValue("errors") == null ? 0 : 1;
        }
        ListReceipt<I> receipt = ListReceipt.submit(app, list);
        JsonNode view = tree(receipt::write);
        print(view, AppText.ofList(view));
        return receipt.code() == 207 ? 1 : 0;
    }

    private static JsonNode tree(JsonAnswer.Writing writing) throws IOException {
        TokenBuffer buffer = new TokenBuffer(new ObjectMapper(), false);
        writing.to(buffer);
        return new ObjectMapper().readTree(buffer.asParser());
    }
}
