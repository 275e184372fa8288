// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.fake;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Nested;
import org.sextant.core.contract.CoordinationContract;
import org.sextant.core.contract.StoreContract;
import org.sextant.core.port.Coordination;
import org.sextant.core.port.Member;
import org.sextant.core.port.Store;

/** The fakes meet the contracts of the hosts, or tests with them prove nothing. */
class FakesTest {

    @Nested
    class TheStore extends StoreContract {
        private final FakeStore store = new FakeStore();

        @Override
        protected Store store() {
            return store;
        }
    }

    @Nested
    class TheCoordination extends CoordinationContract {
        private final FakeCoordination coordination = new FakeCoordination();

        @Override
        protected Coordination coordination() {
            return coordination;
        }

        @Override
        protected boolean give(boolean mine) {
            coordination.mine(
                    key -> mine || !Set.of(NODE, Coordination.OF_NO_NODE).contains(key));
            return true;
        }

        @Override
        protected boolean come(boolean there) {
            coordination.members(
                    there
                            ? List.of(FakeCoordination.member(FakeCoordination.OTHER, Member.State.READY))
                            : List.of(FakeCoordination.member(FakeCoordination.OTHER, Member.State.LOST)));
            return true;
        }
    }
}
