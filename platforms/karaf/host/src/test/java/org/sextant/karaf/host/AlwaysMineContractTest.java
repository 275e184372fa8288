// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.host;

import java.time.Instant;
import org.sextant.core.contract.CoordinationContract;
import org.sextant.core.port.Coordination;
import org.sextant.core.port.Member;

class AlwaysMineContractTest extends CoordinationContract {
    @Override
    protected Coordination coordination() {
        return new StandaloneCoordination(Member.alone("", Instant.EPOCH));
    }

    @Override
    protected boolean give(boolean mine) {
        return false;
    }

    @Override
    protected boolean come(boolean there) {
        return false;
    }
}
