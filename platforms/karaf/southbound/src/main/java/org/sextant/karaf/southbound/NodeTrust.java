// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.southbound;

import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateException;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/**
 * Judges the certificate that one node shows: the JDK checks its signer and its names; its term and its revocation are
 * checked here. A fault is a sentence for the operator of the network, in a {@link Refused}.
 */
final class NodeTrust extends X509ExtendedTrustManager {

    /** Why the node's certificate was not taken; its message is meant to be shown as it is. */
    static final class Refused extends CertificateException {
        private static final long serialVersionUID = 1;

        Refused(String message) {
            super(message);
        }
    }

    private static final String NODES = "the node's certificate";

    private final TlsFiles files;
    private final String address;
    private final Clock clock;
    private final X509ExtendedTrustManager authorities;
    private volatile @Nullable X509Certificate shown;

    /**
     * @param address where the node is, for sentences
     * @throws IllegalArgumentException if a file cannot be used; the message names it
     */
    NodeTrust(TlsFiles files, String address, Clock clock) {
        this.files = files;
        this.address = address;
        this.clock = clock;
        this.authorities = authorities(files);
    }

    private static X509ExtendedTrustManager authorities(TlsFiles files) {
        try {
            @Nullable KeyStore store = null;
            if (files.ca().isPresent()) {
                store = KeyStore.getInstance(KeyStore.getDefaultType());
                store.load(null, null);
                for (X509Certificate ca : Pem.certificates(files.ca().get())) {
                    store.setCertificateEntry(Pem.name(ca), ca);
                }
            }
            TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX");
            factory.init(store);
            for (TrustManager one : factory.getTrustManagers()) {
                if (one instanceof X509ExtendedTrustManager extended) {
                    return extended;
                }
            }
            throw new IllegalStateException("this JVM has no PKIX trust manager");
        } catch (GeneralSecurityException | java.io.IOException e) {
            throw new IllegalArgumentException("cannot use tls.ca of org.sextant.cfg: " + e.getMessage(), e);
        }
    }

    /** A warning about the accepted certificate: that it ends soon, or has ended since. */
    Optional<String> warning() {
        return Optional.ofNullable(shown)
                .flatMap(certificate -> Term.of(certificate).warning(NODES, clock.instant()));
    }

    /**
     * The sentence of a revocation since the certificate was accepted, if it is on the list by now. A list that cannot
     * be read revokes nothing.
     */
    Optional<String> revokedSince() {
        try {
            return Optional.ofNullable(shown).flatMap(this::revoked);
        } catch (IllegalArgumentException unreadable) {
            return Optional.empty();
        }
    }

    private Optional<String> revoked(X509Certificate certificate) {
        for (X509CRL list : files.crl().map(Pem::lists).orElse(List.of())) {
            if (list.getIssuerX500Principal().equals(certificate.getIssuerX500Principal())
                    && list.isRevoked(certificate)
                    && signed(list)) {
                return Optional.of("the node's certificate, " + Pem.name(certificate)
                        + ", was revoked: ./sextant certs rotate makes another");
            }
        }
        return Optional.empty();
    }

    /** Any client could write a list. */
    private boolean signed(X509CRL list) {
        return Pem.certificatesIfAny(files.ca().orElseThrow()).stream().anyMatch(ca -> {
            try {
                list.verify(ca.getPublicKey());
                return true;
            } catch (GeneralSecurityException another) {
                return false;
            }
        });
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
            throws CertificateException {
        check(chain, () -> authorities.checkServerTrusted(chain, authType, engine));
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket)
            throws CertificateException {
        check(chain, () -> authorities.checkServerTrusted(chain, authType, socket));
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType) throws CertificateException {
        check(chain, () -> authorities.checkServerTrusted(chain, authType));
    }

    private interface Check {
        void run() throws CertificateException;
    }

    private void check(X509Certificate[] chain, Check jdk) throws CertificateException {
        X509Certificate leaf = chain[0];
        Optional<String> fault = Term.of(leaf).fault(NODES, clock.instant());
        if (fault.isPresent()) {
            throw new Refused(fault.get());
        }
        try {
            jdk.run();
        } catch (CertificateException e) {
            throw new Refused(isAboutTheName(e) ? wrongName(leaf) : wrongAuthority(leaf, e));
        }
        Optional<String> revoked = revoked(leaf);
        if (revoked.isPresent()) {
            throw new Refused(revoked.get());
        }
        shown = leaf;
    }

    /** As the JDK's HostnameChecker says it. */
    private static boolean isAboutTheName(CertificateException e) {
        String message = Objects.toString(e.getMessage(), "");
        return message.contains("subject alternative") || message.contains("No name matching");
    }

    private String wrongName(X509Certificate leaf) {
        return NODES + ", " + Pem.name(leaf) + ", is for " + names(leaf) + ", and the node is at " + address
                + ": another node answers there, or its certificate was made for another address";
    }

    private static String names(X509Certificate leaf) {
        try {
            Collection<List<?>> names = leaf.getSubjectAlternativeNames();
            return names == null
                    ? "an unnamed node (no subjectAltName)"
                    : names.stream().map(name -> String.valueOf(name.get(1))).collect(Collectors.joining(", "));
        } catch (CertificateParsingException e) {
            return "an unreadable name";
        }
    }

    private String wrongAuthority(X509Certificate leaf, CertificateException e) {
        String trusted = files.ca().map(file -> "tls.ca " + file).orElse("the JVM's authorities (tls.ca is not set)");
        return NODES + ", " + Pem.name(leaf) + ", signed by "
                + leaf.getIssuerX500Principal().getName() + ", is not trusted by " + trusted + ": " + e.getMessage();
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return authorities.getAcceptedIssuers();
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine) {
        throw new UnsupportedOperationException("the controller is the client here: nodes do not connect to it");
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket) {
        throw new UnsupportedOperationException("the controller is the client here: nodes do not connect to it");
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType) {
        throw new UnsupportedOperationException("the controller is the client here: nodes do not connect to it");
    }

    /** All causes of a failure, itself first. */
    static Stream<Throwable> causes(@Nullable Throwable failure) {
        return Stream.iterate(failure, Objects::nonNull, Throwable::getCause).map(Objects::requireNonNull);
    }
}
