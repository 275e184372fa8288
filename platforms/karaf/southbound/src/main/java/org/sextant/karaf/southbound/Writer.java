// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.southbound;

import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.sextant.core.Reason;
import org.sextant.core.port.DataPlane.Code;
import org.sextant.core.port.DataPlane.Result;
import org.sextant.core.port.DataPlane.Update;
import org.sextant.core.table.MulticastGroup;
import p4.v1.P4RuntimeGrpc;
import p4.v1.P4RuntimeOuterClass;
import p4.v1.P4RuntimeOuterClass.Uint128;
import p4.v1.P4RuntimeOuterClass.WriteRequest;

/** Writes updates in order and gives each its own result. */
record Writer(ManagedChannel channel, long deviceId, Uint128 electionId, long deadlineMillis) {

    /** @throws StatusRuntimeException if it is unknown which updates took effect, or this controller may not write */
    List<Result> write(PipelineIndex pipeline, List<Update> updates) {
        List<Result> results = new ArrayList<>(updates.size());
        for (List<Update> batch : Batches.of(updates)) {
            results.addAll(writeBatch(pipeline, batch));
        }
        return results;
    }

    /** Updates that the node's P4Info does not have are answered here; the rest is sent. */
    private List<Result> writeBatch(PipelineIndex pipeline, List<Update> batch) {
        List<Result> results = new ArrayList<>(Collections.nCopies(batch.size(), Result.OK));
        List<Integer> sent = new ArrayList<>(batch.size());
        WriteRequest.Builder request =
                WriteRequest.newBuilder().setDeviceId(deviceId).setElectionId(electionId);
        for (int i = 0; i < batch.size(); i++) {
            try {
                request.addUpdates(message(pipeline, batch.get(i)));
                sent.add(i);
            } catch (UnsupportedEntryException e) {
                results.set(i, Result.failed(Code.UNIMPLEMENTED, Reason.of(e)));
            }
        }
        if (!sent.isEmpty()) {
            List<Result> answered = send(request.build(), sent.size());
            for (int i = 0; i < sent.size(); i++) {
                results.set(sent.get(i), answered.get(i));
            }
        }
        return results;
    }

    private List<Result> send(WriteRequest request, int updates) {
        try {
            P4RuntimeGrpc.newBlockingStub(channel)
                    .withDeadlineAfter(deadlineMillis, TimeUnit.MILLISECONDS)
                    .write(request);
            return Collections.nCopies(updates, Result.OK);
        } catch (StatusRuntimeException e) {
            return P4Errors.perUpdate(e, updates)
                    .or(() -> wholeBatch(e.getStatus(), updates))
                    .orElseThrow(() -> e);
        }
    }

    /** These codes without details refuse the request before its first update (P4Runtime 1.4, 12.3). */
    private static Optional<List<Result>> wholeBatch(Status status, int updates) {
        return switch (status.getCode()) {
            case INVALID_ARGUMENT, FAILED_PRECONDITION, UNIMPLEMENTED, NOT_FOUND ->
                Optional.of(Collections.nCopies(
                        updates, Result.failed(P4Errors.code(status.getCode()), P4Errors.describe(status))));
            default -> Optional.empty();
        };
    }

    private static P4RuntimeOuterClass.Update message(PipelineIndex pipeline, Update update)
            throws UnsupportedEntryException {
        if (update.entry() instanceof MulticastGroup group) {
            if (!pipeline.replicates()) {
                throw new UnsupportedEntryException("the node replicates no packets");
            }
            return GroupMessages.update(update.operation(), group);
        }
        return EntryMessages.update(update.operation(), EntryMessages.encode(pipeline, update.entry()));
    }
}
