// SPDX-License-Identifier: Apache-2.0
package org.sextant.kit;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.sextant.core.net.Node;
import org.sextant.core.sid.DoubleReallocation;
import org.sextant.core.sid.DoubleReallocation.Mode;
import org.sextant.core.sid.DoubleReallocation.Verdict;

/**
 * The number of times that a headend's kernel reallocates the buffer of a packet to push the header. Computed for the
 * machine of the paper on double reallocation (x86, i40e) and a kernel without the paper's patch. It concerns the
 * kernel's lightweight tunnels only: VPP, bmv2 and gateways whose eBPF programs push the header never reallocate twice.
 *
 * @param node the headend
 * @param avoidedBy the change of the policy that avoids it; "" unless twice
 */
public record Reallocation(String node, Verdict verdict, String avoidedBy) {

    /** The verdict for a node that encapsulates by the kernel's seg6 tunnel if it is a Linux node. */
    public static Reallocation of(Node headend, boolean reduced, int segments) {
        Mode mode = reduced ? Mode.RED : Mode.ENCAP;
        Verdict verdict = DoubleReallocation.X86_I40E.verdict(mode, segments);
        if (!headend.isLinux() || !verdict.twice()) {
            return once(headend.name(), verdict.headerBytes());
        }
        Mode other = reduced ? Mode.ENCAP : Mode.RED;
        String remedy = DoubleReallocation.X86_I40E.verdict(other, segments).twice()
                ? "a path of another length"
                : "\"encapsulation\": \"" + (reduced ? "full" : "reduced") + "\"";
        return new Reallocation(headend.name(), verdict, remedy);
    }

    /** The verdict for a gateway whose eBPF program pushes {@code segments} reduced, without a lightweight tunnel. */
    public static Reallocation ofGateway(Node gateway, int segments) {
        return once(gateway.name(), DoubleReallocation.headerBytes(Mode.RED, segments));
    }

    private static Reallocation once(String node, int headerBytes) {
        return new Reallocation(node, new Verdict(headerBytes, false), "");
    }

    public void warn(Findings findings) {
        if (verdict.twice()) {
            findings.warn("headend " + node + " would move every packet twice in memory to push "
                    + verdict.headerBytes()
                    + " bytes, if its kernel is older than " + DoubleReallocation.FIXED_IN
                    + " (reference: x86, i40e); avoided by " + avoidedBy);
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
