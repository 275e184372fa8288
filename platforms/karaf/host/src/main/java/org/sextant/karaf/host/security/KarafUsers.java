// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.host.security;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.sextant.core.Problem;
import org.sextant.core.Problem.Code;
import org.sextant.core.ProblemException;
import org.sextant.core.access.Role;
import org.sextant.core.access.Users;
import org.sextant.core.durable.DurableFile;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The users of the stand-alone host: those of Karaf's users.properties, by REST and in the shell alike. */
public final class KarafUsers implements Users {
    private static final Logger LOG = LoggerFactory.getLogger(KarafUsers.class);
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");
    private static final int SHORTEST = 12;
    private static final int LONGEST = 256;

    /** Each password that is checked takes 19 MiB meanwhile. */
    private static final int AT_ONCE = 3;

    private static final int PATIENCE_SECONDS = 5;

    private final UsersFile file;
    private final Path keys;
    private final SecureRandom random;
    private final Semaphore room = new Semaphore(AT_ONCE);
    private final String nobodys;

    /**
     * @param users Karaf's users.properties
     * @param keys Karaf's keys.properties, with public keys for SSH
     */
    public KarafUsers(Path users, Path keys, SecureRandom random) {
        this.file = new UsersFile(users);
        this.keys = keys;
        this.random = random;
        this.nobodys = PasswordHash.of("", random);
    }

    @Override
    public Optional<Set<Role>> check(String name, String password) {
        return account(name, password).map(Account::roles);
    }

    /** The user with this password, in the form for the shell. */
    Optional<Account> account(String name, String password) {
        if (password.length() > LONGEST) {
            return Optional.empty();
        }
        Optional<Account> account = Optional.ofNullable(file.accounts().get(name));
        String hash = account.map(Account::hash).orElse(nobodys);
        if (!inTurn(() -> PasswordHash.matches(hash, password)) || account.isEmpty()) {
            return Optional.empty();
        }
        if (PasswordHash.isOld(hash)) {
            renew(name, hash, password);
        }
        return account;
    }

    private <T> T inTurn(Supplier<T> work) {
        boolean entered = false;
        try {
            entered = room.tryAcquire(PATIENCE_SECONDS, TimeUnit.SECONDS);
            if (!entered) {
                throw new TooBusyException();
            }
            return work.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new TooBusyException();
        } finally {
            if (entered) {
                room.release();
            }
        }
    }

    /** Now that the password is known it can be kept better; a login does not fail because that fails. */
    private void renew(String name, String old, String password) {
        try {
            String hash = inTurn(() -> PasswordHash.of(password, random));
            file.rehash(name, old, hash);
            LOG.info("user={} password=kept as Argon2id from now on", name);
        } catch (IOException | RuntimeException e) {
            LOG.warn("user={} password is still kept as SHA-256: {}", name, e.toString());
        }
    }

    @Override
    public long version() {
        return file.version();
    }

    @Override
    public SortedMap<String, Set<Role>> all() {
        SortedMap<String, Set<Role>> all = new TreeMap<>();
        file.accounts().forEach((name, account) -> all.put(name, account.roles()));
        return all;
    }

    @Override
    public synchronized void add(String name, Role role, String password) {
        if (!NAME.matcher(name).matches()) {
            throw problem(
                    Code.INVALID,
                    "/name",
                    "\"" + name + "\" is no name of a user",
                    "write 1 to 64 letters, digits, dots, dashes or underscores");
        }
        valid(password);
        if (file.accounts().containsKey(name)) {
            throw problem(Code.CONFLICT, "/name", "there is a user \"" + name + "\" already", "remove that one first");
        }
        String words = role.covered().stream().map(Role::word).collect(Collectors.joining(","));
        // The shell admits users with ssh, and administrators to all of Karaf.
        String rest = "," + words + (role == Role.ADMIN ? ",manager,systembundles" : "") + ",ssh";
        String hash = inTurn(() -> PasswordHash.of(password, random));
        written(() -> file.put(name, hash, rest));
        LOG.info("user={} added role={}", name, role.word());
    }

    @Override
    public synchronized void change(String name, String password) {
        known(name);
        valid(password);
        String hash = inTurn(() -> PasswordHash.of(password, random));
        written(() -> file.put(name, hash, file.rest(name).orElse("")));
        LOG.info("user={} password=changed", name);
    }

    @Override
    public synchronized void remove(String name) {
        known(name);
        boolean othersMayAll = file.accounts().entrySet().stream()
                .anyMatch(user ->
                        !user.getKey().equals(name) && user.getValue().roles().contains(Role.ADMIN));
        if (!othersMayAll) {
            throw problem(
                    Code.CONFLICT, "/name", "\"" + name + "\" is the last administrator", "add another one first");
        }
        written(() -> {
            removeKeys(name);
            file.remove(name);
        });
        LOG.info("user={} removed", name);
    }

    private void removeKeys(String name) throws IOException {
        if (Files.exists(keys)) {
            List<String> lines = Files.readAllLines(keys);
            List<String> left = lines.stream()
                    .filter(line -> !UsersFile.defines(line, name))
                    .toList();
            if (left.size() < lines.size()) {
                DurableFile.replace(keys, DurableFile.OWNER_ONLY, String.join("\n", left) + "\n");
            }
        }
    }

    private void known(String name) {
        if (!file.accounts().containsKey(name)) {
            throw problem(Code.UNKNOWN, "", "there is no user \"" + name + "\"", "list the users");
        }
    }

    private static void valid(String password) {
        if (password.length() < SHORTEST
                || password.length() > LONGEST
                || password.chars().anyMatch(Character::isISOControl)) {
            throw problem(
                    Code.INVALID,
                    "/password",
                    "this is no password that can be kept",
                    "write " + SHORTEST + " to " + LONGEST + " printable characters, or leave it out to have one made");
        }
    }

    private static ProblemException problem(Code code, String field, String message, String remedy) {
        return new ProblemException(new Problem(code, field, message, remedy));
    }

    private static void written(Change change) {
        try {
            change.make();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write the users", e);
        }
    }

    /** Something that is written. */
    private interface Change {
        void make() throws IOException;
    }
}
