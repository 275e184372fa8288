// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.itest;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A controller in its own process, started from the unpacked distribution with its own data folder and ports. */
final class Instance implements AutoCloseable {
    static final long BOOT_LIMIT_SECONDS = 120;

    private final Path home;
    private final Path data;
    private final Map<String, String> environment = new HashMap<>();
    private final HttpClient client = HttpClient.newHttpClient();
    final int httpPort;
    final int sshPort;
    private Process process;

    Instance(Path home, Path data, Path network) throws IOException {
        this.home = home;
        this.data = data;
        this.httpPort = freePort();
        this.sshPort = freePort();
        environment.put("SEXTANT_DATA", data.toString());
        environment.put("SEXTANT_HTTP_PORT", Integer.toString(httpPort));
        environment.put("SEXTANT_SSH_PORT", Integer.toString(sshPort));
        environment.put("SEXTANT_NETWORK", network.toString());
    }

    static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    void start() throws IOException {
        Files.createDirectories(data);
        process = builder("karaf", "daemon")
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(console().toFile()))
                .start();
    }

    private ProcessBuilder builder(String script, String... arguments) {
        ProcessBuilder builder = new ProcessBuilder(
                Stream.concat(Stream.of(home.resolve("bin").resolve(script).toString()), Stream.of(arguments))
                        .toList());
        builder.environment().keySet().removeIf(name -> name.startsWith("SEXTANT_") || name.startsWith("KARAF_"));
        builder.environment().putAll(environment);
        return builder;
    }

    /** Runs a script of the distribution to its end. */
    int run(String script) throws IOException, InterruptedException {
        Process run = builder(script)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        if (!run.waitFor(60, TimeUnit.SECONDS)) {
            run.destroyForcibly();
            throw new IllegalStateException(script + " does not end");
        }
        return run.exitValue();
    }

    ProcessHandle handle() {
        return process.toHandle();
    }

    void kill9() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    boolean waitForEnd(long seconds) throws InterruptedException {
        return process.waitFor(seconds, TimeUnit.SECONDS);
    }

    void awaitReady() {
        await(
                "GET /srv6/topology gives 200",
                () -> get("/srv6/topology", "admin").statusCode() == 200);
    }

    void await(String what, BooleanSupplier condition) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(BOOT_LIMIT_SECONDS);
        while (!tried(condition)) {
            if (!process.isAlive() || System.nanoTime() > deadline) {
                throw new IllegalStateException(
                        "not reached: " + what + "; alive: " + process.isAlive() + "; log:\n" + log());
            }
            pause();
        }
    }

    private static boolean tried(BooleanSupplier condition) {
        try {
            return condition.getAsBoolean();
        } catch (UncheckedIOException notYet) {
            return false;
        }
    }

    /** Between two looks; the condition decides, not the time. */
    private static void pause() {
        java.util.concurrent.locks.LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
    }

    HttpResponse<String> get(String path, String user) {
        return get(path, user, user.isEmpty() ? "" : password(user));
    }

    HttpResponse<String> get(String path, String user, String password) {
        String token = Base64.getEncoder().encodeToString((user + ":" + password).getBytes(StandardCharsets.UTF_8));
        return getWith(path, user.isEmpty() ? "" : "Basic " + token);
    }

    /** With an Authorization header as it is; none if it is empty. */
    HttpResponse<String> getWith(String path, String authorization) {
        HttpRequest.Builder request = to(path);
        if (!authorization.isEmpty()) {
            request.header("Authorization", authorization);
        }
        return send(request);
    }

    /** With an Authorization header and a JSON body. */
    HttpResponse<String> send(String method, String path, String authorization, String body) {
        return send(to(path).header("Authorization", authorization)
                .header("Content-Type", "application/json")
                .method(method, HttpRequest.BodyPublishers.ofString(body)));
    }

    /** The status of an answer that may have no end. A type that is not empty stands for an empty object of it. */
    int status(String method, String path, String authorization, String type) {
        HttpRequest.Builder request = to(path).header("Authorization", authorization)
                .method(method, HttpRequest.BodyPublishers.ofString(type.isEmpty() ? "" : "{}"));
        if (!type.isEmpty()) {
            request.header("Content-Type", type);
        }
        try {
            HttpResponse<InputStream> answer = client.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
            answer.body().close();
            return answer.statusCode();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Without a login, by any method. */
    HttpResponse<String> call(String method, String path) {
        return send(to(path).method(method, HttpRequest.BodyPublishers.noBody()));
    }

    private HttpRequest.Builder to(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + httpPort + path));
    }

    private HttpResponse<String> send(HttpRequest.Builder request) {
        try {
            return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    String password(String user) {
        try {
            return Files.readAllLines(credentials()).stream()
                    .filter(line -> line.startsWith(user + "="))
                    .map(line -> line.substring(user.length() + 1))
                    .findFirst()
                    .orElseThrow(() -> new UncheckedIOException(new IOException("no password of " + user)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Path credentials() {
        return data.resolve("etc").resolve("sextant").resolve("credentials");
    }

    private Path console() {
        return data.resolveSibling("console.log");
    }

    /** All that was logged and printed. */
    String log() {
        try (Stream<Path> files =
                Files.exists(data.resolve("log")) ? Files.list(data.resolve("log")) : Stream.empty()) {
            StringBuilder text = new StringBuilder(Files.readString(console()));
            for (Path file : files.sorted().toList()) {
                text.append("== ").append(file.getFileName()).append('\n').append(Files.readString(file));
            }
            return text.toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Resident memory in MiB. */
    long residentMib() throws IOException {
        return Files.readAllLines(Path.of("/proc", Long.toString(process.pid()), "status")).stream()
                .filter(line -> line.startsWith("VmRSS:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) / 1024)
                .findFirst()
                .orElseThrow();
    }

    /** The sockets on which the process listens, as hexadecimal address and port of /proc/net/tcp. */
    Set<String> listening() throws IOException {
        Set<String> inodes;
        try (Stream<Path> files = Files.list(Path.of("/proc", Long.toString(process.pid()), "fd"))) {
            inodes = files.map(Instance::target)
                    .filter(link -> link.startsWith("socket:["))
                    .map(link -> link.replaceAll("[^0-9]", ""))
                    .collect(Collectors.toSet());
        }
        Set<String> found = new TreeSet<>();
        for (String table : List.of("tcp", "tcp6")) {
            for (String line : Files.readAllLines(Path.of("/proc/net", table))) {
                String[] columns = line.trim().split("\\s+");
                if (columns.length > 9 && columns[3].equals("0A") && inodes.contains(columns[9])) {
                    found.add(columns[1]);
                }
            }
        }
        return found;
    }

    private static String target(Path link) {
        try {
            return Files.readSymbolicLink(link).toString();
        } catch (IOException closedMeanwhile) {
            return "";
        }
    }

    @Override
    public void close() {
        if (process != null) {
            process.destroyForcibly();
        }
    }
}
