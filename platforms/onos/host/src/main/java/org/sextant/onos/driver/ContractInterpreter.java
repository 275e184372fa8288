// SPDX-License-Identifier: Apache-2.0
package org.sextant.onos.driver;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.onlab.packet.DeserializationException;
import org.onlab.packet.Ethernet;
import org.onlab.util.ImmutableByteSequence;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.DeviceId;
import org.onosproject.net.Port;
import org.onosproject.net.PortNumber;
import org.onosproject.net.device.DeviceService;
import org.onosproject.net.driver.AbstractHandlerBehaviour;
import org.onosproject.net.flow.TrafficTreatment;
import org.onosproject.net.flow.criteria.Criterion;
import org.onosproject.net.flow.instructions.Instruction;
import org.onosproject.net.flow.instructions.Instructions.OutputInstruction;
import org.onosproject.net.packet.DefaultInboundPacket;
import org.onosproject.net.packet.InboundPacket;
import org.onosproject.net.packet.OutboundPacket;
import org.onosproject.net.pi.model.PiMatchFieldId;
import org.onosproject.net.pi.model.PiPacketMetadataId;
import org.onosproject.net.pi.model.PiPacketOperationType;
import org.onosproject.net.pi.model.PiPipelineInterpreter;
import org.onosproject.net.pi.model.PiTableId;
import org.onosproject.net.pi.runtime.PiAction;
import org.onosproject.net.pi.runtime.PiPacketMetadata;
import org.onosproject.net.pi.runtime.PiPacketOperation;

/**
 * Packets to and from the contract's CPU port, for ONOS's link and host providers. The packets that go to the
 * controller are selected by our own entries of the table punt, so other apps' flow rules and objectives are not
 * translated.
 */
public final class ContractInterpreter extends AbstractHandlerBehaviour implements PiPipelineInterpreter {
    private static final PiPacketMetadataId INGRESS_PORT = PiPacketMetadataId.of("ingress_port");
    private static final PiPacketMetadataId EGRESS_PORT = PiPacketMetadataId.of("egress_port");

    @Override
    public Optional<PiMatchFieldId> mapCriterionType(Criterion.Type type) {
        return Optional.empty();
    }

    @Override
    public Optional<PiTableId> mapFlowRuleTableId(int table) {
        return Optional.empty();
    }

    @Override
    public PiAction mapTreatment(TrafficTreatment treatment, PiTableId table) throws PiInterpreterException {
        throw new PiInterpreterException("a rule for " + table + " names its action, not " + treatment);
    }

    @Override
    public Collection<PiPacketOperation> mapOutboundPacket(OutboundPacket packet) throws PiInterpreterException {
        List<PiPacketOperation> operations = new ArrayList<>();
        for (Instruction instruction : packet.treatment().allInstructions()) {
            if (!(instruction instanceof OutputInstruction output)) {
                throw new PiInterpreterException("a packet can only be sent out of a port, not " + instruction);
            }
            if (output.port().equals(PortNumber.FLOOD)) {
                DeviceService devices = handler().get(DeviceService.class);
                for (Port port : devices.getPorts(packet.sendThrough())) {
                    operations.add(operation(packet.data(), port.number().toLong()));
                }
            } else if (output.port().isLogical()) {
                throw new PiInterpreterException("a packet cannot be sent out of " + output.port());
            } else {
                operations.add(operation(packet.data(), output.port().toLong()));
            }
        }
        return operations;
    }

    /** All fields of the header are given: bmv2 refuses a packet that leaves out the padding. */
    private PiPacketOperation operation(ByteBuffer frame, long port) throws PiInterpreterException {
        List<PiPacketMetadata> fields = new ArrayList<>();
        handler()
                .get(org.onosproject.net.pi.service.PiPipeconfService.class)
                .getPipeconf(data().deviceId())
                .flatMap(pipeconf -> pipeconf.pipelineModel().packetOperationModel(PiPacketOperationType.PACKET_OUT))
                .orElseThrow(() -> new PiInterpreterException("the pipeline has no packet-out"))
                .metadatas()
                .forEach(field -> fields.add(PiPacketMetadata.builder()
                        .withId(field.id())
                        .withValue(bytes(field.id().equals(EGRESS_PORT) ? port : 0, field.bitWidth()))
                        .build()));
        ByteBuffer data = frame.duplicate();
        data.rewind();
        return PiPacketOperation.builder()
                .withType(PiPacketOperationType.PACKET_OUT)
                .withData(ImmutableByteSequence.copyFrom(data))
                .withMetadatas(fields)
                .build();
    }

    /** As wide as the field: so ONOS's client wants it. */
    private static ImmutableByteSequence bytes(long value, int bits) {
        byte[] all = ByteBuffer.allocate(Long.BYTES).putLong(value).array();
        return ImmutableByteSequence.copyFrom(all, Long.BYTES - (bits + 7) / 8, Long.BYTES - 1);
    }

    @Override
    public InboundPacket mapInboundPacket(PiPacketOperation packet, DeviceId device) throws PiInterpreterException {
        byte[] frame = packet.data().asArray();
        long port = packet.metadatas().stream()
                .filter(field -> field.id().equals(INGRESS_PORT))
                .map(field -> new BigInteger(1, field.value().asArray()).longValue())
                .findFirst()
                .orElseThrow(() -> new PiInterpreterException("a packet from " + device + " has no ingress port"));
        try {
            Ethernet parsed = Ethernet.deserializer().deserialize(frame, 0, frame.length);
            return new DefaultInboundPacket(
                    new ConnectPoint(device, PortNumber.portNumber(port)), parsed, ByteBuffer.wrap(frame));
        } catch (DeserializationException e) {
            throw new PiInterpreterException("a packet from " + device + " is no Ethernet frame: " + e.getMessage());
        }
    }
}
