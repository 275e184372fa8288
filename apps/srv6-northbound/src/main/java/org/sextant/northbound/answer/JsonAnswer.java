// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.answer;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.function.Function;
import javax.ws.rs.ServiceUnavailableException;
import javax.ws.rs.core.StreamingOutput;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An answer that grows with the stored data: written piece by piece, so that it never stands in memory as a whole. As
 * long as one is read it holds a thread of the server's, so there are a few of them at a time, and a client that reads
 * too slowly is let go.
 */
public final class JsonAnswer implements StreamingOutput {
    private static final Semaphore ROOM = new Semaphore(16);
    private static final long RETRY_SECONDS = 2;
    private static final ObjectMapper MAPPER = new ObjectMapper().disable(SerializationFeature.FLUSH_AFTER_WRITE_VALUE);
    private static final Logger LOG = LoggerFactory.getLogger(JsonAnswer.class);

    private final Output output;

    /** Writes all bytes. */
    @FunctionalInterface
    private interface Output {
        void to(OutputStream out) throws IOException;
    }

    /** Writes the whole document. */
    @FunctionalInterface
    public interface Writing {
        void to(JsonGenerator json) throws IOException;
    }

    public JsonAnswer(Writing writing) {
        output = out -> generate(writing, out);
    }

    private JsonAnswer(byte[] document) {
        output = out -> out.write(document);
    }

    /** A document that is rendered already. */
    public static JsonAnswer of(byte[] document) {
        return new JsonAnswer(document);
    }

    /** A list of the elements as {@code view} shows them, one after the other. */
    public static <T> JsonAnswer list(Iterable<T> elements, Function<T, ? extends JsonNode> view) {
        return new JsonAnswer(json -> {
            json.writeStartArray();
            for (T element : elements) {
                json.writeTree(view.apply(element));
            }
            json.writeEndArray();
        });
    }

    /** Renders the document; empty if it has more bytes than {@code most}, and is to be streamed. */
    public Optional<byte[]> rendered(int most) throws IOException {
        BoundedBuffer buffer = new BoundedBuffer(most);
        acquire();
        try {
            output.to(buffer);
            return Optional.of(buffer.toByteArray());
        } catch (BoundedBuffer.FullException full) {
            return Optional.empty();
        } finally {
            ROOM.release();
        }
    }

    @Override
    public void write(OutputStream out) throws IOException {
        acquire();
        try {
            output.to(new PacedStream(out));
        } catch (UncheckedIOException e) {
            throw e.getCause();
        } catch (RuntimeException e) {
            // The status is on its way: only the log can have the error.
            LOG.error("rest answer broke off", e);
            throw e;
        } finally {
            ROOM.release();
        }
    }

    private static void acquire() {
        if (!ROOM.tryAcquire()) {
            throw new ServiceUnavailableException(
                    "too many long answers are being read; come back in a moment", RETRY_SECONDS);
        }
    }

    private static void generate(Writing writing, OutputStream out) throws IOException {
        // Not in a try with resources: a generator that is closed closes open lists, and half a list would look
        // whole.
        JsonGenerator json = MAPPER.getFactory().createGenerator(out);
        json.disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
        writing.to(json);
        json.close();
    }
}
