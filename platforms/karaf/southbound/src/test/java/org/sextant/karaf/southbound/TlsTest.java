// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.southbound;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.netty.shaded.io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.shaded.io.netty.handler.ssl.ClientAuth;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContext;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.sextant.core.fake.FakeStore;
import org.sextant.core.net.Node;
import org.sextant.core.port.DataPlane.NodeState;

/** A node that shows a certificate and wants to see the controller's. */
@DisplayNameGeneration(ReplaceUnderscores.class)
@Timeout(60)
class TlsTest {
    @TempDir
    private static Path folder;

    private static Certificates nodes;
    private static Certificates controllers;
    private static Certificates strangers;
    private static FakeNode fake;

    @BeforeAll
    static void start() throws Exception {
        nodes = Certificates.make(folder, "node");
        controllers = Certificates.make(folder, "controller");
        strangers = Certificates.make(folder, "stranger");
        fake = new FakeNode(true, Optional.of(mutual()));
    }

    private static SslContext mutual() throws SSLException {
        return GrpcSslContexts.forServer(
                        nodes.certificate().toFile(), nodes.key().toFile())
                .trustManager(controllers.certificate().toFile())
                .clientAuth(ClientAuth.REQUIRE)
                .build();
    }

    @AfterAll
    static void stop() {
        fake.close();
    }

    @Test
    void both_sides_know_each_other() throws InterruptedException {
        assertThat(firstState(nodes.certificate(), Optional.of(controllers)).ready())
                .isTrue();
    }

    @Test
    void a_node_with_another_certificate_is_refused() throws InterruptedException {
        NodeState state = firstState(strangers.certificate(), Optional.of(controllers));
        assertThat(state.ready()).isFalse();
        assertThat(state.reason()).containsIgnoringCase("certificat");
    }

    @Test
    void a_controller_without_certificate_gets_nowhere() throws InterruptedException {
        assertThat(firstState(nodes.certificate(), Optional.empty()).ready()).isFalse();
    }

    @Test
    void a_controller_with_another_certificate_gets_nowhere() throws InterruptedException {
        assertThat(firstState(nodes.certificate(), Optional.of(strangers)).ready())
                .isFalse();
    }

    @Test
    void a_file_that_is_not_there_yet_is_read_as_soon_as_it_is() throws Exception {
        Path authority = folder.resolve("late.pem");
        BlockingQueue<NodeState> states = new LinkedBlockingQueue<>();
        TlsFiles files = new TlsFiles(
                Optional.of(authority), Optional.of(controllers.certificate()), Optional.of(controllers.key()));
        try (P4RuntimeDataPlane dataPlane = new P4RuntimeDataPlane(new FakeStore(), files)) {
            dataPlane.onState(states::add);
            dataPlane.manage(List.of(node()));
            NodeState first = states.poll(30, TimeUnit.SECONDS);
            assertThat(first).isNotNull();
            assertThat(first.ready()).isFalse();
            assertThat(first.reason()).contains("late.pem");
            Files.copy(nodes.certificate(), authority);
            NodeState last = first;
            while (!last.ready()) {
                last = states.poll(30, TimeUnit.SECONDS);
                assertThat(last).as("there is another attempt").isNotNull();
            }
        }
    }

    private static Node node() {
        return new Node(
                "n1",
                "device:n1",
                fake.management(),
                "org.sextant.linux",
                Optional.empty(),
                new TreeMap<>(),
                Optional.empty());
    }

    private static NodeState firstState(Path authority, Optional<Certificates> own) throws InterruptedException {
        BlockingQueue<NodeState> states = new LinkedBlockingQueue<>();
        TlsFiles files =
                new TlsFiles(Optional.of(authority), own.map(Certificates::certificate), own.map(Certificates::key));
        try (P4RuntimeDataPlane dataPlane = new P4RuntimeDataPlane(new FakeStore(), files)) {
            dataPlane.onState(states::add);
            dataPlane.manage(List.of(node()));
            NodeState first = states.poll(30, TimeUnit.SECONDS);
            assertThat(first).isNotNull();
            return first;
        }
    }
}
