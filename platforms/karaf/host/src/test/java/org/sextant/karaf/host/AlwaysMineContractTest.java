// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.host;

import org.sextant.core.contract.CoordinationContract;
import org.sextant.core.port.Coordination;

class AlwaysMineContractTest extends CoordinationContract {
    @Override
    protected Coordination coordination() {
        return new AlwaysMine();
    }

    @Override
    protected boolean give(boolean mine) {
        return false;
    }
}
