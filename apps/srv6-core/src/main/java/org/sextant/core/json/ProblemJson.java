// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.json;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.sextant.core.Problem;

/** Problems in their JSON form: the member {@code errors} of problem+json. */
public final class ProblemJson {
    /** A name from the address, such as {id}: if it is unknown, the address is missing, even if there is a body. */
    private static final String OF_ADDRESS = "/id";

    private ProblemJson() {}

    public static ArrayNode list(List<Problem> problems) {
        ArrayNode list = JsonNodeFactory.instance.arrayNode();
        problems.forEach(problem -> list.addObject()
                .put("code", problem.code().name())
                .put("field", problem.field())
                .put("message", problem.message())
                .put("remedy", problem.remedy()));
        return list;
    }

    /** The list as the only member of an object. */
    public static ObjectNode errors(List<Problem> problems) {
        ObjectNode errors = JsonNodeFactory.instance.objectNode();
        errors.set("errors", list(problems));
        return errors;
    }

    /**
     * The HTTP status of a request that these stand against: the gravest of them.
     *
     * @param inBody true if names stand in the request's body: then a named object is missing, not the address
     */
    public static int status(List<Problem> problems, boolean inBody) {
        return problems.stream()
                .mapToInt(problem ->
                        status(problem.code(), inBody && !problem.field().equals(OF_ADDRESS)))
                .max()
                .orElse(400);
    }

    private static int status(Problem.Code code, boolean inBody) {
        return switch (code) {
            case INVALID -> 400;
            case UNKNOWN -> inBody ? 422 : 404;
            case CONFLICT -> 409;
            case PRECONDITION -> 412;
            case UNFEASIBLE -> 422;
        };
    }
}
