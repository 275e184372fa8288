// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.KeyStore;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayNameGeneration(ReplaceUnderscores.class)
class IssuerWebTest {
    @TempDir
    private Path folder;

    private final AtomicInteger elsewhere = new AtomicInteger();
    private HttpsServer server;

    @BeforeEach
    void serve() throws Exception {
        KeyStore keys = keys("issuer");
        KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(keys, "changeit".toCharArray());
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(managers.getKeyManagers(), null, null);
        server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(context));
        server.createContext("/", exchange -> {
            exchange.sendResponseHeaders(200, 2);
            exchange.getResponseBody().write("{}".getBytes(StandardCharsets.UTF_8));
            exchange.close();
        });
        server.createContext("/moved", exchange -> {
            exchange.getResponseHeaders().set("Location", "/elsewhere");
            exchange.sendResponseHeaders(302, -1);
            exchange.close();
        });
        server.createContext("/elsewhere", exchange -> {
            elsewhere.incrementAndGet();
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    @Test
    void an_issuer_whose_certificate_the_given_authority_signed_is_asked_and_no_other() throws Exception {
        Path authority = pem("issuer");
        assertThat(web(Optional.of(authority))
                        .retrieveResource(address("/").toURL())
                        .getContent())
                .isEqualTo("{}");
        assertThatThrownBy(() ->
                        web(Optional.empty()).retrieveResource(address("/").toURL()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("it has no certificate that is trusted here");
        keys("other");
        Path other = pem("other");
        assertThatThrownBy(() ->
                        web(Optional.of(other)).retrieveResource(address("/").toURL()))
                .hasMessageContaining("it has no certificate that is trusted here");
    }

    @Test
    void another_file_of_authorities_counts_from_the_next_question_on() throws Exception {
        Path authorities = folder.resolve("authorities.pem");
        IssuerWeb web = web(Optional.of(authorities));
        assertThatThrownBy(() -> web.retrieveResource(address("/").toURL())).hasMessageContaining("authorities.pem");
        Files.writeString(authorities, "nothing");
        assertThatThrownBy(() -> web.retrieveResource(address("/").toURL())).hasMessageContaining("has no certificate");
        Files.writeString(authorities, Files.readString(pem("issuer")));
        Files.setLastModifiedTime(authorities, FileTime.from(Instant.now().plusSeconds(10)));
        assertThat(web.retrieveResource(address("/").toURL()).getContent()).isEqualTo("{}");
    }

    @Test
    void nobody_is_asked_to_whom_the_issuer_points() throws Exception {
        IssuerWeb web = web(Optional.of(pem("issuer")));
        assertThatThrownBy(() -> web.retrieveResource(address("/moved").toURL()))
                .hasMessageContaining("with 302");
        assertThat(elsewhere).hasValue(0);
    }

    private URI address(String path) {
        return URI.create("https://127.0.0.1:" + server.getAddress().getPort() + path);
    }

    private static IssuerWeb web(Optional<Path> authorities) {
        return new IssuerWeb(authorities, Duration.ofSeconds(20));
    }

    /** By the JDK's own tool: nothing else here makes certificates. */
    private KeyStore keys(String name) throws Exception {
        Path file = folder.resolve(name + ".p12");
        Process tool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-keyalg",
                        "EC",
                        "-alias",
                        "it",
                        "-dname",
                        "CN=" + name,
                        "-ext",
                        "san=ip:127.0.0.1",
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        "changeit",
                        "-keystore",
                        file.toString())
                .redirectErrorStream(true)
                .start();
        String said = new String(tool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(tool.waitFor()).as(said).isZero();
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            store.load(in, "changeit".toCharArray());
        }
        Files.writeString(
                folder.resolve(name + ".pem"),
                "-----BEGIN CERTIFICATE-----\n"
                        + Base64.getMimeEncoder()
                                .encodeToString(store.getCertificate("it").getEncoded())
                        + "\n-----END CERTIFICATE-----\n");
        return store;
    }

    private Path pem(String name) {
        return folder.resolve(name + ".pem");
    }
}
