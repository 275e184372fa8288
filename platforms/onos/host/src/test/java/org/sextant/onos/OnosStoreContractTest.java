// SPDX-License-Identifier: Apache-2.0
package org.sextant.onos;

import org.onosproject.store.service.TestStorageService;
import org.sextant.core.contract.StoreContract;
import org.sextant.core.port.Store;

class OnosStoreContractTest extends StoreContract {
    private final OnosStore store = new OnosStore(new TestStorageService(), FakeOnos.APP);

    @Override
    protected Store store() {
        return store;
    }
}
