// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.southbound;

import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.util.concurrent.TimeUnit;
import p4.config.v1.P4InfoOuterClass.P4Info;
import p4.v1.P4RuntimeGrpc;
import p4.v1.P4RuntimeGrpc.P4RuntimeBlockingStub;
import p4.v1.P4RuntimeOuterClass.GetForwardingPipelineConfigRequest;
import p4.v1.P4RuntimeOuterClass.GetForwardingPipelineConfigRequest.ResponseType;
import p4.v1.P4RuntimeOuterClass.GetForwardingPipelineConfigResponse;
import p4.v1.P4RuntimeOuterClass.SetForwardingPipelineConfigRequest;
import p4.v1.P4RuntimeOuterClass.SetForwardingPipelineConfigRequest.Action;
import p4.v1.P4RuntimeOuterClass.Uint128;

/** Reconciles a node's pipeline, and reads the one that it then has. */
final class Pipeline {

    private Pipeline() {}

    /**
     * Sets the pipeline unless the node already reports its cookie: a controller that starts again disturbs nothing.
     *
     * @return the P4Info that the node says it runs
     * @throws StatusRuntimeException if the node refuses or does not answer
     */
    static P4Info ensure(
            ManagedChannel channel, long deviceId, Uint128 electionId, Pipeconf wanted, Deadlines deadlines) {
        P4RuntimeBlockingStub stub = P4RuntimeGrpc.newBlockingStub(channel);
        GetForwardingPipelineConfigResponse present = get(stub, deviceId, deadlines);
        if (present.getConfig().getCookie().getCookie() == wanted.cookie()
                && present.getConfig().hasP4Info()) {
            return present.getConfig().getP4Info();
        }
        stub.withDeadlineAfter(deadlines.configMillis(), TimeUnit.MILLISECONDS)
                .setForwardingPipelineConfig(SetForwardingPipelineConfigRequest.newBuilder()
                        .setDeviceId(deviceId)
                        .setElectionId(electionId)
                        .setAction(Action.VERIFY_AND_COMMIT)
                        .setConfig(wanted.message())
                        .build());
        return get(stub, deviceId, deadlines).getConfig().getP4Info();
    }

    private static GetForwardingPipelineConfigResponse get(
            P4RuntimeBlockingStub stub, long deviceId, Deadlines deadlines) {
        try {
            return stub.withDeadlineAfter(deadlines.configMillis(), TimeUnit.MILLISECONDS)
                    .getForwardingPipelineConfig(GetForwardingPipelineConfigRequest.newBuilder()
                            .setDeviceId(deviceId)
                            .setResponseType(ResponseType.P4INFO_AND_COOKIE)
                            .build());
        } catch (StatusRuntimeException e) {
            if (e.getStatus().getCode() == Status.Code.FAILED_PRECONDITION) {
                return GetForwardingPipelineConfigResponse.getDefaultInstance();
            }
            throw e;
        }
    }
}
