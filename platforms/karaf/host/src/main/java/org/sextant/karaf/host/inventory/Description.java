// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.host.inventory;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.sextant.core.ProblemException;
import org.sextant.core.net.Network;
import org.sextant.core.net.NetworkFile;
import org.sextant.core.port.Store;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The network description in use. It is kept in the store; a file that changed since it was last taken replaces it, and
 * so does {@link #load}. The last one wins: a topology loaded over REST stays over restarts until the file is edited. A
 * document with problems never replaces one without.
 */
public final class Description {
    static final String MAP = "network";
    static final String DOCUMENT = "description";
    static final String FILE_DIGEST = "file-digest";
    private static final Logger LOG = LoggerFactory.getLogger(Description.class);

    private final Store store;
    private final Path file;
    private final Consumer<Network> listener;
    private String refusedDigest = "";

    public Description(Store store, Path file, Consumer<Network> listener) {
        this.store = store;
        this.file = file;
        this.listener = listener;
    }

    /** Takes up the stored document, then the file if it has changed. */
    public void start() {
        store.get(MAP, DOCUMENT).ifPresent(json -> {
            NetworkFile.Reading reading = NetworkFile.parse(json);
            reading.problems().forEach(problem -> LOG.error("network=stored problem=\"{}\"", problem));
            if (reading.problems().isEmpty()) {
                listener.accept(reading.network());
            }
        });
        checkFile();
    }

    /**
     * Takes a document as the description, durably.
     *
     * @throws ProblemException with all problems; then nothing changed
     */
    public synchronized void load(String json) {
        take(json, Map.of(DOCUMENT, json));
    }

    /** Takes the file if it differs from when it was last taken; call it now and then. */
    public synchronized void checkFile() {
        try {
            Optional<byte[]> bytes = read();
            if (bytes.isEmpty()) {
                return;
            }
            String digest = digest(bytes.get());
            if (digest.equals(refusedDigest) || Optional.of(digest).equals(store.get(MAP, FILE_DIGEST))) {
                return;
            }
            takeFile(new String(bytes.get(), StandardCharsets.UTF_8), digest);
        } catch (IOException e) {
            LOG.warn("network={} unreadable=\"{}\"", file, e.toString());
        }
    }

    private void takeFile(String json, String digest) {
        try {
            take(json, Map.of(DOCUMENT, json, FILE_DIGEST, digest));
            LOG.info("network={} taken=true", file);
        } catch (ProblemException e) {
            refusedDigest = digest;
            e.problems().forEach(problem -> LOG.error("network={} taken=false problem=\"{}\"", file, problem));
        }
    }

    private void take(String json, Map<String, String> values) {
        Network network = NetworkFile.parse(json).orThrow();
        store.put(MAP, values);
        refusedDigest = "";
        listener.accept(network);
    }

    private Optional<byte[]> read() throws IOException {
        if (!Files.isRegularFile(file)) {
            return Optional.empty();
        }
        if (Files.size(file) > NetworkFile.MAX_BYTES) {
            throw new IOException("larger than " + NetworkFile.MAX_BYTES + " bytes");
        }
        return Optional.of(Files.readAllBytes(file));
    }

    private static String digest(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JVM has SHA-256", e);
        }
    }
}
