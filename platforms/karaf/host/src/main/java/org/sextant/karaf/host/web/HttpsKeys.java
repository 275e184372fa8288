// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.host.web;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The certificate and key with which the controller speaks HTTPS, from two PEM files. When these change, new
 * connections have the new ones; files that do not belong together, or cannot be read, change nothing but are reported
 * in the log.
 */
final class HttpsKeys extends X509ExtendedKeyManager {
    private static final Logger LOG = LoggerFactory.getLogger(HttpsKeys.class);
    private static final Duration SOON = Duration.ofDays(30);
    private static final long AGAIN_NANOS = Duration.ofDays(1).toNanos();

    private final Path certificate;
    private final Path key;
    private final Clock clock;
    private final LongSupplier nanos;
    /** By alias, which is new for each pair: a handshake that has begun ends with the pair that it began with. */
    private final Map<String, Pair> pairs = new ConcurrentHashMap<>();

    private String current = "";
    private String seen = "";
    private long generation;
    private long told;

    /** @throws IOException if there is no pair to begin with */
    HttpsKeys(Path certificate, Path key) throws IOException {
        this(certificate, key, Clock.systemUTC(), System::nanoTime);
    }

    /**
     * @param clock by which certificates end
     * @param nanos a monotonic clock, by which it is time to say so again
     */
    HttpsKeys(Path certificate, Path key, Clock clock, LongSupplier nanos) throws IOException {
        this.clock = clock;
        this.nanos = nanos;
        this.certificate = certificate;
        this.key = key;
        String stamp = stamp();
        take(stamp, Pair.read(certificate, key));
    }

    /** The content of the files. */
    record Pair(X509Certificate[] chain, PrivateKey key) {
        static Pair read(Path certificate, Path key) throws IOException {
            try (InputStream in = Files.newInputStream(certificate)) {
                X509Certificate[] chain = CertificateFactory.getInstance("X.509").generateCertificates(in).stream()
                        .toArray(X509Certificate[]::new);
                if (chain.length == 0) {
                    throw new IOException(certificate + " has no certificate");
                }
                Pair pair = new Pair(chain, key(key, chain[0].getPublicKey().getAlgorithm()));
                pair.prove();
                return pair;
            } catch (GeneralSecurityException | IllegalArgumentException e) {
                throw new IOException(
                        certificate + " and " + key + " are no certificate and its key: " + e.getMessage(), e);
            }
        }

        private static PrivateKey key(Path file, String algorithm) throws IOException, GeneralSecurityException {
            String pem = Files.readString(file);
            if (!pem.contains("-----BEGIN PRIVATE KEY-----")) {
                throw new IOException(file + " has no \"BEGIN PRIVATE KEY\": openssl pkcs8 -topk8 -nocrypt makes one");
            }
            String base64 = pem.replaceAll("(?s).*-----BEGIN PRIVATE KEY-----|-----END PRIVATE KEY-----.*|\\s", "");
            return KeyFactory.getInstance(algorithm)
                    .generatePrivate(new PKCS8EncodedKeySpec(Base64.getDecoder().decode(base64)));
        }

        /** A signature by one must be verified by the other. */
        private void prove() throws GeneralSecurityException, IOException {
            String algorithm = switch (key.getAlgorithm()) {
                case "EC" -> "SHA256withECDSA";
                case "RSA" -> "SHA256withRSA";
                default -> key.getAlgorithm();
            };
            java.security.Signature signature = java.security.Signature.getInstance(algorithm);
            signature.initSign(key);
            signature.update((byte) 1);
            byte[] signed = signature.sign();
            signature.initVerify(chain[0]);
            signature.update((byte) 1);
            if (!signature.verify(signed)) {
                throw new IOException("the key is not the certificate's");
            }
        }
    }

    private String stamp() throws IOException {
        return Files.getLastModifiedTime(certificate) + " " + Files.getLastModifiedTime(key);
    }

    private void take(String stamp, Pair pair) {
        seen = stamp;
        generation++;
        String alias = "sextant" + generation;
        pairs.put(alias, pair);
        current = alias;
        pairs.remove("sextant" + (generation - 2)); // of a handshake before the last change but one
        LOG.info(
                "https certificate={} ends={}",
                certificate,
                pair.chain()[0].getNotAfter().toInstant());
        remind(pair);
    }

    /** That it is about to end, to begin with and then once a day as long as clients connect. */
    private void remind(Pair pair) {
        told = nanos.getAsLong();
        ending(pair.chain()[0], clock.instant()).ifPresent(how -> {
            LOG.warn("https certificate={} {}: put a newer one there", certificate, how);
        });
    }

    /** The text about its end; empty if that is more than 30 days away. By the time of day, which may have jumped. */
    static Optional<String> ending(X509Certificate certificate, Instant now) {
        Instant begin = certificate.getNotBefore().toInstant();
        Instant end = certificate.getNotAfter().toInstant();
        if (now.isBefore(begin)) {
            return Optional.of("is not valid before " + begin + ", and it is " + now + " here, so look at the clock");
        }
        if (now.isAfter(end)) {
            return Optional.of("expired on " + end);
        }
        return now.plus(SOON).isBefore(end)
                ? Optional.empty()
                : Optional.of("expires on " + end + ", in "
                        + Duration.between(now, end).toDays() + " days");
    }

    private synchronized String alias() {
        try {
            String now = stamp();
            if (!now.equals(seen)) {
                seen = now; // a fault is reported once
                take(now, Pair.read(certificate, key));
            }
            Pair used = pairs.get(current);
            if (used != null && nanos.getAsLong() - told >= AGAIN_NANOS) {
                remind(used);
            }
        } catch (IOException e) {
            LOG.error("https goes on with the certificate it has: {}", e.getMessage());
        }
        return current;
    }

    @Override
    public @Nullable String chooseEngineServerAlias(String type, Principal @Nullable [] issuers, SSLEngine engine) {
        String alias = alias();
        Pair pair = pairs.get(alias);
        return pair != null && pair.key().getAlgorithm().equals(type) ? alias : null;
    }

    @Override
    public X509Certificate @Nullable [] getCertificateChain(String alias) {
        Pair pair = pairs.get(alias);
        return pair == null ? null : pair.chain();
    }

    @Override
    public @Nullable PrivateKey getPrivateKey(String alias) {
        Pair pair = pairs.get(alias);
        return pair == null ? null : pair.key();
    }

    @Override
    public String @Nullable [] getServerAliases(String type, Principal @Nullable [] issuers) {
        return new String[] {alias()};
    }

    @Override
    public @Nullable String chooseServerAlias(String type, Principal @Nullable [] issuers, Socket socket) {
        return null; // Jetty has engines
    }

    @Override
    public String @Nullable [] getClientAliases(String type, Principal @Nullable [] issuers) {
        return null;
    }

    @Override
    public @Nullable String chooseClientAlias(String[] types, Principal @Nullable [] issuers, Socket socket) {
        return null;
    }
}
