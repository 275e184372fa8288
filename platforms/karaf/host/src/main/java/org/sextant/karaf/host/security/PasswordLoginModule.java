// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.host.security;

import java.io.IOException;
import java.security.Principal;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import javax.security.auth.Subject;
import javax.security.auth.callback.Callback;
import javax.security.auth.callback.CallbackHandler;
import javax.security.auth.callback.NameCallback;
import javax.security.auth.callback.PasswordCallback;
import javax.security.auth.callback.UnsupportedCallbackException;
import javax.security.auth.login.FailedLoginException;
import javax.security.auth.login.LoginException;
import javax.security.auth.spi.LoginModule;
import org.apache.karaf.jaas.boot.principal.ClientPrincipal;
import org.apache.karaf.jaas.boot.principal.RolePrincipal;
import org.apache.karaf.jaas.boot.principal.UserPrincipal;
import org.sextant.core.access.Attempts;
import org.sextant.core.access.FailedLogins;
import org.sextant.core.access.Passwords;

/** A password at the shell's door: of the same users, and as limited, as by REST. */
public final class PasswordLoginModule implements LoginModule {
    static final String USERS = "users";
    static final String ATTEMPTS = "attempts";
    static final String FAILED = "failed";

    /** The role that lets into the shell (sshRole in etc/org.apache.karaf.shell.cfg). */
    private static final String SHELL = "ssh";

    private static final int UNKNOWN = 401;
    private static final int FORBIDDEN = 403;
    private static final int TOO_MANY = 429;

    private Subject subject = new Subject();
    private CallbackHandler asked = callbacks -> {};
    private KarafUsers users;
    private Attempts attempts;
    private FailedLogins told;
    private final Set<Principal> found = new HashSet<>();

    @SuppressWarnings("NullAway.Init") // JAAS calls initialize before anything else
    public PasswordLoginModule() {}

    @Override
    public void initialize(Subject who, CallbackHandler handler, Map<String, ?> shared, Map<String, ?> options) {
        subject = who;
        asked = handler;
        users = (KarafUsers) Objects.requireNonNull(options.get(USERS));
        attempts = (Attempts) Objects.requireNonNull(options.get(ATTEMPTS));
        told = (FailedLogins) Objects.requireNonNull(options.get(FAILED));
    }

    @Override
    public boolean login() throws LoginException {
        NameCallback name = new NameCallback("User: ");
        PasswordCallback password = new PasswordCallback("Password: ", false);
        try {
            asked.handle(new Callback[] {name, password});
        } catch (IOException | UnsupportedCallbackException e) {
            throw new LoginException("no password was given"); // it is a key that is shown
        }
        if (name.getName() == null || password.getPassword() == null) {
            throw new LoginException("no password was given");
        }
        Account account = checked(name.getName(), new String(password.getPassword()));
        password.clearPassword();
        found.add(new UserPrincipal(name.getName()));
        account.principals().forEach(role -> found.add(new RolePrincipal(role)));
        return true;
    }

    private Account checked(String name, String password) throws LoginException {
        String address = address();
        long wait = attempts.wait(name, address);
        if (wait > 0) {
            told.failed(name, address, TOO_MANY);
            throw new FailedLoginException("too many logins failed; try again in " + wait + " s");
        }
        Optional<Account> account;
        try {
            account = users.account(name, password);
        } catch (Passwords.TooBusyException e) {
            throw new LoginException(e.getMessage());
        }
        if (account.isEmpty()) {
            attempts.failed(name, address);
            told.failed(name, address, UNKNOWN);
            throw new FailedLoginException("no user of this name has this password");
        }
        attempts.succeeded(name, address);
        if (!account.get().principals().contains(SHELL)) {
            told.failed(name, address, FORBIDDEN); // Karaf would refuse them as well, without a report
            throw new FailedLoginException("this user may not use the shell");
        }
        return account.get();
    }

    /** Karaf has it as /192.0.2.1:50222. */
    private String address() {
        return subject.getPrincipals(ClientPrincipal.class).stream()
                .findFirst()
                .map(client -> client.getAddress().replaceAll("^[^/]*/|:[0-9]+$|[\\[\\]]", ""))
                .orElse("");
    }

    @Override
    public boolean commit() {
        subject.getPrincipals().addAll(found);
        return !found.isEmpty();
    }

    @Override
    public boolean abort() {
        found.clear();
        return true;
    }

    @Override
    public boolean logout() {
        subject.getPrincipals().removeAll(found);
        found.clear();
        return true;
    }
}
