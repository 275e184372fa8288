// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.rest;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.ws.rs.core.HttpHeaders;
import javax.ws.rs.core.Response;
import org.sextant.core.Problem;
import org.sextant.core.ProblemException;
import org.sextant.core.intent.Precondition;
import org.sextant.core.intent.Precondition.Tags;
import org.sextant.kit.app.SrApp;
import org.sextant.northbound.app.AppView;

/** Conditional requests (RFC 9110, 13): their headers, and those of the answers about the intent. */
final class Conditions {
    private Conditions() {}

    /** @throws ProblemException naming the header that is not one of entity tags */
    static Precondition of(HttpHeaders headers) {
        return new Precondition(
                tags(headers, HttpHeaders.IF_MATCH, true), tags(headers, HttpHeaders.IF_NONE_MATCH, false));
    }

    /** @throws ProblemException if there is one: it would not say of which intent it speaks */
    static void none(HttpHeaders headers, String many) {
        Stream.of(HttpHeaders.IF_MATCH, HttpHeaders.IF_NONE_MATCH)
                .filter(name -> headers.getRequestHeader(name) != null)
                .findFirst()
                .ifPresent(name -> {
                    throw invalid(
                            name,
                            "an ETag is of one of the " + many + ", not of several",
                            "send those one by one of which something must hold");
                });
    }

    /** @param strong whether weak tags match nothing (RFC 9110, 8.8.3.2) */
    private static Optional<Tags> tags(HttpHeaders headers, String name, boolean strong) {
        return EntityTagList.parse(name, headers.getRequestHeader(name))
                .map(list -> new Tags(
                        list.any(),
                        (strong ? list.strong() : list.weak())
                                .map(EntityTags::intentPart)
                                .collect(Collectors.toSet())));
    }

    private static ProblemException invalid(String header, String message, String remedy) {
        return new ProblemException(new Problem(Problem.Code.INVALID, "/" + header, message, remedy));
    }

    /** An answer that shows an intent: the header says the same of it as the body. */
    static Response.ResponseBuilder tagged(Response.ResponseBuilder answer, ObjectNode view) {
        answer.entity(view);
        if (view.has(AppView.ETAG)) {
            answer.header(HttpHeaders.ETAG, view.get(AppView.ETAG).textValue());
        }
        return answer;
    }

    /**
     * The result of the request, or, where its condition does not hold, why not, with the ETag that would.
     *
     * @param id of the intent that is meant; empty if only its content says which
     */
    static <I> Response judged(SrApp<I> app, Optional<String> id, Supplier<Response> request) {
        try {
            return request.get();
        } catch (ProblemException e) {
            boolean unmet = e.problems().stream().anyMatch(one -> one.code() == Problem.Code.PRECONDITION);
            if (!unmet) {
                throw e;
            }
            Response answer = ProblemMapper.of(e.problems());
            id.filter(app::present)
                    .flatMap(app.intents()::find)
                    .ifPresent(now -> answer.getHeaders().putSingle(HttpHeaders.ETAG, AppView.etag(app, now)));
            return answer;
        }
    }
}
