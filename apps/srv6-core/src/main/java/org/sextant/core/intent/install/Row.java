// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent.install;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.sextant.core.port.DataPlane.Counters;
import org.sextant.core.port.DataPlane.Failure;
import org.sextant.core.port.DataPlane.Operation;
import org.sextant.core.table.Entry;

/**
 * One row of one node: the entries that intents claim in it, and the entry that the node holds.
 *
 * <p>A claim of an intent has three entries. Its <em>desired</em> entry is that of the intent's plan. Its
 * <em>admitted</em> entry is the same once the conflict resolver let it have it; it reserves the row against other
 * intents even while nothing can be installed. Its <em>applied</em> entry is the one that the node is to hold now;
 * admitted becomes applied when a round starts, and an undo sets applied back. Rows without any claim that the node
 * holds are foreign, or left over.
 */
public final class Row {

    /** One intent's claim; an entry may be null, not all of them. */
    public static final class Claim {
        final TrackedIntent owner;

        @Nullable
        Entry desired;

        @Nullable
        Entry admitted;

        @Nullable
        Entry applied;

        private @Nullable Claim next;

        Claim(TrackedIntent owner) {
            this.owner = owner;
        }

        public TrackedIntent owner() {
            return owner;
        }

        public @Nullable Entry desired() {
            return desired;
        }

        public @Nullable Entry admitted() {
            return admitted;
        }

        public @Nullable Entry applied() {
            return applied;
        }
    }

    /** The reason for an undesired row on a node. */
    private enum Origin {
        /** It appeared without a write of this controller, while the node was monitored. */
        FOREIGN,
        /** It was there when the node was adopted: possibly of an earlier run. */
        UNEXPLAINED,
        /** An intent of this run had it and gave it up: it goes, without the grace of rows whose origin is unknown. */
        RELEASED,
        /** Released at least one audit ago, on another controller's node. */
        FORGOTTEN
    }

    private static final Counters NOTHING = new Counters(0, 0);

    final NodeTable node;
    final Entry.Key key;

    /** Null if the node has no such row. */
    @Nullable
    Entry held;

    @Nullable
    Counters counters;

    /** The reason for the failure of its last write; null if that succeeded. */
    @Nullable
    Failure failure;

    /** Its share of the numbers of its node ({@link RowCounts}). */
    byte counted;

    /** Its origin while it is not desired. */
    private Origin origin = Origin.FOREIGN;

    /** Claims in the order in which they came; there are many rows, and mostly one claim. */
    private @Nullable Claim first;

    public Row(NodeTable node, Entry.Key key) {
        this.node = node;
        this.key = key;
    }

    public void desired(TrackedIntent owner, Entry entry) {
        claim(owner).desired = entry;
    }

    public void dropDesired(TrackedIntent owner) {
        find(owner).ifPresent(claim -> {
            claim.desired = null;
            removeIfVoid(claim);
        });
    }

    void admitted(TrackedIntent owner, Entry entry) {
        node.changed(this);
        claim(owner).admitted = entry;
    }

    void applied(TrackedIntent owner, Entry entry) {
        node.changed(this);
        claim(owner).applied = entry;
        held = entry.equals(held) ? entry : held;
        origin = Origin.FOREIGN;
    }

    void dropAdmitted(TrackedIntent owner) {
        node.changed(this);
        find(owner).ifPresent(claim -> {
            claim.admitted = null;
            removeIfVoid(claim);
        });
    }

    void dropApplied(TrackedIntent owner) {
        node.changed(this);
        find(owner).ifPresent(claim -> {
            claim.applied = null;
            removeIfVoid(claim);
        });
        origin = wanted() == null ? Origin.RELEASED : Origin.FOREIGN;
    }

    /** The entry that the node is to hold; null for none. While one intent hands a row to another, the new owner's. */
    @Nullable
    public Entry wanted() {
        @Nullable Entry wanted = null;
        for (Claim claim = first; claim != null; claim = claim.next) {
            if (claim.applied != null && (wanted == null || claim.admitted == claim.applied)) {
                wanted = claim.applied;
            }
        }
        return wanted;
    }

    /**
     * True if the observed entry may belong to a stored intent that an earlier run installed and this one has not
     * applied yet.
     */
    boolean inherited() {
        for (Claim claim = first; claim != null; claim = claim.next) {
            if (claim.admitted != null && claim.owner.inherited) {
                return true;
            }
        }
        return false;
    }

    /** True if any intent desires it. */
    boolean claimed() {
        return first != null;
    }

    /** True if it is admitted or applied for an intent. */
    public boolean reserved() {
        for (Claim claim = first; claim != null; claim = claim.next) {
            if (claim.admitted != null || claim.applied != null) {
                return true;
            }
        }
        return false;
    }

    /** True if an intent that is not being deleted has it. */
    public boolean kept() {
        for (Claim claim = first; claim != null; claim = claim.next) {
            if (!claim.owner.removed && (claim.admitted != null || claim.applied != null)) {
                return true;
            }
        }
        return false;
    }

    public List<Claim> claims() {
        if (first == null) {
            return List.of();
        }
        if (first.next == null) {
            return List.of(first);
        }
        List<Claim> claims = new ArrayList<>();
        for (Claim claim = first; claim != null; claim = claim.next) {
            claims.add(claim);
        }
        return claims;
    }

    /** The counters that the node reports; null for none. Counters of zero are one shared instance. */
    void count(@Nullable Counters now) {
        counters = NOTHING.equals(now) ? NOTHING : now;
    }

    /** Entries sent since the node last confirmed its own; the node may hold them as well. */
    List<Entry> unconfirmed() {
        return node.unconfirmed(this);
    }

    /** The entry is in flight to the node. */
    void sent(Entry entry) {
        List<Entry> more = new ArrayList<>(unconfirmed());
        more.add(entry);
        node.unconfirmed(this, List.copyOf(more));
    }

    /** The node answered, so its entry is known. */
    void confirmed() {
        node.confirmed(this);
    }

    /** The node holds this entry now; none if null. Equal desired and observed entries share one instance. */
    void hold(@Nullable Entry entry) {
        confirmed();
        node.changed(this);
        @Nullable Entry wanted = wanted();
        held = entry != null && entry.equals(wanted) ? wanted : entry;
    }

    @Nullable
    public Entry appliedOf(TrackedIntent owner) {
        return find(owner).map(claim -> claim.applied).orElse(null);
    }

    public boolean holds(@Nullable Entry entry) {
        return held != null && entry != null && held.means(entry);
    }

    /** The operation that the node needs; empty if it holds the desired entry. */
    Optional<Operation> needed(boolean removeUnexplained) {
        Entry wanted = wanted();
        if (wanted != null) {
            return held == null
                    ? Optional.of(Operation.INSERT)
                    : held.means(wanted) ? Optional.empty() : Optional.of(Operation.MODIFY);
        }
        boolean foreign = origin != Origin.UNEXPLAINED || reserved() || removeUnexplained;
        boolean remove = held != null && (released() || foreign && !inherited());
        return remove ? Optional.of(Operation.DELETE) : Optional.empty();
    }

    public void release() {
        node.changed(this);
        origin = Origin.RELEASED;
    }

    boolean released() {
        return origin == Origin.RELEASED || origin == Origin.FORGOTTEN;
    }

    /** The kind of its intent is unregistered, and may come back: the row stays as if it had been found. */
    void abandon() {
        node.changed(this);
        origin = Origin.UNEXPLAINED;
    }

    /** The node was read. A released row stays released until it is gone. */
    void found(boolean adopting) {
        node.changed(this);
        boolean unexplained = held != null && wanted() == null && (adopting || origin == Origin.UNEXPLAINED);
        if (!released()) {
            origin = unexplained ? Origin.UNEXPLAINED : Origin.FOREIGN;
        }
    }

    /** The row is removed from the node. */
    void gone() {
        node.changed(this);
        held = null;
        counters = null;
        origin = Origin.FOREIGN;
    }

    /** An audit of another controller's node; true if it is time to take a released row for gone. */
    boolean forget() {
        boolean forgotten = origin == Origin.FORGOTTEN;
        origin = origin == Origin.RELEASED ? Origin.FORGOTTEN : origin;
        return forgotten;
    }

    private Optional<Claim> find(TrackedIntent owner) {
        Claim claim = first;
        while (claim != null && claim.owner != owner) {
            claim = claim.next;
        }
        return Optional.ofNullable(claim);
    }

    private Claim claim(TrackedIntent owner) {
        return find(owner).orElseGet(() -> {
            Claim claim = new Claim(owner);
            Claim last = first;
            while (last != null && last.next != null) {
                last = last.next;
            }
            if (last == null) {
                first = claim;
            } else {
                last.next = claim;
            }
            return claim;
        });
    }

    private void removeIfVoid(Claim claim) {
        if (claim.desired != null || claim.admitted != null || claim.applied != null) {
            return;
        }
        if (first == claim) {
            first = claim.next;
            return;
        }
        Claim before = first;
        while (before != null && before.next != claim) {
            before = before.next;
        }
        if (before != null) {
            before.next = claim.next;
        }
    }

    public Entry.Key key() {
        return key;
    }

    public NodeTable node() {
        return node;
    }

    public @Nullable Failure failure() {
        return failure;
    }

    public @Nullable Entry held() {
        return held;
    }

    public @Nullable Counters counters() {
        return counters;
    }
}
