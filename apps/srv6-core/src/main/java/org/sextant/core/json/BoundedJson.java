// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.util.JsonParserDelegate;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayInputStream;
import java.io.CharConversionException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.sextant.core.Problem;
import org.sextant.core.ProblemException;

/**
 * Reads JSON from untrusted sources: bounded in bytes and nesting, duplicate names and trailing text refused. Every
 * fault is a {@link ProblemException} with its place. (Jackson 2.11, the oldest on our hosts, has no limits of its
 * own.)
 */
public final class BoundedJson {
    private static final ObjectMapper MAPPER =
            new ObjectMapper(new JsonFactory().enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION));

    private final int maxBytes;
    private final int maxDepth;

    public BoundedJson(int maxBytes, int maxDepth) {
        this.maxBytes = maxBytes;
        this.maxDepth = maxDepth;
    }

    /** Reads one JSON value and the end of the stream; does not close it. */
    public JsonNode read(InputStream stream) throws IOException {
        byte[] bytes = stream.readNBytes(maxBytes + 1);
        if (bytes.length > maxBytes) {
            throw problem("the document is larger than " + maxBytes + " bytes", "send it in parts");
        }
        return read(bytes);
    }

    public JsonNode read(byte[] bytes) {
        if (bytes.length > maxBytes) {
            throw problem("the document is larger than " + maxBytes + " bytes", "send it in parts");
        }
        try (JsonParser parser = new DepthLimited(MAPPER.getFactory().createParser(new ByteArrayInputStream(bytes)))) {
            JsonNode value = MAPPER.readTree(parser);
            if (value == null) {
                throw problem("the document is empty", "send a JSON object");
            }
            if (parser.nextToken() != null) {
                throw problem("there is text behind the JSON value" + at(parser.getTokenLocation()), "remove it");
            }
            return value;
        } catch (JsonProcessingException e) {
            throw malformed(e);
        } catch (IOException e) {
            throw problem("not JSON: " + e.getMessage(), "correct the document");
        }
    }

    /**
     * Reads a list element by element, so that a long one never stands in memory as a whole; the bounds are those of one
     * element. Does not close the stream.
     *
     * @param maxTotalBytes bound of the whole list
     * @param each receives the index and the element; an exception of it ends the reading
     * @throws ProblemException if the document is not a list, has more than {@code maxElements}, or is not JSON
     */
    public void readEach(InputStream stream, int maxElements, long maxTotalBytes, BiConsumer<Integer, JsonNode> each)
            throws IOException {
        Metered metered = new Metered(stream, maxTotalBytes);
        try (DepthLimited parser = new DepthLimited(MAPPER.getFactory().createParser(metered))) {
            parser.disable(JsonParser.Feature.AUTO_CLOSE_SOURCE);
            if (parser.nextToken() != JsonToken.START_ARRAY) {
                throw problem("not a list", "send [ … ]");
            }
            int index = 0;
            while (parser.nextToken() != JsonToken.END_ARRAY) {
                if (index == maxElements) {
                    throw problem("the list has more than " + maxElements + " elements", "send it in parts");
                }
                metered.allow(maxBytes);
                each.accept(index++, MAPPER.readTree(parser));
                metered.allow(maxBytes);
            }
            if (parser.nextToken() != null) {
                throw problem("there is text behind the JSON value" + at(parser.getTokenLocation()), "remove it");
            }
        } catch (TooLarge e) {
            throw problem(
                    "an element of the list is larger than " + maxBytes + " bytes, or all of it than " + maxTotalBytes,
                    "send it in parts");
        } catch (JsonProcessingException e) {
            throw malformed(e);
        } catch (CharConversionException e) {
            throw problem("not JSON: " + e.getMessage(), "send UTF-8");
        }
    }

    /**
     * Counts the bytes that a parser reads from a stream since the last {@link #allow}; the parser reads a buffer
     * ahead.
     */
    private static final class Metered extends FilterInputStream {
        private static final int BUFFER = 1 << 16;
        private long left = BUFFER;
        private long leftInTotal;

        Metered(InputStream in, long maxTotalBytes) {
            super(in);
            leftInTotal = maxTotalBytes;
        }

        void allow(int bytes) {
            left = bytes + (long) BUFFER;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 255;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            int count = super.read(bytes, offset, length);
            left -= Math.max(count, 0);
            leftInTotal -= Math.max(count, 0);
            if (left < 0 || leftInTotal < 0) {
                throw new TooLarge();
            }
            return count;
        }
    }

    private static final class TooLarge extends IOException {
        private static final long serialVersionUID = 1L;
    }

    private static ProblemException malformed(JsonProcessingException e) {
        return problem(
                "not JSON: " + JsonFault.words(e.getOriginalMessage()) + at(e.getLocation()), "correct the document");
    }

    private static String at(JsonLocation location) {
        return location == null ? "" : " at line " + location.getLineNr() + ", column " + location.getColumnNr();
    }

    private static ProblemException problem(String message, String remedy) {
        return new ProblemException(new Problem(Problem.Code.INVALID, "", message, remedy));
    }

    private final class DepthLimited extends JsonParserDelegate {
        private int depth;

        DepthLimited(JsonParser parser) {
            super(parser);
        }

        @Override
        public JsonToken nextToken() throws IOException {
            return count(super.nextToken());
        }

        @Override
        public @Nullable String nextFieldName() throws IOException {
            return nextToken() == JsonToken.FIELD_NAME ? getCurrentName() : null;
        }

        private JsonToken count(JsonToken token) {
            if (token != null && token.isStructStart() && ++depth > maxDepth) {
                throw problem(
                        "nested deeper than " + maxDepth + " levels" + at(getTokenLocation()), "flatten the document");
            }
            if (token != null && token.isStructEnd()) {
                depth--;
            }
            return token;
        }
    }
}
