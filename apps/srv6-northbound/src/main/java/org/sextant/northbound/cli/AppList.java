// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import java.io.IOException;
import org.sextant.core.intent.IntentStatus;
import org.sextant.kit.app.Operation;
import org.sextant.kit.app.SrApp;
import org.sextant.northbound.answer.Page;
import org.sextant.northbound.app.AppView;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;

/** Lists intents, as {@code srv6:policies}. */
@Command
final class AppList<I> extends AppCommand<I> {
    @Mixin
    private Paging paging;

    AppList(SrApp<I> app) {
        super(app);
    }

    @Override
    void describe(CommandSpec spec) {
        called(spec, app.words().listCommand(), Operation.LIST);
        addAbove(spec);
        addFilters(spec);
    }

    @Override
    protected boolean changes() {
        return false;
    }

    @Override
    protected int run() throws IOException {
        enter(spec);
        Page.Part<IntentStatus<I>> part = paging.page().of(query(spec).all(app), IntentStatus::id);
        ArrayNode view = AppView.of(app, part.elements());
        print(view, AppText.list(app, view));
        part.next().ifPresent(next -> note(Paging.more(next)));
        return 0;
    }
}
