// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.host.web;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * No password leaves this machine in the clear: whatever the settings say of HTTP, where the controller listens elsewhere than on
 * loopback it speaks HTTPS and nothing else. Held here and not in a configuration file, which an operator may have since long.
 */
final class HttpsOnly {
    private static final Logger LOG = LoggerFactory.getLogger(HttpsOnly.class);
    private static final long REMEMBERED_SECONDS = Duration.ofDays(365).toSeconds();

    private HttpsOnly() {}

    /** @param folder where certificate.pem and key.pem are, or will be made */
    static void offLoopback(Server server, Path folder) throws Exception {
        for (Connector connector : server.getConnectors()) {
            if (connector instanceof ServerConnector plain
                    && plain.getConnectionFactory(SslConnectionFactory.class) == null
                    && !isLoopback(plain.getHost())) {
                encrypt(plain, folder);
            }
        }
    }

    /** No address at all means every one. */
    private static boolean isLoopback(@Nullable String host) {
        try {
            return host != null && InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException e) {
            return false;
        }
    }

    private static void encrypt(ServerConnector connector, Path folder) throws Exception {
        SslContextFactory.Server tls = tls(folder);
        boolean running = connector.isRunning();
        if (running) {
            connector.stop();
        }
        HttpConnectionFactory http = connector.getConnectionFactory(HttpConnectionFactory.class);
        SecureRequestCustomizer secure = new SecureRequestCustomizer();
        secure.setSniHostCheck(false); // people type addresses, and names that the certificate need not have
        secure.setStsMaxAge(REMEMBERED_SECONDS);
        http.getHttpConfiguration().addCustomizer(secure);
        connector.setConnectionFactories(List.of(new SslConnectionFactory(tls, HttpVersion.HTTP_1_1.asString()), http));
        connector.setDefaultProtocol("SSL");
        if (running) {
            connector.start();
        }
        LOG.info("address={} port={} https=yes: it is not loopback", connector.getHost(), connector.getPort());
    }

    private static SslContextFactory.Server tls(Path folder) throws IOException, GeneralSecurityException {
        Path certificate = folder.resolve("certificate.pem");
        Path key = folder.resolve("key.pem");
        if (OwnCertificate.ensure(certificate, key, Instant.now())) {
            LOG.info("https certificate={} made, sha256={}", certificate, OwnCertificate.fingerprint(certificate));
        }
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(new KeyManager[] {new HttpsKeys(certificate, key)}, null, null);
        SslContextFactory.Server tls = new SslContextFactory.Server();
        tls.setSslContext(context);
        return tls;
    }
}
