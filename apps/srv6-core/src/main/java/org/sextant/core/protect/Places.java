// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.protect;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The best known path to each node: with its own uSID as the last one, or over a pinned link. */
final class Places {
    private final Wires wires;
    private final @Nullable Label[] own;
    private final @Nullable Label[] pinned;
    private final @Nullable Repair[] repairs;

    Places(Wires wires) {
        this.wires = wires;
        own = new Label[wires.size()];
        pinned = new Label[wires.size()];
        repairs = new Repair[wires.size()];
    }

    @Nullable
    Label own(int place) {
        return own[place];
    }

    Optional<Label> pinned(int place) {
        return Optional.ofNullable(pinned[place]);
    }

    /** The labels of both kinds. */
    List<Label> at(int place) {
        List<Label> labels = new ArrayList<>(2);
        if (own[place] != null) {
            labels.add(own[place]);
        }
        pinned(place).ifPresent(labels::add);
        return labels;
    }

    /** Keeps a label that is better than the known one. */
    boolean offer(Label label) {
        @Nullable Label[] kind = label.over() == null ? own : pinned;
        Label known = kind[label.place()];
        if (known != null && label.compareTo(known) >= 0) {
            return false;
        }
        kind[label.place()] = label;
        return true;
    }

    /** The repair that releases packets there, the same for all destinations. */
    Repair repair(int place) {
        Repair repair = repairs[place];
        if (repair == null) {
            repair = Objects.requireNonNull(own[place]).repair(wires);
            repairs[place] = repair;
        }
        return repair;
    }
}
