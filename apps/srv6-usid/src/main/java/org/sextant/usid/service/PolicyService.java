// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid.service;

import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceRegistration;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.sextant.core.intent.Intents;
import org.sextant.core.port.Subscription;
import org.sextant.usid.plan.PolicyCompiler;
import org.sextant.usid.plan.PolicyKind;

/** Makes policies known to the engine, and {@link Policies} to REST and shell. */
@Component(
        immediate = true,
        service = {})
public class PolicyService {
    @Reference
    protected Intents intents;

    private Subscription kind;
    private ServiceRegistration<Policies> service;

    @Activate
    protected void activate(BundleContext context) {
        PolicyKind policies = new PolicyKind(new PolicyCompiler());
        kind = intents.register(policies);
        service = context.registerService(Policies.class, new Policies(intents, policies), null);
    }

    @Deactivate
    protected void deactivate() {
        service.unregister();
        kind.close();
    }
}
