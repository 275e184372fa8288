// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.host.security;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Map;
import java.util.TreeMap;

/** Steps over the files of the users, for the crash checker. */
public final class RecordedUsers {
    private static final String USERS = "etc/users.properties";
    private static final String CLEAR_TEXT = "etc/sextant/credentials";

    private RecordedUsers() {}

    /** Adds a user, changes the password of that user, removes that user; and so on. */
    public static void step(Path folder, int step) throws IOException {
        UsersFile file = new UsersFile(folder.resolve(USERS));
        int round = (step - 1) / 3;
        String name = "u" + round;
        switch ((step - 1) % 3) {
            case 0 -> file.put(name, "first" + round, ",viewer,ssh");
            case 1 -> file.rehash(name, "first" + round, "second" + round);
            default -> file.remove("u" + (round - 1));
        }
    }

    /** Adds a user. */
    public static void put(Path folder, String name) throws IOException {
        new UsersFile(folder.resolve(USERS)).put(name, "hash", ",viewer,ssh");
    }

    /** The users after so many steps, with their hashes. */
    public static Map<String, String> after(int steps) {
        Map<String, String> users = new TreeMap<>();
        for (int step = 1; step <= steps; step++) {
            int round = (step - 1) / 3;
            switch ((step - 1) % 3) {
                case 0 -> users.put("u" + round, "first" + round);
                case 1 -> users.put("u" + round, "second" + round);
                default -> users.remove("u" + (round - 1));
            }
        }
        return users;
    }

    public static Map<String, String> read(Path folder) {
        Map<String, String> users = new TreeMap<>();
        new UsersFile(folder.resolve(USERS)).accounts().forEach((name, account) -> users.put(name, account.hash()));
        return users;
    }

    /** An administrator forgets the password: the user is taken out, and the start makes another one. */
    public static void credentials(Path folder, int step) throws IOException {
        if (step > 1) {
            new UsersFile(folder.resolve(USERS)).remove(step % 2 == 0 ? "admin" : "viewer");
        }
        ensure(folder);
    }

    private static void ensure(Path folder) throws IOException {
        new Credentials(folder.resolve(USERS), folder.resolve(CLEAR_TEXT), new SecureRandom()).ensure();
    }

    /** Starts, and tries the passwords that the start leaves in the clear: "opens" or "does not open" by user. */
    public static Map<String, String> passwords(Path folder) throws IOException {
        ensure(folder);
        Map<String, String> found = new TreeMap<>();
        Map<String, Account> accounts = new UsersFile(folder.resolve(USERS)).accounts();
        for (String line : Files.readAllLines(folder.resolve(CLEAR_TEXT))) {
            String name = line.substring(0, line.indexOf('='));
            boolean opens = PasswordHash.matches(accounts.get(name).hash(), line.substring(line.indexOf('=') + 1));
            found.put(name, opens ? "opens" : "does not open");
        }
        return found;
    }
}
