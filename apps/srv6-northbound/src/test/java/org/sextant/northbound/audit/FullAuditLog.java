// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.audit;

import java.nio.file.Path;
import java.time.Clock;
import java.util.Optional;
import java.util.Set;
import org.sextant.core.access.Role;
import org.sextant.northbound.access.Caller;

/** A process that may not write large files makes changes until it is refused, and says how many there were. */
final class FullAuditLog {
    private FullAuditLog() {}

    /** @param args the folder */
    public static void main(String[] args) {
        Path folder = Path.of(args[0]);
        AuditLogSettings settings = new AuditLogSettings(
                folder.resolve("audit"), folder.resolve("etc/audit.key"), 1 << 20, 4, Optional.empty());
        int done = 0;
        try (AuditLog trail = new AuditLog(settings, Clock.systemUTC(), line -> {})) {
            while (true) {
                AuditRecord deed = AuditRecord.change(
                        new Caller("admin", Set.of(Role.ADMIN), Caller.How.PASSWORD, ""), "rest", "POST", "policies");
                trail.begin(deed);
                trail.end(deed, Outcome.DONE, 201);
                done++;
            }
        } catch (AuditLogUnavailableException refused) {
            System.out.println(refused.getMessage());
        }
        System.out.println(done);
    }
}
