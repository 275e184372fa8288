// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.southbound;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.TextFormat;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Optional;
import java.util.regex.Pattern;
import p4.config.v1.P4InfoOuterClass.P4Info;
import p4.v1.P4RuntimeOuterClass.ForwardingPipelineConfig;

/** An instantiation of the contract: the pipeline that a node is to run. Large; one of each name is enough. */
final class Pipeconf {
    private static final String PREFIX = "org.sextant.";
    private static final Pattern NAME = Pattern.compile("org\\.sextant\\.[a-z0-9_-]+");

    private final String name;
    private final P4Info p4Info;
    private final ByteString deviceConfig;
    private final PipelineIndex index;
    private final long cookie;

    /** @param deviceConfig the compiled program for a node that runs it (bmv2's JSON); empty for one that translates */
    private Pipeconf(String name, P4Info p4Info, ByteString deviceConfig) {
        this.name = name;
        this.p4Info = p4Info;
        this.deviceConfig = deviceConfig;
        this.index = index(p4Info, deviceConfig);
        this.cookie = digest(p4Info, deviceConfig);
    }

    String name() {
        return name;
    }

    ByteString deviceConfig() {
        return deviceConfig;
    }

    /** The index of the pipeline that a node runs: the one and only where that is the configured one. */
    PipelineIndex index(P4Info running) {
        return running.equals(p4Info) ? index : index(running, deviceConfig);
    }

    /** A node that runs the program itself is a switch, and those replicate packets; an agent has nothing of the kind. */
    private static PipelineIndex index(P4Info info, ByteString deviceConfig) {
        return new PipelineIndex(info, !deviceConfig.isEmpty());
    }

    /** Reads the instantiation {@code org.sextant.X}, from {@code pipeconfs/X.p4info.txtpb} and, if there, {@code X.json}. */
    static Optional<Pipeconf> byName(String name) {
        if (!NAME.matcher(name).matches()) {
            return Optional.empty();
        }
        String base = "/pipeconfs/" + name.substring(PREFIX.length());
        try (InputStream info = Pipeconf.class.getResourceAsStream(base + ".p4info.txtpb");
                InputStream program = Pipeconf.class.getResourceAsStream(base + ".json")) {
            if (info == null) {
                return Optional.empty();
            }
            P4Info.Builder parsed = P4Info.newBuilder();
            TextFormat.merge(new InputStreamReader(info, StandardCharsets.UTF_8), parsed);
            return Optional.of(new Pipeconf(
                    name, parsed.build(), program == null ? ByteString.EMPTY : ByteString.readFrom(program)));
        } catch (IOException e) {
            throw new UncheckedIOException("the P4Info of " + name + " in this bundle is damaged; build it again", e);
        }
    }

    /** Identifies this configuration: a node that reports it is left alone. Never 0, which means unset. */
    long cookie() {
        return cookie;
    }

    private static long digest(P4Info p4Info, ByteString deviceConfig) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(deterministic(p4Info));
            byte[] hash = digest.digest(deviceConfig.toByteArray());
            return ByteBuffer.wrap(hash).getLong() | 1;
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JVM has SHA-256", e);
        }
    }

    ForwardingPipelineConfig message() {
        return ForwardingPipelineConfig.newBuilder()
                .setP4Info(p4Info)
                .setP4DeviceConfig(deviceConfig)
                .setCookie(ForwardingPipelineConfig.Cookie.newBuilder().setCookie(cookie()))
                .build();
    }

    private static byte[] deterministic(P4Info message) {
        byte[] bytes = new byte[message.getSerializedSize()];
        CodedOutputStream out = CodedOutputStream.newInstance(bytes);
        out.useDeterministicSerialization();
        try {
            message.writeTo(out);
            out.checkNoSpaceLeft();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes;
    }
}
