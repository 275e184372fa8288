// SPDX-License-Identifier: Apache-2.0
package org.sextant.onos;

import java.io.IOException;
import java.security.Principal;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import javax.security.auth.Subject;
import javax.security.auth.callback.Callback;
import javax.security.auth.callback.CallbackHandler;
import javax.security.auth.callback.NameCallback;
import javax.security.auth.callback.PasswordCallback;
import javax.security.auth.callback.UnsupportedCallbackException;
import javax.security.auth.login.LoginContext;
import javax.security.auth.login.LoginException;
import org.osgi.service.component.annotations.Component;
import org.sextant.core.Problem;
import org.sextant.core.ProblemException;
import org.sextant.core.access.Passwords;
import org.sextant.core.access.Role;
import org.sextant.core.access.Users;

/**
 * The users of ONOS: those that its JAAS realm admits, with those of their roles that are ours (ONOS's own admin and
 * viewer are). ONOS keeps them; every request to list or to change them is refused with how that is done there.
 */
@Component(service = {Passwords.class, Users.class})
public final class OnosUsers implements Users {
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

    /** ONOS does not notify of changes of its users: a former answer counts for a minute at most. */
    @Override
    public long version() {
        return 0;
    }

    @Override
    public SortedMap<String, Set<Role>> all() {
        throw keptByOnos();
    }

    @Override
    public void add(String name, Role role, String password) {
        throw keptByOnos();
    }

    @Override
    public void change(String name, String password) {
        throw keptByOnos();
    }

    @Override
    public void remove(String name) {
        throw keptByOnos();
    }

    private static ProblemException keptByOnos() {
        return new ProblemException(
                new Problem(
                        Problem.Code.UNFEASIBLE,
                        "",
                        "ONOS keeps the users of this controller",
                        "use onos-user-password on its machine, or the commands jaas:realm-manage and jaas:user-add in its shell"));
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
