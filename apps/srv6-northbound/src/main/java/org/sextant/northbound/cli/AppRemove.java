// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.cli;

import java.io.IOException;
import java.util.List;
import java.util.stream.Collectors;
import org.sextant.kit.app.Filter;
import org.sextant.kit.app.Operation;
import org.sextant.kit.app.SrApp;
import org.sextant.northbound.app.Query;
import org.sextant.northbound.app.Removal;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.Option;

/** Removes intents, as {@code srv6:policy-remove}. */
@Command
final class AppRemove<I> extends AppCommand<I> {
    @Option(names = "--all", description = "All that match; without anything else, all that there are.")
    private boolean all;

    AppRemove(SrApp<I> app) {
        super(app);
    }

    @Override
    void describe(CommandSpec spec) {
        called(spec, name("-remove"), Operation.REMOVE);
        addAbove(spec);
        addFilters(spec);
        spec.addPositional(PositionalParamSpec.builder()
                .index(allBehind())
                .arity("0..*")
                .paramLabel(app.words().label())
                .type(List.class)
                .auxiliaryTypes(String.class)
                .description("Ids; " + list() + " lists them.")
                .build());
    }

    @Override
    protected int run() throws IOException {
        enter(spec);
        Removal removal = remove();
        print(removal.view(), AppText.of(app, removal));
        return 0;
    }

    private Removal remove() {
        List<String> ids = arguments(spec);
        Query<I> query = query(spec);
        if (!ids.isEmpty() && (!query.isEmpty() || all)) {
            throw misuse("give either ids or " + others() + ", not both");
        }
        if (ids.isEmpty() && query.isEmpty() && !all) {
            throw misuse("which " + app.words().one() + " is meant? give ids or " + others());
        }
        if (!ids.isEmpty()) {
            return Removal.of(app, ids);
        }
        return all
                ? Removal.matching(app, query)
                : Removal.of(app, List.of(query.only(app).id()));
    }

    /** The options that may choose instead of ids. */
    private String others() {
        String identity = app.filters().stream()
                .filter(Filter::identifies)
                .map(filter -> "--" + filter.name())
                .collect(Collectors.joining(" and "));
        return identity.isEmpty() ? "--all" : identity + " or --all";
    }
}
