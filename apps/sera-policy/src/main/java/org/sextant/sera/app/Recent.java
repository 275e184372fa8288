// SPDX-License-Identifier: Apache-2.0
package org.sextant.sera.app;

import com.fasterxml.jackson.databind.node.ArrayNode;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.sextant.core.intent.IntentStatus;
import org.sextant.sera.Firewall;
import org.sextant.sera.Versioned;
import org.sextant.sera.plan.Explanation;

/** The findings of recently shown firewalls: their computation takes time, and the result depends on the rules only. */
final class Recent {
    private static final int KEPT = 64;

    private record Looked(Firewall firewall, ArrayNode findings) {}

    private final Map<String, Looked> last = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Looked> eldest) {
            return size() > KEPT;
        }
    };

    void look(IntentStatus<Versioned> status) {
        Firewall firewall = status.intent().intent().firewall();
        if (of(status).isEmpty() && status.problems().isEmpty()) {
            ArrayNode findings = Explanation.findings(firewall);
            synchronized (this) {
                last.put(status.id(), new Looked(firewall, findings));
            }
        }
    }

    /** Empty for rules that are not cached. */
    synchronized Optional<ArrayNode> of(IntentStatus<Versioned> status) {
        return Optional.ofNullable(last.get(status.id()))
                .filter(looked -> looked.firewall() == status.intent().intent().firewall())
                .map(Looked::findings);
    }
}
