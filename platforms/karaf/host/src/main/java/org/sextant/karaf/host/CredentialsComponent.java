// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.host;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Hashtable;
import java.util.List;
import org.apache.karaf.jaas.config.JaasRealm;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceReference;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.sextant.core.access.FailedLogins;
import org.sextant.core.access.Passwords;
import org.sextant.core.access.Users;
import org.sextant.karaf.host.security.Credentials;
import org.sextant.karaf.host.security.KarafUsers;
import org.sextant.karaf.host.security.ShellRealm;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes the first passwords before any login, then publishes the users. */
@Component(
        immediate = true,
        service = {})
public final class CredentialsComponent {
    private static final Logger LOG = LoggerFactory.getLogger(CredentialsComponent.class);

    @Activate
    void activate(BundleContext context) throws IOException {
        Path etc = Path.of(context.getProperty("karaf.etc"));
        Path clearText = etc.resolve("sextant").resolve("credentials");
        List<String> made = new Credentials(etc.resolve("users.properties"), clearText, new SecureRandom()).ensure();
        if (!made.isEmpty()) {
            LOG.info("users={} passwords=generated file={}", made, clearText);
            announce(System.out, clearText);
        }
        Path keys = etc.resolve("keys.properties");
        KarafUsers users = new KarafUsers(etc.resolve("users.properties"), keys, new SecureRandom());
        context.registerService(
                new String[] {Users.class.getName(), Passwords.class.getName()}, users, new Hashtable<>());
        FailedLogins told = (user, address, status) -> tell(context, user, address, status);
        context.registerService(JaasRealm.class, new ShellRealm(context, users, keys, told), new Hashtable<>());
    }

    /** The keeper of the audit trail, which may be there later than the shell. */
    private static void tell(BundleContext context, String user, String address, int status) {
        ServiceReference<FailedLogins> reference = context.getServiceReference(FailedLogins.class);
        FailedLogins told = reference == null ? null : context.getService(reference);
        if (told == null) {
            LOG.warn("shell login failed user={} address={}: there is no audit trail yet", user, address);
            return;
        }
        try {
            told.failed(user, address, status);
        } finally {
            context.ungetService(reference);
        }
    }

    private static void announce(PrintStream console, Path clearText) {
        console.println("The passwords of admin and viewer are in " + clearText + ", readable by its owner only.");
        console.flush();
    }
}
