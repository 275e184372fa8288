// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.host.crash;

import java.io.FileInputStream;
import java.io.IOException;

/**
 * Orders to {@code src/test/c/fail_calls.c}, which is preloaded.
 *
 * @param call the first call that fails
 * @param error the errno
 * @param once if the calls behind it do not fail
 */
record DiskFault(int call, int error, boolean once) {
    static final int EIO = 5;
    static final int ENOSPC = 28;

    void begin() {
        opens("/sextant-fail/" + call + "/" + error + "/" + (once ? 1 : 0));
    }

    static void end() {
        opens("/sextant-fail/0/0/0");
    }

    /** If a call has failed. */
    static boolean isMade() {
        return opens("/sextant-fail/made");
    }

    private static boolean opens(String name) {
        try (FileInputStream in = new FileInputStream(name)) {
            return in.available() >= 0;
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    public String toString() {
        return (error == EIO ? "EIO" : "ENOSPC") + " at call " + call + (once ? "" : " and from then on");
    }
}
