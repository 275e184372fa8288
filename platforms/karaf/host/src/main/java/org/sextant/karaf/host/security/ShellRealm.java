// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.host.security;

import java.nio.file.Path;
import java.util.Map;
import javax.security.auth.login.AppConfigurationEntry;
import javax.security.auth.login.AppConfigurationEntry.LoginModuleControlFlag;
import org.apache.karaf.jaas.boot.ProxyLoginModule;
import org.apache.karaf.jaas.config.JaasRealm;
import org.apache.karaf.jaas.modules.publickey.PublickeyLoginModule;
import org.osgi.framework.BundleContext;
import org.osgi.framework.FrameworkUtil;
import org.sextant.core.access.Attempts;
import org.sextant.core.access.FailedLogins;

/**
 * Authenticates users of the shell, in place of Karaf's own realm of this name: by passwords of our users, and Karaf's
 * public keys.
 */
public final class ShellRealm implements JaasRealm {
    private static final int ABOVE_KARAFS = 100;

    private final BundleContext context;
    private final KarafUsers users;
    private final Path keys;
    private final FailedLogins told;
    private final Attempts attempts = new Attempts(System::nanoTime);

    /** @param told the record of refused passwords */
    public ShellRealm(BundleContext context, KarafUsers users, Path keys, FailedLogins told) {
        this.told = told;
        this.context = context;
        this.users = users;
        this.keys = keys;
    }

    @Override
    public String getName() {
        return "karaf";
    }

    @Override
    public int getRank() {
        return ABOVE_KARAFS;
    }

    @Override
    public AppConfigurationEntry[] getEntries() {
        return new AppConfigurationEntry[] {
            entry(Map.of(
                    ProxyLoginModule.PROPERTY_MODULE,
                    PasswordLoginModule.class.getName(),
                    ProxyLoginModule.PROPERTY_BUNDLE,
                    Long.toString(context.getBundle().getBundleId()),
                    PasswordLoginModule.USERS,
                    users,
                    PasswordLoginModule.ATTEMPTS,
                    attempts,
                    PasswordLoginModule.FAILED,
                    told)),
            entry(Map.of(
                    ProxyLoginModule.PROPERTY_MODULE,
                    PublickeyLoginModule.class.getName(),
                    ProxyLoginModule.PROPERTY_BUNDLE,
                    Long.toString(
                            FrameworkUtil.getBundle(PublickeyLoginModule.class).getBundleId()),
                    BundleContext.class.getName(),
                    context,
                    "users",
                    keys.toString()))
        };
    }

    private static AppConfigurationEntry entry(Map<String, ?> options) {
        return new AppConfigurationEntry(ProxyLoginModule.class.getName(), LoginModuleControlFlag.SUFFICIENT, options);
    }
}
