// SPDX-License-Identifier: Apache-2.0
package org.sextant.kit;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.sextant.core.sid.DoubleReallocation;
import org.sextant.core.sid.DoubleReallocation.Mode;
import org.sextant.core.sid.DoubleReallocation.Verdict;

/**
 * Whether the headend would move every packet twice in memory to push the header, on the machine of the paper on double
 * reallocation (x86, i40e) with a kernel older than 6.14.
 *
 * @param node the headend
 * @param avoidedBy what to change in the policy; "" unless twice
 */
public record Reallocation(String node, Verdict verdict, String avoidedBy) {

    public static Reallocation of(String headend, boolean reduced, int segments) {
        Mode mode = reduced ? Mode.RED : Mode.ENCAP;
        Mode other = reduced ? Mode.ENCAP : Mode.RED;
        Verdict verdict = DoubleReallocation.X86_I40E.verdict(mode, segments);
        boolean otherTwice =
                DoubleReallocation.X86_I40E.verdict(other, segments).twice();
        String remedy = otherTwice
                ? "a path of another length"
                : "\"encapsulation\": \"" + (reduced ? "full" : "reduced") + "\"";
        return new Reallocation(headend, verdict, verdict.twice() ? remedy : "");
    }

    public void warn(Findings findings) {
        if (verdict.twice()) {
            findings.warn("headend " + node + " would move every packet twice in memory to push "
                    + verdict.headerBytes()
                    + " bytes, if its kernel is older than 6.14 (reference: x86, i40e); avoided by " + avoidedBy);
        }
    }

    public ObjectNode json() {
        ObjectNode json = JsonNodeFactory.instance
                .objectNode()
                .put("node", node)
                .put("headerBytes", verdict.headerBytes())
                .put("twice", verdict.twice());
        return verdict.twice() ? json.put("avoidedBy", avoidedBy) : json;
    }
}
