// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.host.security;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.sextant.core.durable.DurableFile;

/**
 * The users of a fresh instance. The assembly ships none, so no user can log in before this ran: it makes a random
 * password for each missing user, writes its hash to Karaf's users.properties and the clear text to a file that only
 * its owner can read. A password that was changed since is left alone, and a user {@code karaf} with the password that
 * every Karaf once had is removed.
 */
public final class Credentials {
    /** The groups are defined in the users.properties of the assembly. */
    private static final Map<String, String> GROUP_OF_USER =
            new TreeMap<>(Map.of("admin", "admingroup", "viewer", "viewergroup"));

    /** 128 bits. */
    private static final int PASSWORD_BYTES = 16;

    private final Path users;
    private final Path clearText;
    private final SecureRandom random;

    /**
     * @param users Karaf's users.properties
     * @param clearText where the generated passwords go, one {@code user=password} per line
     */
    public Credentials(Path users, Path clearText, SecureRandom random) {
        this.users = users;
        this.clearText = clearText;
        this.random = random;
    }

    /** Returns the users that were given a password now. */
    public List<String> ensure() throws IOException {
        List<String> lines = new ArrayList<>(Files.exists(users) ? Files.readAllLines(users) : List.of());
        boolean changed = lines.removeIf(Credentials::isKarafDefault);
        List<String> generated = new ArrayList<>();
        StringBuilder secrets = new StringBuilder();
        for (Map.Entry<String, String> user : GROUP_OF_USER.entrySet()) {
            if (lines.stream().noneMatch(line -> defines(line, user.getKey()))) {
                String password = password();
                lines.add(user.getKey() + " = {CRYPT}" + PasswordHash.of(password, random) + "{CRYPT},_g_:"
                        + user.getValue());
                secrets.append(user.getKey()).append('=').append(password).append('\n');
                generated.add(user.getKey());
            }
        }
        if (!generated.isEmpty()) {
            // The clear text first: after a crash in between there is a password that does not work, not a lost one.
            DurableFile.replace(clearText, DurableFile.OWNER_ONLY, remembered(generated) + secrets);
        }
        if (changed || !generated.isEmpty()) {
            DurableFile.replace(users, DurableFile.OWNER_ONLY, String.join("\n", lines) + "\n");
        }
        return generated;
    }

    private static boolean defines(String line, String user) {
        return line.replaceAll("\\s", "").startsWith(user + "=");
    }

    private static boolean isKarafDefault(String line) {
        String text = line.replaceAll("\\s", "");
        return text.matches("karaf=(\\{CRYPT\\})?(karaf|" + PasswordHash.sha256("karaf") + ")(\\{CRYPT\\})?(,.*)?");
    }

    /** Lines of users that keep their password. */
    private String remembered(List<String> replaced) throws IOException {
        StringBuilder kept = new StringBuilder();
        if (Files.exists(clearText)) {
            for (String line : Files.readAllLines(clearText)) {
                if (replaced.stream().noneMatch(user -> defines(line, user))) {
                    kept.append(line).append('\n');
                }
            }
        }
        return kept.toString();
    }

    private String password() {
        byte[] bytes = new byte[PASSWORD_BYTES];
        random.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }
}
