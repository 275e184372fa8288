// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.replay;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.sextant.core.intent.engine.EngineMessage;
import org.sextant.core.loop.Answer;
import org.sextant.core.loop.Frame;
import org.sextant.core.loop.Message;
import org.sextant.core.port.NodeUnavailableException;
import org.sextant.core.port.StoreUnavailableException;

/**
 * A {@link Frame} as a line of a recording. The type of an answer follows from its call only.
 *
 * @param message as {@link #ANSWERED}, {@link #EXPIRED}, {@link #REACTION} or a message of the engine
 * @param observed each with {@link #CALL} and {@link #ANSWER}; without an answer if it was late
 * @param calls each with {@link #CALL} and {@link #REQUEST}
 */
record RecordedFrame(
        Frame.Moment moment, JsonNode message, List<JsonNode> observed, List<Integer> turns, List<JsonNode> calls) {
    static final String ANSWERED = "AnswerReceived";
    static final String EXPIRED = "TimerExpired";
    static final String REACTION = "Reaction";
    static final String CALL = "call";
    static final String ANSWER = "answer";
    static final String TIMER = "timer";
    static final String REQUEST = "request";
    private static final String VALUE = "value";
    private static final String FAILURE = "failure";
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    static ObjectNode encode(Frame frame) {
        ObjectNode json = JSON.objectNode()
                .put("time", frame.moment().time().toString())
                .put("nanos", frame.moment().nanos());
        json.set("message", message(frame.message()));
        ArrayNode observed = json.putArray("observed");
        frame.observed().forEach(one -> {
            ObjectNode answer = observed.addObject().put(CALL, one.call());
            one.answer().ifPresent(value -> answer.set(ANSWER, answer(one.type(), value)));
        });
        ArrayNode turns = json.putArray("turns");
        frame.turns().forEach(turns::add);
        ArrayNode calls = json.putArray("calls");
        frame.calls().forEach(call -> calls.add(call(call.call(), call.request())));
        return json;
    }

    static ObjectNode call(String name, Object request) {
        return JSON.objectNode().put(CALL, name).set(REQUEST, RecordCodec.encode(request));
    }

    private static ObjectNode message(Message message) {
        ObjectNode json =
                JSON.objectNode().put(MessageCodec.CLASS, message.getClass().getSimpleName());
        if (message instanceof Message.AnswerReceived answered) {
            json.put(CALL, answered.call());
            return json.set(ANSWER, answer(answered.type(), answered.answer()));
        }
        if (message instanceof Message.TimerExpired expired) {
            return json.put(TIMER, expired.timer());
        }
        return message instanceof EngineMessage other ? MessageCodec.encode(other) : json;
    }

    /** A value that follows from the request is left out. */
    private static ObjectNode answer(Optional<? extends TypeReference<?>> type, Answer<?> answer) {
        ObjectNode json = JSON.objectNode();
        answer.failure()
                .ifPresent(failure -> json.putObject(FAILURE)
                        .put(MessageCodec.CLASS, failure.getClass().getSimpleName())
                        .put("message", failure.getMessage()));
        if (type.isPresent()) {
            answer.value().ifPresent(value -> json.set(VALUE, RecordCodec.encode(value)));
        }
        return json;
    }

    /** @throws IllegalArgumentException if it is no value of that type */
    @SuppressWarnings("unchecked") // decoded by the type
    static <T> Answer<T> answer(JsonNode json, TypeReference<T> type) {
        return json.has(FAILURE)
                ? Answer.failed(failure(json.get(FAILURE)))
                : Answer.of((T) RecordCodec.decode(json.path(VALUE), type.getType()));
    }

    private static RuntimeException failure(JsonNode json) {
        String message = json.path("message").asText();
        return switch (json.path(MessageCodec.CLASS).asText()) {
            case "StoreUnavailableException" -> new StoreUnavailableException(message);
            case "NodeUnavailableException" -> new RecordedFailure(message);
            default -> new IllegalStateException(message);
        };
    }

    /** A {@link NodeUnavailableException} with the same message. */
    private static final class RecordedFailure extends NodeUnavailableException {
        private static final long serialVersionUID = 1L;

        private final String message;

        RecordedFailure(String message) {
            super("", message);
            this.message = message;
        }

        @Override
        public String getMessage() {
            return message;
        }
    }

    /** @throws IllegalArgumentException if it is no frame */
    static RecordedFrame decode(JsonNode json) {
        if (!json.path("time").isTextual() || !json.path("message").isObject()) {
            throw new IllegalArgumentException("a frame has a time and a message");
        }
        Instant time = Instant.parse(json.path("time").textValue());
        List<Integer> turns = new ArrayList<>();
        json.path("turns").forEach(turn -> turns.add(turn.intValue()));
        return new RecordedFrame(
                new Frame.Moment(time, json.path("nanos").longValue()),
                json.path("message"),
                list(json.path("observed")),
                turns,
                list(json.path("calls")));
    }

    private static List<JsonNode> list(JsonNode json) {
        List<JsonNode> list = new ArrayList<>();
        json.forEach(list::add);
        return list;
    }
}
