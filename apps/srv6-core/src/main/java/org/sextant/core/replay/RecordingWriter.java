// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.replay;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.sextant.core.calls.Daemons;
import org.sextant.core.loop.Frame;
import org.sextant.core.loop.Recorder;

/**
 * Writes the messages of an engine to a file, a frame in each line of JSON, on a thread of its own. A disk that is too
 * slow, or full, ends the recording, and never delays the engine: a recording with a gap could not be repeated.
 */
public final class RecordingWriter implements Recorder, AutoCloseable {
    /** Frames that wait to be written. */
    private static final int MOST_WAITING = 10_000;

    private static final long CLOSING_SECONDS = 10;
    private static final long MOST_BYTES = 1L << 30;

    private final BlockingQueue<Frame> frames = new ArrayBlockingQueue<>(MOST_WAITING);
    private final BufferedWriter file;
    private final long mostBytes;
    private final Consumer<String> ended;
    private final Thread thread;
    private volatile boolean open = true;
    private volatile @Nullable String reason;
    private long written;

    /**
     * @param file is made, or replaced
     * @param mostBytes ends the recording
     * @param ended gets the reason if the recording ends before it is closed
     * @throws UncheckedIOException if the file cannot be made
     */
    public RecordingWriter(Path file, long mostBytes, Consumer<String> ended) {
        try {
            this.file = Files.newBufferedWriter(file, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        this.mostBytes = mostBytes;
        this.ended = ended;
        ThreadFactory threads = Daemons.one("sextant-recording");
        this.thread = threads.newThread(this::write);
        thread.start();
    }

    /** A recording of at most 1 GiB; otherwise as the constructor. */
    public static RecordingWriter of(Path file, Consumer<String> ended) {
        return new RecordingWriter(file, MOST_BYTES, ended);
    }

    @Override
    public void handled(Frame frame) {
        if (open && !frames.offer(frame)) {
            end("the disk is slower than the engine");
        }
    }

    private void end(String why) {
        if (open) {
            open = false;
            reason = why;
        }
    }

    private void write() {
        try (file) {
            while (open || !frames.isEmpty() && reason == null) {
                Frame frame = frames.poll(100, TimeUnit.MILLISECONDS);
                if (frame != null) {
                    write(frame);
                } else {
                    file.flush();
                }
            }
        } catch (IOException | IllegalArgumentException e) {
            end(String.valueOf(e.getMessage()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        frames.clear();
        String why = reason;
        if (why != null) {
            ended.accept("the recording of the engine has ended: " + why);
        }
    }

    private void write(Frame frame) throws IOException {
        String line = RecordedFrame.encode(frame).toString();
        written += line.length() + 1;
        if (written > mostBytes) {
            end("it has " + mostBytes + " bytes");
            return;
        }
        file.write(line);
        file.write('\n');
    }

    /** Writes the frames that wait. */
    @Override
    public void close() {
        open = false;
        try {
            thread.join(TimeUnit.SECONDS.toMillis(CLOSING_SECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
