// SPDX-License-Identifier: Apache-2.0
package org.sextant.onos;

import org.sextant.core.contract.StoreContract;
import org.sextant.core.port.Store;

class OnosStoreContractTest extends StoreContract {
    private final Store store =
            Controller.of(new FakeStorage(new FakeStorage.Nodes()), "a").store();

    @Override
    protected Store store() {
        return store;
    }
}
