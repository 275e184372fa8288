// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.southbound;

import io.grpc.Status;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.sextant.contract.Tables;
import org.sextant.core.contract.DataPlaneContract;
import org.sextant.core.fake.FakeStore;
import org.sextant.core.net.Node;
import org.sextant.core.port.DataPlane;
import org.sextant.core.table.Entry;
import org.sextant.core.table.TableCodec;

class P4RuntimeDataPlaneContractTest extends DataPlaneContract {
    private final FakeNode fake = new FakeNode(true);
    private final P4RuntimeDataPlane dataPlane =
            new P4RuntimeDataPlane(new FakeStore(), TlsFiles.NONE, new Deadlines(1_000, 2_000, 1_000, 5_000, 200));

    @AfterEach
    void close() {
        dataPlane.close();
        fake.close();
    }

    @Override
    protected DataPlane dataPlane() {
        return dataPlane;
    }

    @Override
    protected void connect() {
        dataPlane.manage(List.of(new Node(
                NODE,
                "device:n1",
                fake.management(),
                "org.sextant.bmv2",
                Optional.empty(),
                new TreeMap<>(),
                Optional.empty())));
    }

    @Override
    protected void disconnect() {
        fake.stop();
    }

    @Override
    protected void refuse(String table, DataPlane.Code code, String sentence) {
        int id = Tables.byName(table).orElseThrow().id();
        int canonical = Status.Code.valueOf(code.name()).value();
        fake.fault = update -> update.getEntity().getTableEntry().getTableId() == id
                ? Optional.of(FakeNode.error(canonical, sentence))
                : Optional.empty();
    }

    @Override
    protected void erase(Entry entry) {
        fake.erase(Tables.byName(TableCodec.encode(entry).table()).orElseThrow().id());
    }
}
