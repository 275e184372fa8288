// SPDX-License-Identifier: Apache-2.0
package org.sextant.onos.driver;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.onosproject.drivers.p4runtime.AbstractP4RuntimePipelineProgrammable;
import org.onosproject.net.pi.model.PiPipeconf;
import org.onosproject.net.pi.model.PiPipeconf.ExtensionType;

/** Brings a pipeconf to a node: the compiled program where it has one (bmv2), else P4Info alone: an agent has it built in. */
public final class ContractPipeline extends AbstractP4RuntimePipelineProgrammable {

    @Override
    public @Nullable ByteBuffer createDeviceDataBuffer(PiPipeconf pipeconf) {
        Optional<InputStream> program = pipeconf.extension(ExtensionType.BMV2_JSON);
        if (program.isEmpty()) {
            return ByteBuffer.allocate(0);
        }
        try (InputStream json = program.get()) {
            return ByteBuffer.wrap(json.readAllBytes());
        } catch (IOException e) {
            log.error("the program of {} cannot be read", pipeconf.id(), e);
            return null;
        }
    }

    /** None: which instantiation a node runs is for the network description to say. */
    @Override
    public Optional<PiPipeconf> getDefaultPipeconf() {
        return Optional.empty();
    }
}
