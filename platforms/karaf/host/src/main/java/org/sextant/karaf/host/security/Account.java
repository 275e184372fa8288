// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.host.security;

import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.sextant.core.access.Role;

/**
 * One user as users.properties has it.
 *
 * @param hash of the password
 * @param words roles as Karaf knows them, ours and others such as ssh, those of groups too
 */
record Account(String hash, Set<String> words) {
    Set<Role> roles() {
        return words.stream().flatMap(word -> Role.named(word).stream()).collect(Collectors.toUnmodifiableSet());
    }

    /** With the roles that ours cover, since Karaf knows no order among roles. */
    Set<String> principals() {
        Set<String> all = new TreeSet<>(words);
        roles().forEach(role -> role.covered().forEach(covered -> all.add(covered.word())));
        return all;
    }
}
