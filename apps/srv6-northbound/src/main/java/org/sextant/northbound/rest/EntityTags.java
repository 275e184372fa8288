// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.rest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.OutputStream;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;
import javax.ws.rs.container.ContainerRequestContext;
import javax.ws.rs.container.ContainerResponseContext;
import javax.ws.rs.container.ContainerResponseFilter;
import javax.ws.rs.core.HttpHeaders;
import javax.ws.rs.ext.Provider;
import org.sextant.core.Problem;
import org.sextant.core.ProblemException;
import org.sextant.northbound.answer.JsonAnswer;

/**
 * Entity tags of answers to GET, and its conditional form (RFC 9110, 13.1.1, 13.1.2): 304 if the client has the same
 * bytes. The tag is a digest of the body. Where a resource sets a tag of the intent, which changes of the intent compare
 * with, the digest stands behind it: state and counters change the tag of the answer, and not its part for the intent.
 *
 * <p>An answer of more than 1 MiB is streamed, and has no tag of its bytes: its digest would be known behind its end only.
 */
@Provider
public class EntityTags implements ContainerResponseFilter {
    private static final int MAX_RENDERED_BYTES = 1 << 20;
    private static final int DIGEST_BYTES = 16;
    private static final ObjectMapper MAPPER = new ObjectMapper();

    /** Separates the tag of an intent from the digest of the answer. */
    private static final char SEPARATOR = '.';

    /** The part of an entity tag without its quotes that is the intent's. */
    static String intentPart(String tag) {
        int end = tag.indexOf(SEPARATOR);
        return end < 0 ? tag : tag.substring(0, end);
    }

    @Override
    public void filter(ContainerRequestContext request, ContainerResponseContext response) throws IOException {
        boolean reads = request.getMethod().equals("GET") || request.getMethod().equals("HEAD");
        if (!reads || response.getStatus() != 200) {
            return;
        }
        Optional<String> digest = digest(response);
        if (digest.isEmpty()) {
            return;
        }
        String intent = Optional.ofNullable(response.getHeaderString(HttpHeaders.ETAG))
                .map(tag -> tag.substring(1, tag.length() - 1) + SEPARATOR)
                .orElse("");
        String tag = intent + digest.get();
        requireMatch(request, tag);
        response.getHeaders().putSingle(HttpHeaders.ETAG, '"' + tag + '"');
        if (isKnown(request, tag)) {
            response.setStatus(304);
            response.setEntity(null);
        }
    }

    private static Optional<String> digest(ContainerResponseContext response) throws IOException {
        MessageDigest sha = sha256();
        if (response.getEntity() instanceof JsonNode tree) {
            MAPPER.writeValue(new DigestOutputStream(OutputStream.nullOutputStream(), sha), tree);
        } else if (response.getEntity() instanceof JsonAnswer answer) {
            Optional<byte[]> document = answer.rendered(MAX_RENDERED_BYTES);
            if (document.isEmpty()) {
                return Optional.empty();
            }
            sha.update(document.get());
            response.setEntity(JsonAnswer.of(document.get()));
        } else {
            return Optional.empty();
        }
        return Optional.of(HexFormat.of().formatHex(sha.digest(), 0, DIGEST_BYTES));
    }

    private static void requireMatch(ContainerRequestContext request, String tag) {
        boolean unmet = tags(request, HttpHeaders.IF_MATCH)
                .filter(list ->
                        !list.any() && list.strong().noneMatch(one -> one.equals(tag) || one.equals(intentPart(tag))))
                .isPresent();
        if (unmet) {
            throw new ProblemException(new Problem(
                    Problem.Code.PRECONDITION,
                    "",
                    "it does not have this entity tag any more",
                    "send the request without If-Match to get the present state"));
        }
    }

    private static boolean isKnown(ContainerRequestContext request, String tag) {
        return tags(request, HttpHeaders.IF_NONE_MATCH)
                .filter(list -> list.any() || list.weak().anyMatch(tag::equals))
                .isPresent();
    }

    private static Optional<EntityTagList> tags(ContainerRequestContext request, String name) {
        return EntityTagList.parse(name, request.getHeaders().get(name));
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every Java has SHA-256", e);
        }
    }
}
