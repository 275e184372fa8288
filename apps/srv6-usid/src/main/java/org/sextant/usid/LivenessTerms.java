// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;
import org.sextant.core.json.Fields;

/**
 * The liveness detection of a policy's candidate paths (RFC 9256, 9.3): the headend sends probes along each of them and
 * back, and switches to the next one by itself while they are lost.
 *
 * @param intervalMillis between two probes, 1 to 60,000
 * @param multiplier the number of consecutive lost probes that bring a path down, 2 to 255: a path in order may lose a
 *     single one
 * @param holdDownMillis the time without loss before the path is used again, 0 to 3,600,000
 */
public record LivenessTerms(int intervalMillis, int multiplier, int holdDownMillis) {
    private static final int MAX_INTERVAL = 60_000;
    private static final int MIN_MULTIPLIER = 2;
    private static final int MAX_MULTIPLIER = 255;
    private static final int MAX_HOLD_DOWN = 3_600_000;
    private static final String FIELD = "liveness";

    /**
     * Down after 0.9 s, the default of many implementations of BFD (RFC 5880): some 7 kbit/s for a link of a path.
     * Operators can choose a tenth or a thirtieth of the interval, at ten or thirty times the load.
     */
    public static final LivenessTerms DEFAULT = new LivenessTerms(300, 3, 1000);

    public LivenessTerms {
        if (intervalMillis < 1
                || intervalMillis > MAX_INTERVAL
                || multiplier < MIN_MULTIPLIER
                || multiplier > MAX_MULTIPLIER
                || holdDownMillis < 0
                || holdDownMillis > MAX_HOLD_DOWN) {
            throw new IllegalArgumentException(
                    "probes every " + intervalMillis + " ms, " + multiplier + " times, " + holdDownMillis + " ms");
        }
    }

    /** Empty if the policy has no liveness detection. */
    static Optional<LivenessTerms> decode(Fields policy) {
        return policy.node(FIELD).map(node -> {
            Fields fields = new Fields(node, policy.pointer(FIELD), policy.problems());
            LivenessTerms terms = new LivenessTerms(
                    (int) fields.integer("intervalMillis", 1, MAX_INTERVAL, DEFAULT.intervalMillis),
                    (int) fields.integer("multiplier", MIN_MULTIPLIER, MAX_MULTIPLIER, DEFAULT.multiplier),
                    (int) fields.integer("holdDownMillis", 0, MAX_HOLD_DOWN, DEFAULT.holdDownMillis));
            fields.finish();
            return terms;
        });
    }

    /** Rejects liveness detection in forms of a policy without candidate paths. */
    static void refuse(Fields policy) {
        if (policy.has(FIELD)) {
            policy.invalid(
                    policy.pointer(FIELD),
                    "only candidate paths are watched: another path has nothing that could be used in its place",
                    "write headend, endpoint and candidatePaths; one each way where both are to be watched");
        }
    }

    void encode(ObjectNode policy) {
        policy.putObject(FIELD)
                .put("intervalMillis", intervalMillis)
                .put("multiplier", multiplier)
                .put("holdDownMillis", holdDownMillis);
    }
}
