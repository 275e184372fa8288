// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.southbound;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.sextant.core.port.DataPlane.Code;
import org.sextant.core.port.DataPlane.Result;
import p4.v1.P4RuntimeOuterClass;

/** Reads a node's answer to a write that did not succeed as a whole (P4Runtime 1.4, 12.3). */
final class P4Errors {
    private static final Pattern DEADLINE = Pattern.compile("deadline exceeded after ([0-9.]+)s");

    private P4Errors() {}

    /**
     * One result per update, if the node answered about each of them.
     *
     * @return empty if it did not: then the fault is with the whole batch
     */
    static Optional<List<Result>> perUpdate(StatusRuntimeException failure, int updates) {
        com.google.rpc.Status status = StatusProto.fromThrowable(failure);
        if (status == null || status.getDetailsCount() != updates) {
            return Optional.empty();
        }
        List<Result> results = new ArrayList<>(updates);
        for (Any detail : status.getDetailsList()) {
            try {
                results.add(result(detail.unpack(P4RuntimeOuterClass.Error.class)));
            } catch (InvalidProtocolBufferException notAnError) {
                return Optional.empty();
            }
        }
        return Optional.of(results);
    }

    private static Result result(P4RuntimeOuterClass.Error error) {
        if (error.getCanonicalCode() == com.google.rpc.Code.OK_VALUE) {
            return Result.OK;
        }
        Status.Code code = Status.fromCodeValue(error.getCanonicalCode()).getCode();
        String reason = error.getMessage().isEmpty() ? "the node gives no reason (" + code + ")" : error.getMessage();
        return Result.failed(code(code), reason);
    }

    /** Canonical codes that rows never meet count as faults of the node. */
    static Code code(Status.Code code) {
        return switch (code) {
            case INVALID_ARGUMENT, OUT_OF_RANGE -> Code.INVALID_ARGUMENT;
            case NOT_FOUND -> Code.NOT_FOUND;
            case ALREADY_EXISTS -> Code.ALREADY_EXISTS;
            case PERMISSION_DENIED, UNAUTHENTICATED -> Code.PERMISSION_DENIED;
            case FAILED_PRECONDITION, ABORTED -> Code.FAILED_PRECONDITION;
            case RESOURCE_EXHAUSTED -> Code.RESOURCE_EXHAUSTED;
            case UNIMPLEMENTED -> Code.UNIMPLEMENTED;
            case UNAVAILABLE, DEADLINE_EXCEEDED, CANCELLED -> Code.UNAVAILABLE;
            case OK, UNKNOWN, INTERNAL, DATA_LOSS -> Code.INTERNAL;
        };
    }

    /**
     * For example {@code UNAVAILABLE: io exception: Connection refused: /127.0.0.1:50101}. The text of gRPC about its
     * own deadlines is left out; the time without an answer counts.
     */
    static String describe(Status status) {
        Matcher late = DEADLINE.matcher(Objects.toString(status.getDescription(), ""));
        if (status.getCode() == Status.Code.DEADLINE_EXCEEDED && late.find()) {
            return "no answer within " + Math.round(10 * Double.parseDouble(late.group(1))) / 10.0 + " s";
        }
        StringBuilder text = new StringBuilder(status.getCode().toString());
        if (status.getDescription() != null) {
            text.append(": ").append(status.getDescription());
        }
        for (Throwable cause = status.getCause(); cause != null; cause = cause.getCause()) {
            if (cause.getMessage() != null && text.indexOf(cause.getMessage()) < 0) {
                text.append(": ").append(cause.getMessage());
            }
        }
        return text.toString();
    }
}
