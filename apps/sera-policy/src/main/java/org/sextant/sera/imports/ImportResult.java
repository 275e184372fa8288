// SPDX-License-Identifier: Apache-2.0
package org.sextant.sera.imports;

import java.util.List;
import org.sextant.sera.Firewall;

/**
 * A firewall imported from a text, and the lines that it does not represent.
 *
 * @param refused lines without a counterpart: their effect is missing in the firewall
 * @param warnings lines whose counterpart differs in some case
 */
public record ImportResult(Firewall firewall, List<Remark> refused, List<Remark> warnings) {
    public ImportResult {
        refused = List.copyOf(refused);
        warnings = List.copyOf(warnings);
    }

    /** A remark on a line, counted from 1; 0: on the whole text. */
    public record Remark(int line, String text, String why) {}
}
