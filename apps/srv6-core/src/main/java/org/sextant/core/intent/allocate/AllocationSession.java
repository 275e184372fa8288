// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent.allocate;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.sextant.core.intent.Allocation;
import org.sextant.core.intent.AllocationRequest;
import org.sextant.core.intent.Claims;
import org.sextant.core.intent.DerivedKind;
import org.sextant.core.intent.IntentRef;
import org.sextant.core.intent.NumberedIntent;
import org.sextant.core.intent.install.TrackedIntent;

/**
 * Answers the allocation requests of one compilation: with the intent's numbers as long as it may keep them, else with
 * free ones. Nothing is taken by that; the caller takes it from {@link IdPools}.
 */
public final class AllocationSession implements Claims {
    private final IdPools pools;
    private final TrackedIntent owner;
    private final boolean onlyBefore;
    private final List<AllocationRequest> claims = new ArrayList<>(0);
    private final List<Allocation> grants = new ArrayList<>(0);
    private final Map<String, Long> next = new HashMap<>(0);
    private boolean fresh;
    private boolean denied;

    /** @param onlyBefore ignores younger intents, as they have to yield their numbers to it */
    public AllocationSession(IdPools pools, TrackedIntent owner, boolean onlyBefore) {
        this.pools = pools;
        this.owner = owner;
        this.onlyBefore = onlyBefore;
    }

    @Override
    public OptionalLong answer(NumberedIntent<?> intent, AllocationRequest claim) {
        Optional<Allocation> again =
                grants.stream().filter(grant -> grant.answers(claim)).findFirst();
        if (again.isPresent()) {
            return OptionalLong.of(again.get().number());
        }
        if (owner.kind() instanceof DerivedKind) {
            throw new IllegalStateException("what follows from the network is not stored, and could not keep numbers");
        }
        claims.add(claim);
        OptionalLong kept = intent.grants().stream()
                .filter(grant -> grant.answers(claim) && !pools.taken(owner, claim, grant.number(), onlyBefore))
                .mapToLong(Allocation::number)
                .findFirst();
        OptionalLong number = kept.isPresent() ? kept : fresh(intent, claim);
        number.ifPresentOrElse(
                first -> grants.add(new Allocation(claim.pool().name(), claim.use(), first, claim.many())),
                () -> denied = true);
        return number;
    }

    private OptionalLong fresh(NumberedIntent<?> intent, AllocationRequest claim) {
        if (claim.only().isPresent()) {
            boolean free =
                    claim.takes(claim.only().getAsLong()) && holder(claim).isEmpty();
            fresh |= free;
            return free ? claim.only() : OptionalLong.empty();
        }
        String pool = claim.pool().name();
        OptionalLong turn = next.containsKey(pool) ? OptionalLong.of(next.get(pool)) : OptionalLong.empty();
        OptionalLong free = pools.free(claim, turn, one -> overlaps(one, grants) || overlaps(one, intent.grants()));
        free.ifPresent(number -> {
            fresh = true;
            next.put(pool, number + claim.many());
        });
        return free;
    }

    @Override
    public Optional<IntentRef> holder(AllocationRequest claim) {
        return claim.only().isEmpty()
                ? Optional.empty()
                : pools.holder(owner, claim, claim.only().getAsLong(), onlyBefore);
    }

    private static boolean overlaps(Allocation one, List<Allocation> others) {
        return others.stream()
                .anyMatch(other -> other.pool().equals(one.pool())
                        && other.number() < one.number() + one.many()
                        && one.number() < other.number() + other.many());
    }

    /** The requests so far. */
    public List<AllocationRequest> claims() {
        return claims;
    }

    /** All allocations so far. */
    public List<Allocation> grants() {
        return grants;
    }

    /** Something else than it has. */
    public boolean fresh() {
        return fresh;
    }

    /** Something was not to be had. */
    public boolean denied() {
        return denied;
    }

    /** The next number of each pool of which it got something. */
    public Map<String, Long> next() {
        return next;
    }
}
