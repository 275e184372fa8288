// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.rest;

import java.util.Set;
import java.util.function.Supplier;
import javax.ws.rs.ForbiddenException;
import javax.ws.rs.ServiceUnavailableException;
import org.sextant.core.access.Role;
import org.sextant.northbound.access.Permissions;
import org.sextant.northbound.access.RoleCheck;
import org.sextant.northbound.apply.DocumentKind;
import org.sextant.northbound.apply.DocumentList;

/** The limits of a list of documents: the roles of its caller, and the apps of a controller that is starting. */
record ApplyGate(Permissions permissions, Set<Role> roles, Supplier<Set<String>> announced)
        implements DocumentList.Gate {
    private static final long RETRY_SECONDS = 1;

    @Override
    public void permit(int index, DocumentKind<?> kind) {
        Role needed = permissions.changing(kind.address());
        if (!needed.coveredBy(roles)) {
            throw new ForbiddenException("document /" + index + ": kind " + kind.word() + " needs the role "
                    + needed.word() + "; " + RoleCheck.has(roles));
        }
    }

    @Override
    public void expect(String kind) {
        if (announced.get().contains(kind)) {
            throw new ServiceUnavailableException("the app of kind " + kind + " is not there yet", RETRY_SECONDS);
        }
    }
}
