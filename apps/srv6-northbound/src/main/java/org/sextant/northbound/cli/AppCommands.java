// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.cli;

import org.apache.karaf.shell.api.console.SessionFactory;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceReference;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.osgi.util.tracker.ServiceTracker;
import org.sextant.kit.app.SrApp;

/** The commands of every app that there is, in the host's shell. */
@Component(
        immediate = true,
        service = {})
public class AppCommands {
    @Reference
    protected SessionFactory host;

    private ServiceTracker<?, ?> apps;

    @Activate
    protected void activate(BundleContext context) {
        apps = new Apps(context, host);
        apps.open();
    }

    @Deactivate
    protected void deactivate() {
        apps.close();
    }

    @SuppressWarnings("rawtypes") // a class literal has no type arguments
    private static final class Apps extends ServiceTracker<SrApp, Shell> {
        private final SessionFactory host;

        Apps(BundleContext context, SessionFactory host) {
            super(context, SrApp.class, null);
            this.host = host;
        }

        @Override
        public Shell addingService(ServiceReference<SrApp> reference) {
            SrApp<?> app = context.getService(reference);
            return new Shell(host, AppCommand.all(app));
        }

        @Override
        public void removedService(ServiceReference<SrApp> reference, Shell shell) {
            shell.close();
            context.ungetService(reference);
        }
    }
}
