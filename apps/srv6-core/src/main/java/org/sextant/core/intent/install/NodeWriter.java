// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent.install;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.sextant.core.port.DataPlane;
import org.sextant.core.port.DataPlane.Code;
import org.sextant.core.port.DataPlane.Operation;
import org.sextant.core.port.DataPlane.Result;
import org.sextant.core.port.DataPlane.Update;
import org.sextant.core.port.NodeUnavailableException;

/**
 * Writes one node in bounded batches. An insert of an existing entry is repeated as a modification and a modification
 * of an absent one as an insert, as the node may have changed since it was read; deleting an absent entry is success.
 */
final class NodeWriter {

    private NodeWriter() {}

    /**
     * @param answered is called after each batch
     * @throws NodeUnavailableException if it is unknown which updates took effect
     */
    static List<Result> write(
            DataPlane dataPlane, String node, List<Update> updates, int batchSize, Runnable answered) {
        List<Result> results = batches(dataPlane, node, updates, batchSize, answered);
        List<Integer> again = new ArrayList<>();
        List<Update> turned = new ArrayList<>();
        for (int i = 0; i < updates.size(); i++) {
            Operation turn = turned(updates.get(i).operation(), results.get(i));
            if (turn == Operation.DELETE) {
                results.set(i, Result.OK);
            } else if (turn != null) {
                again.add(i);
                turned.add(new Update(turn, updates.get(i).entry()));
            }
        }
        List<Result> second = batches(dataPlane, node, turned, batchSize, answered);
        for (int i = 0; i < again.size(); i++) {
            results.set(again.get(i), second.get(i));
        }
        return results;
    }

    /** The reason of a failed call to a node, in words. */
    static String reason(Throwable failure) {
        return failure.getMessage() == null ? failure.getClass().getSimpleName() : failure.getMessage();
    }

    /** The operation instead: null for none, DELETE for "it is deleted". */
    private static @Nullable Operation turned(Operation operation, Result result) {
        Code code = result.failure().map(DataPlane.Failure::code).orElse(null);
        return switch (operation) {
            case INSERT -> code == Code.ALREADY_EXISTS ? Operation.MODIFY : null;
            case MODIFY -> code == Code.NOT_FOUND ? Operation.INSERT : null;
            case DELETE -> code == Code.NOT_FOUND ? Operation.DELETE : null;
        };
    }

    private static List<Result> batches(
            DataPlane dataPlane, String node, List<Update> updates, int batchSize, Runnable answered) {
        List<Result> results = new ArrayList<>(updates.size());
        for (int from = 0; from < updates.size(); from += batchSize) {
            List<Update> batch = updates.subList(from, Math.min(from + batchSize, updates.size()));
            List<Result> answer = dataPlane.write(node, List.copyOf(batch));
            if (answer.size() != batch.size()) {
                throw new NodeUnavailableException(
                        node, "it answered " + batch.size() + " updates with " + answer.size() + " results");
            }
            results.addAll(answer);
            answered.run();
        }
        return results;
    }
}
