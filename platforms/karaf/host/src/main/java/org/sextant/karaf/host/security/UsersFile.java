// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.host.security;

import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.sextant.core.durable.DurableFile;

/**
 * Karaf's users.properties, {@code user = {CRYPT}hash{CRYPT},role,_g_:group}, read again whenever it was changed. Lines
 * that operators wrote beside the users stay as they are.
 */
final class UsersFile {
    private static final String GROUP = "_g_:";
    private static final String MARK = "{CRYPT}";

    private final Path file;
    private SortedMap<String, Account> accounts = new TreeMap<>();
    private String seen = "";
    private long version;

    UsersFile(Path file) {
        this.file = file;
    }

    /** All users by name, as of now. */
    synchronized SortedMap<String, Account> accounts() {
        look();
        return accounts;
    }

    /** Another number whenever the file was changed. */
    synchronized long version() {
        look();
        return version;
    }

    private void look() {
        try {
            String now = stamp();
            if (!now.equals(seen)) {
                accounts = read(now.isEmpty() ? "" : Files.readString(file));
                seen = now;
                version++;
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + file, e);
        }
    }

    private String stamp() throws IOException {
        try {
            BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
            return attributes.fileKey() + " " + attributes.lastModifiedTime() + " " + attributes.size();
        } catch (NoSuchFileException e) {
            return "";
        }
    }

    private static SortedMap<String, Account> read(String text) {
        Properties properties = properties(text);
        SortedMap<String, Account> read = new TreeMap<>();
        for (String name : properties.stringPropertyNames()) {
            if (!name.startsWith(GROUP)) {
                List<String> words = words(properties, name);
                if (!words.isEmpty()) {
                    read.put(name, account(properties, words));
                }
            }
        }
        return read;
    }

    private static Account account(Properties properties, List<String> words) {
        TreeSet<String> roles = new TreeSet<>();
        for (String word : words.subList(1, words.size())) {
            if (word.startsWith(GROUP)) {
                roles.addAll(words(properties, word)); // its first word, "group", is no role
            } else {
                roles.add(word);
            }
        }
        String password = words.get(0);
        return new Account(unmarked(password), roles);
    }

    /** Without the mark it is the password itself, which Karaf is about to replace; until then it opens nothing. */
    private static String unmarked(String password) {
        boolean marked = password.startsWith(MARK) && password.endsWith(MARK) && password.length() > 2 * MARK.length();
        return marked ? password.substring(MARK.length(), password.length() - MARK.length()) : "";
    }

    private static List<String> words(Properties properties, String name) {
        return List.of(properties.getProperty(name, "").split(",")).stream()
                .map(String::trim)
                .filter(word -> !word.isEmpty())
                .toList();
    }

    private static Properties properties(String text) {
        Properties properties = new Properties();
        try {
            properties.load(new StringReader(text));
        } catch (IOException | IllegalArgumentException e) {
            throw new IllegalStateException("users.properties is not a properties file: " + e.getMessage(), e);
        }
        return properties;
    }

    /** Writes a user, whether or not there is one of this name. */
    synchronized void put(String name, String hash, String rest) throws IOException {
        List<String> lines = without(name);
        lines.add(name + " = " + MARK + hash + MARK + rest);
        write(lines);
    }

    /** Writes another hash for an existing user, if it still has the one that was read. */
    synchronized void rehash(String name, String from, String to) throws IOException {
        List<String> lines = lines();
        lines.replaceAll(line -> defines(line, name) ? line.replace(MARK + from + MARK, MARK + to + MARK) : line);
        write(lines);
    }

    synchronized void remove(String name) throws IOException {
        write(without(name));
    }

    /** The text behind the password of a user, with the comma. */
    synchronized Optional<String> rest(String name) throws IOException {
        return lines().stream().filter(line -> defines(line, name)).findFirst().map(line -> {
            int comma = line.indexOf(',');
            return comma < 0 ? "" : line.substring(comma);
        });
    }

    private List<String> without(String name) throws IOException {
        List<String> lines = lines();
        lines.removeIf(line -> defines(line, name));
        return lines;
    }

    private List<String> lines() throws IOException {
        return new ArrayList<>(Files.exists(file) ? Files.readAllLines(file) : List.of());
    }

    private void write(List<String> lines) throws IOException {
        DurableFile.replace(file, DurableFile.OWNER_ONLY, String.join("\n", lines) + "\n");
    }

    static boolean defines(String line, String name) {
        return properties(line).containsKey(name);
    }
}
