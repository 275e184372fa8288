// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.replay;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads the file of a {@link RecordingWriter}: a frame in each line. A recording that was cut short ends with its last
 * whole line.
 */
public final class RecordingReader implements Iterator<RecordedFrame>, AutoCloseable {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final BufferedReader lines;
    private @Nullable RecordedFrame next;
    private long number;
    private Optional<String> cut = Optional.empty();

    /** @throws UncheckedIOException if it cannot be read */
    public RecordingReader(BufferedReader lines) {
        this.lines = lines;
        next = read();
    }

    /** @throws UncheckedIOException if it cannot be read */
    public static RecordingReader of(Path file) {
        try {
            return new RecordingReader(Files.newBufferedReader(file, StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private @Nullable RecordedFrame read() {
        number++;
        try {
            String line = lines.readLine();
            return line == null ? null : RecordedFrame.decode(MAPPER.readTree(line));
        } catch (JsonProcessingException | IllegalArgumentException e) {
            cut = Optional.of("line " + number + " is no frame: " + e.getMessage());
            return null;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public boolean hasNext() {
        return next != null;
    }

    @Override
    public RecordedFrame next() {
        RecordedFrame frame = next;
        if (frame == null) {
            throw new NoSuchElementException();
        }
        next = read();
        return frame;
    }

    /** The reason for an early end, once all frames are read; empty if the recording is whole. */
    Optional<String> cut() {
        return cut;
    }

    @Override
    public void close() {
        try {
            lines.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
