// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.table;

import java.util.Objects;
import org.sextant.contract.Tables;
import org.sextant.core.ip.Ipv6;

/** The source address of every outer header this node pushes; the default entry of a table without a key. */
public record EncapSource(Ipv6 source) implements Entry {
    public static final String TABLE = Tables.ENCAP_SOURCE.name();

    public EncapSource {
        Objects.requireNonNull(source);
    }

    @Override
    public Key key() {
        return new Key(TABLE, "");
    }

    @Override
    public Stage stage() {
        return Stage.ADJACENCY;
    }
}
