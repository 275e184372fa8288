// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.southbound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.sextant.core.fake.FakeStore;
import org.sextant.core.net.Node;
import org.sextant.core.port.DataPlane;
import org.sextant.core.port.DataPlane.NodeState;
import org.sextant.core.port.DataPlane.Operation;
import org.sextant.core.port.DataPlane.Result;
import org.sextant.core.port.DataPlane.Stored;
import org.sextant.core.port.DataPlane.Update;
import org.sextant.core.table.Entry;

/** The client against the switch that runs our program; it has no gNMI. */
@DisplayNameGeneration(ReplaceUnderscores.class)
@Timeout(120)
class Bmv2Test {
    private static final String SWITCH = "simple_switch_grpc";

    @Test
    void bmv2_takes_the_program_and_gives_every_entry_back() throws IOException, InterruptedException {
        Optional<Path> program = onPath();
        assumeTrue(
                program.isPresent(),
                SWITCH + " is not on PATH: build it from https://github.com/p4lang/behavioral-model with PI");
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        Process bmv2 = new ProcessBuilder(
                        program.get().toString(),
                        "--no-p4",
                        "--device-id",
                        "1",
                        "--",
                        "--grpc-server-addr",
                        "127.0.0.1:" + port)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        try (P4RuntimeDataPlane dataPlane = new P4RuntimeDataPlane(new FakeStore(), TlsFiles.NONE)) {
            BlockingQueue<NodeState> states = new LinkedBlockingQueue<>();
            dataPlane.onState(states::add);
            dataPlane.manage(List.of(new Node(
                    "b1",
                    "device:b1",
                    "grpc://127.0.0.1:" + port + "?device_id=1",
                    "org.sextant.bmv2",
                    Optional.empty(),
                    new TreeMap<>(),
                    Optional.empty())));
            awaitReady(states);
            assertThat(dataPlane.capabilities("b1").orElseThrow().maxSegments()).isEqualTo(6);
            List<Entry> entries = Samples.everyKind();
            assertThat(write(dataPlane, Operation.INSERT, entries)).containsOnly(Result.OK);
            assertThat(dataPlane.read("b1").stream().map(Stored::entry)).containsExactlyInAnyOrderElementsOf(entries);
            Entry sid = entries.get(4);
            assertThat(write(dataPlane, Operation.INSERT, List.of(sid)).get(0).failure())
                    .hasValueSatisfying(failure -> assertThat(failure.code()).isEqualTo(DataPlane.Code.ALREADY_EXISTS));
            assertThat(write(dataPlane, Operation.DELETE, entries)).containsOnly(Result.OK);
            assertThat(dataPlane.read("b1")).isEmpty();
        } finally {
            bmv2.destroyForcibly().waitFor();
        }
    }

    private static void awaitReady(BlockingQueue<NodeState> states) throws InterruptedException {
        NodeState last = new NodeState("b1", false, "nothing heard");
        while (!last.ready()) {
            NodeState next = states.poll(30, TimeUnit.SECONDS);
            assertThat(next).as("after " + last).isNotNull();
            last = next;
        }
    }

    private static List<Result> write(DataPlane dataPlane, Operation operation, List<Entry> entries) {
        return dataPlane.write(
                "b1",
                entries.stream().map(entry -> new Update(operation, entry)).toList());
    }

    private static Optional<Path> onPath() {
        return Stream.of(System.getenv("PATH").split(File.pathSeparator))
                .map(folder -> Path.of(folder, SWITCH))
                .filter(Files::isExecutable)
                .findFirst();
    }
}
