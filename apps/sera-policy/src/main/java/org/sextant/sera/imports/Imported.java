// SPDX-License-Identifier: Apache-2.0
package org.sextant.sera.imports;

import java.util.List;
import org.sextant.sera.Firewall;

/**
 * A firewall made of a text, and what of the text is not in it.
 *
 * @param refused lines that have no counterpart: without them the firewall does something else than the text
 * @param warnings lines that are in it, but mean something else in some case
 */
public record Imported(Firewall firewall, List<Remark> refused, List<Remark> warnings) {
    public Imported {
        refused = List.copyOf(refused);
        warnings = List.copyOf(warnings);
    }

    /** What there is to say about a line, counted from 1; 0: about the whole. */
    public record Remark(int line, String text, String why) {}
}
