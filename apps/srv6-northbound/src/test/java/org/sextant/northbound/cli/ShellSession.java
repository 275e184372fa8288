// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.cli;

import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import org.apache.karaf.shell.api.console.Session;

/** A shell session that has a console and nothing else. */
public final class ShellSession {
    private ShellSession() {}

    public static Session printingTo(OutputStream out) {
        PrintStream console = new PrintStream(out, true, StandardCharsets.UTF_8);
        return (Session) Proxy.newProxyInstance(
                Session.class.getClassLoader(), new Class<?>[] {Session.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("getConsole")) {
                        return console;
                    }
                    throw new UnsupportedOperationException(method.getName());
                });
    }
}
