// SPDX-License-Identifier: Apache-2.0
package org.sextant.onos.driver;

import java.util.List;
import java.util.Optional;
import org.onosproject.net.pi.model.PiPipeconf;

/** The pipeconfs of the bundle, read once for all tests. */
public final class TestPipeconfs {
    private static final List<PiPipeconf> ALL = PipeconfLoader.pipeconfs();

    private TestPipeconfs() {}

    public static Optional<PiPipeconf> byName(String name) {
        return ALL.stream().filter(pipeconf -> pipeconf.id().id().equals(name)).findFirst();
    }
}
