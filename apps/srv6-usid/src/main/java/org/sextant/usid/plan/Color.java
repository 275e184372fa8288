// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid.plan;

import java.util.Optional;
import org.sextant.core.intent.AllocationRequest;
import org.sextant.core.intent.CompileContext;
import org.sextant.core.intent.IntentRef;
import org.sextant.core.intent.NumberedIntent;
import org.sextant.core.intent.Pool;
import org.sextant.core.net.Node;
import org.sextant.kit.Findings;
import org.sextant.kit.path.Resolver;
import org.sextant.kit.path.Waypoint;
import org.sextant.usid.Policy;
import org.sextant.usid.Policy.Candidates;
import org.sextant.usid.Terms;

/**
 * The color that identifies a policy beside its headend and its endpoint (RFC 9256, 2.1). No two policies have the same
 * three: a color is a number of the endpoint's pool, allocated at the headend. The policy holds it for its lifetime,
 * valid or not.
 */
final class Color {
    private Color() {}

    static AllocationRequest claim(Node headend, Node endpoint, long color) {
        Pool pool = new Pool("color to " + endpoint.name(), 1, Terms.MAX_COLOR);
        return new AllocationRequest(pool, 0).at(headend.name()).exactly(color);
    }

    /** Allocates the policy's color, if any; reports the policy that has it. Other checks report missing nodes. */
    static void take(NumberedIntent<Policy> policy, Candidates form, CompileContext context, Findings findings) {
        Optional<Node> headend = node(form.headend(), context);
        Optional<Node> endpoint = node(form.endpoint(), context);
        if (form.terms().color().isEmpty() || headend.isEmpty() || endpoint.isEmpty()) {
            return;
        }
        long color = form.terms().color().getAsLong();
        AllocationRequest claim = claim(headend.get(), endpoint.get(), color);
        if (context.claim(policy, claim).isEmpty()) {
            String owner = context.holder(claim).map(Color::called).orElse("another policy");
            findings.conflict(
                    "/color",
                    "color " + color + " from " + headend.get().name() + " to "
                            + endpoint.get().name() + " belongs to " + owner,
                    "give another color, or delete " + owner + " first");
        }
    }

    private static String called(IntentRef ref) {
        return ref.kind() + " \"" + ref.id() + "\"";
    }

    private static Optional<Node> node(Waypoint waypoint, CompileContext context) {
        return new Resolver(context.network(), new Findings()).node(waypoint, "");
    }
}
