// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.southbound;

import com.google.protobuf.ByteString;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import p4.config.v1.P4InfoOuterClass.ControllerPacketMetadata;
import p4.v1.P4RuntimeOuterClass.PacketIn;
import p4.v1.P4RuntimeOuterClass.PacketMetadata;

/** The metadata of packet-in and packet-out, by the node's P4Info. */
final class Packets {
    private static final String INGRESS_PORT = "ingress_port";
    private static final String EGRESS_PORT = "egress_port";

    private Packets() {}

    /** All fields of the header; bmv2 refuses a packet-out that leaves out the padding. */
    static List<PacketMetadata> metadata(PipelineIndex pipeline, int egressPort) {
        List<PacketMetadata> fields = new ArrayList<>();
        pipeline.packet("packet_out")
                .ifPresent(header -> header.getMetadataList().forEach(field -> {
                    int value = field.getName().equals(EGRESS_PORT) ? egressPort : 0;
                    fields.add(PacketMetadata.newBuilder()
                            .setMetadataId(field.getId())
                            .setValue(Bytes.canonical(value))
                            .build());
                }));
        return fields;
    }

    /** The port a frame came in by; empty if the packet does not say. */
    static OptionalInt ingressPort(PipelineIndex pipeline, PacketIn packet) {
        int id = pipeline.packet("packet_in").stream()
                .flatMap(header -> header.getMetadataList().stream())
                .filter(field -> field.getName().equals(INGRESS_PORT))
                .mapToInt(ControllerPacketMetadata.Metadata::getId)
                .findFirst()
                .orElse(0);
        return packet.getMetadataList().stream()
                .filter(field -> field.getMetadataId() == id)
                .map(PacketMetadata::getValue)
                .filter(value -> !value.isEmpty() && value.size() <= 4)
                .mapToInt(value -> (int) Bytes.number(value))
                .findFirst();
    }

    /** Byte strings as P4Runtime 1.4, 8.4 wants them: big-endian, no leading zero bytes, at least one byte. */
    static final class Bytes {
        private Bytes() {}

        static ByteString canonical(byte[] bigEndian) {
            int from = 0;
            while (from < bigEndian.length - 1 && bigEndian[from] == 0) {
                from++;
            }
            return ByteString.copyFrom(bigEndian, from, bigEndian.length - from);
        }

        static ByteString canonical(long value) {
            return canonical(java.nio.ByteBuffer.allocate(8).putLong(value).array());
        }

        static long number(ByteString bytes) {
            long value = 0;
            for (int i = 0; i < bytes.size(); i++) {
                value = value << 8 | bytes.byteAt(i) & 255;
            }
            return value;
        }
    }
}
