// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.access;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Optional;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.sextant.core.access.Role;
import org.sextant.core.access.Users;

/** The users, as REST and the shell change them; there where the controller keeps them itself. */
@Component(service = UserAccounts.class)
public class UserAccounts {
    /** 128 bits. */
    private static final int PASSWORD_BYTES = 16;

    @Reference
    protected Users users;

    @Reference
    protected Logins logins;

    private final SecureRandom random = new SecureRandom();

    public ArrayNode list() {
        ArrayNode list = JsonNodeFactory.instance.arrayNode();
        users.all().forEach((name, roles) -> {
            ArrayNode words = list.addObject().put("name", name).putArray("roles");
            new Caller(name, roles, Caller.How.PASSWORD, "")
                    .roles().stream().sorted().map(Role::word).forEach(words::add);
        });
        return list;
    }

    /** @param password empty: one is made, and is in the answer, which is the only place where it ever stands */
    public ObjectNode add(String name, Role role, Optional<String> password) {
        String used = password.orElseGet(this::made);
        if (!users.all().containsKey(name)) {
            // A crash in the middle of a removal leaves them, and one in the middle of this must not give them to the
            // new user.
            logins.tokens().revokeAll(name);
        }
        users.add(name, role, used);
        return answer(name, password, used).put("role", role.word());
    }

    /** As {@link #add}; the user's tokens stay. */
    public ObjectNode change(String name, Optional<String> password) {
        String used = password.orElseGet(this::made);
        users.change(name, used);
        return answer(name, password, used);
    }

    /** The user's tokens go, too. */
    public void remove(String name) {
        users.remove(name);
        logins.tokens().revokeAll(name);
    }

    private static ObjectNode answer(String name, Optional<String> given, String used) {
        ObjectNode answer = JsonNodeFactory.instance.objectNode().put("name", name);
        return given.isPresent() ? answer : answer.put("password", used);
    }

    private String made() {
        byte[] bytes = new byte[PASSWORD_BYTES];
        random.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }
}
