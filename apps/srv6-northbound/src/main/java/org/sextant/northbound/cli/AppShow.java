// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import org.sextant.kit.app.Operation;
import org.sextant.kit.app.SrApp;
import org.sextant.northbound.app.AppView;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;

/** Shows an intent, as {@code srv6:policy}. */
@Command
final class AppShow<I> extends AppCommand<I> {
    AppShow(SrApp<I> app) {
        super(app);
    }

    @Override
    void describe(CommandSpec spec) {
        called(spec, name(""), Operation.GET);
        addAbove(spec);
        addId(spec);
    }

    @Override
    protected boolean changes() {
        return false;
    }

    @Override
    protected int run() throws IOException {
        enter(spec);
        ObjectNode view = AppView.looked(app, arguments(spec).get(0));
        print(view, AppText.of(app, view));
        return 0;
    }
}
