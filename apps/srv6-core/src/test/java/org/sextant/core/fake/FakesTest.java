// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.fake;

import java.util.Set;
import org.junit.jupiter.api.Nested;
import org.sextant.core.contract.CoordinationContract;
import org.sextant.core.contract.StoreContract;
import org.sextant.core.port.Coordination;
import org.sextant.core.port.Store;

/** The fakes do what the hosts do, or tests with them prove nothing. */
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
            coordination.mine(key -> mine || !Set.of(NODE, "numbering").contains(key));
            return true;
        }
    }
}
