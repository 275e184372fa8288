// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.southbound;

import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContextBuilder;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLException;

/**
 * Certificates of the channels to {@code grpcs://} nodes; all PEM. They are read for every connection, so that renewed
 * files count from the next one on.
 *
 * @param ca the authorities of the nodes' certificates; the JVM's own if empty
 * @param certificate the controller's own, for mutual TLS; goes together with {@code key}
 * @param crl certificates that these authorities signed and have revoked
 */
public record TlsFiles(Optional<Path> ca, Optional<Path> certificate, Optional<Path> key, Optional<Path> crl) {
    public static final TlsFiles NONE =
            new TlsFiles(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());

    /** Per-entry errors travel in the trailers, and a batch of them is larger than gRPC's default of 8 KiB. */
    private static final int TRAILERS_LIMIT_BYTES = 4 << 20;

    private static final int MESSAGE_LIMIT_BYTES = 64 << 20;

    public TlsFiles {
        if (certificate.isPresent() != key.isPresent()) {
            throw new IllegalArgumentException("mutual TLS needs both tls.certificate and tls.key");
        }
        if (crl.isPresent() && ca.isEmpty()) {
            throw new IllegalArgumentException("tls.crl is a list of what tls.ca signed: set that, too");
        }
    }

    /** A channel that has not connected yet; {@code trust}, which is there for TLS, judges the node's certificate. */
    ManagedChannel channel(Management management, Optional<NodeTrust> trust) {
        NettyChannelBuilder builder = NettyChannelBuilder.forAddress(management.host(), management.port())
                .maxInboundMetadataSize(TRAILERS_LIMIT_BYTES)
                .maxInboundMessageSize(MESSAGE_LIMIT_BYTES);
        return trust.map(judge -> withTls(builder, judge))
                .orElseGet(builder::usePlaintext)
                .build();
    }

    private NettyChannelBuilder withTls(NettyChannelBuilder builder, NodeTrust trust) {
        try {
            SslContextBuilder context = GrpcSslContexts.forClient().trustManager(trust);
            certificate.ifPresent(
                    file -> context.keyManager(file.toFile(), key.orElseThrow().toFile()));
            return builder.useTransportSecurity().sslContext(context.build());
        } catch (SSLException e) {
            throw new IllegalArgumentException("cannot use the TLS files of org.sextant.cfg: " + e.getMessage(), e);
        }
    }

    /**
     * The certificates in these files that are about to end, or have ended; a sentence each. Files that cannot be read
     * are reported elsewhere.
     */
    List<String> ending(Clock clock) {
        List<String> sentences = new ArrayList<>();
        add(sentences, "the controller's own certificate", certificate, clock);
        add(sentences, "the CA of tls.ca", ca, clock);
        return sentences;
    }

    private static void add(List<String> sentences, String what, Optional<Path> file, Clock clock) {
        for (X509Certificate one : file.map(Pem::certificatesIfAny).orElse(List.of())) {
            Term.of(one).warning(what, clock.instant()).ifPresent(sentences::add);
        }
    }

    /** The controller's own, for a sentence. */
    String own() {
        return certificate
                .map(file -> Pem.certificatesIfAny(file).stream()
                        .findFirst()
                        .map(one -> Pem.name(one) + " of " + file)
                        .orElse(file.toString()))
                .orElse("(none: tls.certificate and tls.key are not set)");
    }
}
