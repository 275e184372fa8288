// SPDX-License-Identifier: Apache-2.0
package org.sextant.onos;

import java.io.IOException;
import java.security.Principal;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import javax.security.auth.Subject;
import javax.security.auth.callback.Callback;
import javax.security.auth.callback.CallbackHandler;
import javax.security.auth.callback.NameCallback;
import javax.security.auth.callback.PasswordCallback;
import javax.security.auth.callback.UnsupportedCallbackException;
import javax.security.auth.login.LoginContext;
import javax.security.auth.login.LoginException;
import org.osgi.service.component.annotations.Component;
import org.sextant.core.access.Passwords;
import org.sextant.core.access.Role;

/** The users of ONOS: whom its JAAS realm lets in, with those of their roles that are ours (ONOS's own admin and viewer are). */
@Component(service = Passwords.class)
public final class OnosPasswords implements Passwords {
    private static final String REALM = "karaf";

    @Override
    public Optional<Set<Role>> check(String name, String password) {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        // JAAS looks for Karaf's login module by this loader, and the system's has it.
        thread.setContextClassLoader(ClassLoader.getSystemClassLoader());
        try {
            Subject subject = new Subject();
            new LoginContext(REALM, subject, answering(name, password)).login();
            return Optional.of(roles(subject));
        } catch (LoginException e) {
            return Optional.empty();
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    /** ONOS does not tell when its users change: what was right counts for a minute at most. */
    @Override
    public long version() {
        return 0;
    }

    private static CallbackHandler answering(String name, String password) {
        return callbacks -> {
            for (Callback callback : callbacks) {
                answer(callback, name, password);
            }
        };
    }

    private static void answer(Callback callback, String name, String password)
            throws IOException, UnsupportedCallbackException {
        if (callback instanceof NameCallback asked) {
            asked.setName(name);
        } else if (callback instanceof PasswordCallback asked) {
            asked.setPassword(password.toCharArray());
        } else {
            throw new UnsupportedCallbackException(callback);
        }
    }

    private static Set<Role> roles(Subject subject) {
        Set<Role> roles = EnumSet.noneOf(Role.class);
        for (Principal principal : subject.getPrincipals()) {
            if (principal.getClass().getSimpleName().equals("RolePrincipal")) {
                Role.named(principal.getName().toLowerCase(Locale.ROOT)).ifPresent(roles::add);
            }
        }
        return roles;
    }
}
