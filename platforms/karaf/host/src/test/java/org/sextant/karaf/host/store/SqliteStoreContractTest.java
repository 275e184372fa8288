// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.host.store;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.sextant.core.contract.StoreContract;
import org.sextant.core.port.Store;

class SqliteStoreContractTest extends StoreContract {
    @TempDir
    private Path folder;

    private SqliteStore store;

    @BeforeEach
    void open() {
        store = new SqliteStore(folder);
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Override
    protected Store store() {
        return store;
    }
}
