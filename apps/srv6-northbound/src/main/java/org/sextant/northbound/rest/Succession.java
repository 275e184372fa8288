// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.rest;

import java.io.IOException;
import javax.servlet.Servlet;
import javax.servlet.ServletException;
import javax.servlet.ServletRequest;
import javax.servlet.ServletResponse;

/**
 * Servlets that follow one another. A request stays with the one that it began with, and new ones go to the newest: so
 * no request waits for one that takes its time, and none runs into the change. A servlet that was followed is destroyed
 * when its last request has ended.
 */
final class Succession {
    private volatile Reign current;

    /** The servlet is initialized. */
    Succession(Servlet first) {
        current = new Reign(first);
    }

    /** From now on this servlet serves; it is initialized. */
    synchronized void follow(Servlet next) {
        Reign last = current;
        current = new Reign(next);
        last.end();
    }

    void service(ServletRequest request, ServletResponse response) throws ServletException, IOException {
        Reign reign = current;
        while (!reign.begin()) {
            reign = current;
        }
        try {
            reign.servlet.service(request, response);
        } finally {
            reign.leave();
        }
    }

    /** Destroys the current servlet when its last request has ended; there is to be none after this. */
    void end() {
        current.end();
    }

    private static final class Reign {
        private final Servlet servlet;
        private int requests;
        private boolean over;

        Reign(Servlet servlet) {
            this.servlet = servlet;
        }

        /** False if another servlet follows already. */
        synchronized boolean begin() {
            requests += over ? 0 : 1;
            return !over;
        }

        void leave() {
            boolean last;
            synchronized (this) {
                requests--;
                last = over && requests == 0;
            }
            if (last) {
                servlet.destroy();
            }
        }

        void end() {
            boolean idle;
            synchronized (this) {
                idle = !over && requests == 0;
                over = true;
            }
            if (idle) {
                servlet.destroy();
            }
        }
    }
}
