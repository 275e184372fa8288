// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.cli;

import java.util.Collection;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.felix.service.command.CommandSession;
import org.apache.felix.service.command.CommandSessionListener;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.sextant.northbound.access.Caller;
import org.sextant.northbound.audit.AuditLog;
import org.sextant.northbound.audit.AuditRecord;
import org.sextant.northbound.audit.Outcome;

/**
 * Has commands recorded that the shell's access list refuses: those never run, so that {@link AuditedCommand} does not see
 * them. The shell answers a user without the permission for a command as if the command were unknown; its list of
 * commands distinguishes the two.
 */
@Component(service = CommandSessionListener.class)
public class RefusedCommands implements CommandSessionListener {
    private static final int FORBIDDEN = 403;
    private static final String WORD = "[A-Za-z0-9_-]{1,64}";
    private static final Pattern NAMED =
            Pattern.compile("(?:Command not found: +)?(" + WORD + "):(" + WORD + ")(?:\\s.*)?", Pattern.DOTALL);

    /** Karaf's own script at the beginning of every session begins with it; by itself it changes nothing. */
    private static final String OF_EVERY_SESSION = "shell:if";

    /** The variable of a session that lists every command as {@code scope:name} in lower case, also those that its user may not use (Felix Gogo). */
    private static final String COMMANDS = ".commands";

    @Reference
    protected AuditLog trail;

    @Override
    public void beforeExecute(CommandSession session, CharSequence command) {
        // The permission is not known yet.
    }

    @Override
    public void afterExecute(CommandSession session, CharSequence command, Object result) {
        // It ran.
    }

    @Override
    public void afterExecute(CommandSession session, CharSequence command, Exception failure) {
        refused(command, failure).filter(name -> exists(session, name)).ifPresent(name -> {
            AuditRecord deed = AuditRecord.change(Caller.ofShell(session.get("USER")), "shell", name, name);
            trail.end(deed, Outcome.DENIED, FORBIDDEN);
        });
    }

    private static boolean exists(CommandSession session, String name) {
        return !(session.get(COMMANDS) instanceof Collection<?> commands)
                || commands.contains(name.toLowerCase(Locale.ROOT));
    }

    /** The command that was refused, without arguments, which may be anything; empty if something else went wrong. */
    static Optional<String> refused(CharSequence line, Exception failure) {
        String said = "" + failure.getMessage();
        // By name: the class is the shell's own business.
        boolean hidden = failure.getClass().getSimpleName().equals("CommandNotFoundException");
        boolean denied = failure instanceof SecurityException && said.equals("Insufficient credentials.");
        Matcher matcher = NAMED.matcher(hidden ? said : line.toString().strip());
        return (hidden || denied) && matcher.matches()
                ? Optional.of(matcher.group(1) + ":" + matcher.group(2)).filter(name -> !name.equals(OF_EVERY_SESSION))
                : Optional.empty();
    }
}
