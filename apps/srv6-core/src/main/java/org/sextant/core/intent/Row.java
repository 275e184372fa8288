// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.sextant.core.port.DataPlane.Counters;
import org.sextant.core.port.DataPlane.Failure;
import org.sextant.core.port.DataPlane.Operation;
import org.sextant.core.table.Entry;

/**
 * One row of one node: who wants what in it, and what it really holds.
 *
 * <p>An intent claims a row in three ways. Its <em>wish</em> is what its plan has for the row. Its <em>target</em> is the
 * same once the {@link ConflictResolver} let it have it; it reserves the row against other intents even while nothing can be
 * installed. Its <em>active</em> entry is what the node is to hold now; target becomes active when a round starts, and an
 * undo sets active back. Rows without any claim that the node holds are foreign, or left over.
 */
final class Row {

    /** One intent's claim; an entry may be null, not all of them. */
    static final class Claim {
        final TrackedIntent owner;

        @Nullable
        Entry wish;

        @Nullable
        Entry target;

        @Nullable
        Entry active;

        private @Nullable Claim next;

        Claim(TrackedIntent owner) {
            this.owner = owner;
        }
    }

    /** Why a node may hold a row that nobody wants. */
    private enum Origin {
        /** It appeared by itself, while the node was watched. */
        FOREIGN,
        /** It was there when the node was adopted: an earlier run's, maybe. */
        UNEXPLAINED,
        /** An intent of this run had it and gave it up: it goes, without the grace of rows whose origin is unknown. */
        RELEASED,
        /** The same, and an audit ago already, on another controller's node. */
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

    /** Why the last write of it failed; null if it did not. */
    @Nullable
    Failure failure;

    /** What is known of it while nobody wants it. */
    private Origin origin = Origin.FOREIGN;

    /** Those who want something in it, in the order in which they came; there are many rows, and mostly one claim. */
    private @Nullable Claim first;

    Row(NodeTable node, Entry.Key key) {
        this.node = node;
        this.key = key;
    }

    void wish(TrackedIntent owner, Entry entry) {
        claim(owner).wish = entry;
    }

    void dropWish(TrackedIntent owner) {
        find(owner).ifPresent(claim -> {
            claim.wish = null;
            removeIfVoid(claim);
        });
    }

    void target(TrackedIntent owner, Entry entry) {
        node.changed();
        claim(owner).target = entry;
    }

    void active(TrackedIntent owner, Entry entry) {
        node.changed();
        claim(owner).active = entry;
        held = entry.equals(held) ? entry : held;
        origin = Origin.FOREIGN;
    }

    void dropTarget(TrackedIntent owner) {
        node.changed();
        find(owner).ifPresent(claim -> {
            claim.target = null;
            removeIfVoid(claim);
        });
    }

    void dropActive(TrackedIntent owner) {
        node.changed();
        find(owner).ifPresent(claim -> {
            claim.active = null;
            removeIfVoid(claim);
        });
        origin = wanted() == null ? Origin.RELEASED : Origin.FOREIGN;
    }

    /** What the node is to hold; null for nothing. While one intent hands a row to another, the new owner's. */
    @Nullable
    Entry wanted() {
        @Nullable Entry wanted = null;
        for (Claim claim = first; claim != null; claim = claim.next) {
            if (claim.active != null && (wanted == null || claim.target == claim.active)) {
                wanted = claim.active;
            }
        }
        return wanted;
    }

    /** Whether what the row holds may be a stored intent's, installed before this run and not applied in it yet. */
    boolean inherited() {
        for (Claim claim = first; claim != null; claim = claim.next) {
            if (claim.target != null && claim.owner.inherited) {
                return true;
            }
        }
        return false;
    }

    /** Whether anybody as much as wishes for it. */
    boolean claimed() {
        return first != null;
    }

    /** Whether it is somebody's: more than a wish that another stands against. */
    boolean reserved() {
        for (Claim claim = first; claim != null; claim = claim.next) {
            if (claim.target != null || claim.active != null) {
                return true;
            }
        }
        return false;
    }

    /** Whether somebody who is not on his way out has it. */
    boolean kept() {
        for (Claim claim = first; claim != null; claim = claim.next) {
            if (!claim.owner.removed && (claim.target != null || claim.active != null)) {
                return true;
            }
        }
        return false;
    }

    List<Claim> claims() {
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

    /** What the node counts of it now; null if it does not. Of many rows that is nothing yet, which is kept once. */
    void count(@Nullable Counters now) {
        counters = NOTHING.equals(now) ? NOTHING : now;
    }

    /** Entries sent since the node last said what it holds; they may be there as well. */
    List<Entry> unconfirmed() {
        return node.unconfirmed(this);
    }

    /** The entry is on its way to the node. */
    void sent(Entry entry) {
        List<Entry> more = new ArrayList<>(unconfirmed());
        more.add(entry);
        node.unconfirmed(this, List.copyOf(more));
    }

    /** The node answered, so that what it holds is known. */
    void confirmed() {
        node.confirmed(this);
    }

    /** The node holds this now; nothing if null. What is as wanted is kept once. */
    void hold(@Nullable Entry entry) {
        confirmed();
        node.changed();
        @Nullable Entry wanted = wanted();
        held = entry != null && entry.equals(wanted) ? wanted : entry;
    }

    @Nullable
    Entry activeOf(TrackedIntent owner) {
        return find(owner).map(claim -> claim.active).orElse(null);
    }

    boolean holds(@Nullable Entry entry) {
        return held != null && entry != null && held.means(entry);
    }

    /** What has to be done to the node; empty if it holds what is wanted. */
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

    void release() {
        node.changed();
        origin = Origin.RELEASED;
    }

    boolean released() {
        return origin == Origin.RELEASED || origin == Origin.FORGOTTEN;
    }

    /** Who had it left with his kind, and may come back: it stays as if it had been found. */
    void abandon() {
        node.changed();
        origin = Origin.UNEXPLAINED;
    }

    /** The node was read. What was released stays so until it is gone. */
    void found(boolean adopting) {
        node.changed();
        boolean unexplained = held != null && wanted() == null && (adopting || origin == Origin.UNEXPLAINED);
        if (!released()) {
            origin = unexplained ? Origin.UNEXPLAINED : Origin.FOREIGN;
        }
    }

    /** What was to be removed is removed, or is so at the latest now. */
    void gone() {
        node.changed();
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
        if (claim.wish != null || claim.target != null || claim.active != null) {
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
}
