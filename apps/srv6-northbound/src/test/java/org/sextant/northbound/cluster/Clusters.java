// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.cluster;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.sextant.core.fake.FakeCoordination;
import org.sextant.core.port.Member;

/** Clusters for tests: {@code c1} is the one that is asked. */
public final class Clusters {
    private Clusters() {}

    public static Member ready(String id) {
        return FakeCoordination.member(id, Member.State.READY);
    }

    public static Member lost(String id) {
        return FakeCoordination.member(id, Member.State.LOST);
    }

    public static Member starting(String id) {
        return FakeCoordination.member(id, Member.State.STARTING);
    }

    /** Nodes are named after the member that acts for them: {@code c2.l1}; one with another name has none. */
    public static Function<String, Optional<String>> byName() {
        return key -> key.equals(FakeCoordination.OF_NO_NODE)
                ? Optional.of("c1")
                : Optional.of(key).filter(name -> name.contains(".")).map(name -> name.substring(0, name.indexOf('.')));
    }

    /** The view of {@code c1} with these others. */
    public static Shares shares(List<Member> others, Function<String, Optional<String>> leaderOf, String... nodes) {
        FakeCoordination coordination = new FakeCoordination();
        coordination.cluster(others, leaderOf);
        return Shares.of(coordination, List.of(nodes));
    }
}
