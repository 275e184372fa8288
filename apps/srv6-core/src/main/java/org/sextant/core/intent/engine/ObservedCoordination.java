// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent.engine;

import com.fasterxml.jackson.core.type.TypeReference;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.sextant.core.loop.Call;
import org.sextant.core.loop.EventLoop;
import org.sextant.core.port.Coordination;
import org.sextant.core.port.Member;
import org.sextant.core.port.Subscription;

/** The members of the cluster as the engine sees them: the same as long as it handles a message. */
final class ObservedCoordination implements Coordination {
    private static final TypeReference<Boolean> FLAG = new TypeReference<>() {};
    private static final TypeReference<List<Member>> MEMBERS = new TypeReference<>() {};
    private static final TypeReference<Optional<String>> LEADER = new TypeReference<>() {};

    private final Coordination coordination;
    private final EventLoop loop;

    ObservedCoordination(Coordination coordination, EventLoop loop) {
        this.coordination = coordination;
        this.loop = loop;
    }

    private <T> T observe(String name, TypeReference<T> type, Supplier<T> question) {
        return loop.observe(Call.outside(name, "", type, question));
    }

    @Override
    public boolean isMine(String key) {
        return observe("is mine " + key, FLAG, () -> coordination.isMine(key));
    }

    @Override
    public boolean shared() {
        return observe("shared", FLAG, coordination::shared);
    }

    @Override
    public List<Member> members() {
        return observe("members", MEMBERS, coordination::members);
    }

    @Override
    public Optional<String> leaderOf(String key) {
        return observe("leader of " + key, LEADER, () -> coordination.leaderOf(key));
    }

    @Override
    public Subscription onChange(Runnable listener) {
        return coordination.onChange(listener);
    }
}
