// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.fake;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.sextant.core.port.Coordination;
import org.sextant.core.port.Member;
import org.sextant.core.port.Subscription;

/** One controller's share of the keys: at first all of them. */
public final class FakeCoordination implements Coordination {
    private static final Instant BEGAN = Instant.parse("2026-11-23T06:43:00Z");
    private static final String SELF = "c1";

    /** The other controller, which acts for all keys that are not this one's. */
    public static final String OTHER = "c2";

    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    private volatile Predicate<String> mine = key -> true;
    private final String self;
    private volatile Function<String, Optional<String>> leaders;
    private volatile List<Member> members;
    private volatile boolean shared;

    /** Controller {@code c1}. */
    public FakeCoordination() {
        this(SELF);
    }

    /** The controller of this id. */
    public FakeCoordination(String self) {
        this.self = self;
        this.leaders = key -> Optional.of(mine.test(key) ? self : OTHER);
        this.members = List.of(own());
    }

    private Member own() {
        return new Member(self, "192.0.2.1", "", Member.State.READY, Optional.of(BEGAN), true);
    }

    public void mine(Predicate<String> keys) {
        secretly(keys);
        tell();
    }

    /** Its notification is lost. */
    public void secretly(Predicate<String> keys) {
        mine = keys;
        members = List.of(own(), member(OTHER, Member.State.READY));
        shared = true;
    }

    /** Sets the other members besides this controller, and the leader of each key. */
    public void cluster(List<Member> others, Function<String, Optional<String>> leaderOf) {
        leaders = leaderOf;
        mine = key -> leaderOf.apply(key).equals(Optional.of(self));
        members(others);
    }

    /** Sets the other members besides this controller. */
    public void members(List<Member> others) {
        members = Stream.concat(Stream.of(own()), others.stream())
                .sorted(Comparator.comparing(Member::id))
                .toList();
        shared = true;
        tell();
    }

    /** This controller is {@code c1}. */
    public static Member member(String id, Member.State state) {
        return new Member(id, "192.0.2." + id.replaceAll("\\D", ""), "", state, Optional.of(BEGAN), id.equals(SELF));
    }

    private void tell() {
        listeners.forEach(Runnable::run);
    }

    @Override
    public boolean isMine(String key) {
        return mine.test(key);
    }

    /** Once shares were given out. */
    @Override
    public boolean shared() {
        return shared;
    }

    @Override
    public List<Member> members() {
        return members;
    }

    @Override
    public Optional<String> leaderOf(String key) {
        return leaders.apply(key);
    }

    @Override
    public Subscription onChange(Runnable listener) {
        listeners.add(listener);
        return () -> listeners.remove(listener);
    }
}
