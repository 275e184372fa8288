// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.sextant.kit.app.Operation;
import org.sextant.kit.app.SrApp;
import org.sextant.kit.app.Word;
import org.sextant.northbound.app.DryRuns;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;

/** Explains the effects of an intent, as {@code srv6:policy-explain}: one word alone is the id of a stored one. */
@Command
final class AppExplain<I> extends AppCommand<I> {
    private static final String OR = " or ";

    AppExplain(SrApp<I> app) {
        super(app);
    }

    @Override
    void describe(CommandSpec spec) {
        called(spec, name("-explain"), Operation.PLAN);
        addAbove(spec);
        addForm(spec);
        if (spec.positionalParameters().size() == shift()) {
            addId(spec);
        }
    }

    @Override
    String argumentLabel(Word word, int index) {
        return index == 0 ? app.words().label() + OR + word.label() : word.label();
    }

    @Override
    protected boolean readsDocument() {
        return fileGiven(spec);
    }

    @Override
    protected boolean changes() {
        return false;
    }

    @Override
    protected int run() throws IOException {
        enter(spec);
        List<String> arguments = arguments(spec);
        boolean stored = !fileGiven(spec) && arguments.size() == 1;
        ObjectNode explanation = stored ? app.plan(arguments.get(0)) : DryRuns.plan(app, described());
        print(explanation, app.text().plan(explanation));
        return 0;
    }

    private I described() throws IOException {
        if (!fileGiven(spec)) {
            return said(spec, "give a " + app.words().one() + "'s id; or " + asking());
        }
        return document(
                spec,
                posted -> posted.single()
                        .orElseThrow(() -> misuse("explain one " + app.words().one() + " at a time, not a list")));
    }

    @Override
    Iterable<String> names(String label, List<String> before) {
        int or = label.indexOf(OR);
        if (or < 0) {
            return super.names(label, before);
        }
        List<String> both = new ArrayList<>();
        super.names(label.substring(0, or), before).forEach(both::add);
        super.names(label.substring(or + OR.length()), before).forEach(both::add);
        return both;
    }
}
