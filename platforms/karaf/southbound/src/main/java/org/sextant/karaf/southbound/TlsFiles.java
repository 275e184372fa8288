// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.southbound;

import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContextBuilder;
import java.nio.file.Path;
import java.util.Optional;
import javax.net.ssl.SSLException;

/**
 * Certificates of the channels to {@code grpcs://} nodes; all PEM.
 *
 * @param ca who signs the nodes' certificates; the JVM's own authorities if empty
 * @param certificate the controller's own, for mutual TLS; goes together with {@code key}
 */
public record TlsFiles(Optional<Path> ca, Optional<Path> certificate, Optional<Path> key) {
    public static final TlsFiles NONE = new TlsFiles(Optional.empty(), Optional.empty(), Optional.empty());

    /** Per-entry errors travel in the trailers, and a batch of them is larger than gRPC's default of 8 KiB. */
    private static final int TRAILERS_LIMIT_BYTES = 4 << 20;

    private static final int MESSAGE_LIMIT_BYTES = 64 << 20;

    public TlsFiles {
        if (certificate.isPresent() != key.isPresent()) {
            throw new IllegalArgumentException("mutual TLS needs both tls.certificate and tls.key");
        }
    }

    /** A channel that has not connected yet. */
    ManagedChannel channel(Management management) {
        NettyChannelBuilder builder = NettyChannelBuilder.forAddress(management.host(), management.port())
                .maxInboundMetadataSize(TRAILERS_LIMIT_BYTES)
                .maxInboundMessageSize(MESSAGE_LIMIT_BYTES);
        return (management.tls() ? withTls(builder) : builder.usePlaintext()).build();
    }

    private NettyChannelBuilder withTls(NettyChannelBuilder builder) {
        try {
            SslContextBuilder context = GrpcSslContexts.forClient();
            ca.ifPresent(file -> context.trustManager(file.toFile()));
            certificate.ifPresent(
                    file -> context.keyManager(file.toFile(), key.orElseThrow().toFile()));
            return builder.useTransportSecurity().sslContext(context.build());
        } catch (SSLException e) {
            throw new IllegalArgumentException("cannot use the TLS files of org.sextant.cfg: " + e.getMessage(), e);
        }
    }
}
