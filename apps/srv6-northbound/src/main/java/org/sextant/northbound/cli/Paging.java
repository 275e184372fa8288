// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.cli;

import org.sextant.northbound.answer.Page;
import picocli.CommandLine.Option;

/** The options of commands whose lists may be long. */
public final class Paging {
    @Option(names = "--limit", paramLabel = "N", description = "At most so many.")
    private String limit;

    @Option(names = "--after", paramLabel = "LAST", description = "Only those behind this one.")
    private String after;

    /** @throws org.sextant.core.ProblemException if the limit is no number of the range */
    public Page page() {
        return Page.parse(limit, after);
    }

    /** How to go on. */
    public static String more(String last) {
        return "there are more: --after " + (last.indexOf(' ') < 0 ? last : "\"" + last + "\"");
    }
}
