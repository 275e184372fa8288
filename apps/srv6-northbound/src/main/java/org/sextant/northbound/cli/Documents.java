// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.cli;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.sextant.core.Problem;
import org.sextant.core.ProblemException;

/** Documents that a command is given by {@code --file}. */
public final class Documents {
    private Documents() {}

    /**
     * Opens one.
     *
     * @param name a file on the controller's machine, - for the standard input
     * @throws ProblemException if there is no such file
     */
    public static InputStream open(String name, InputStream standardInput) throws IOException {
        if (name.equals("-")) {
            return standardInput;
        }
        Path path = Path.of(name);
        if (!Files.isRegularFile(path) || !Files.isReadable(path)) {
            throw new ProblemException(new Problem(
                    Problem.Code.UNKNOWN,
                    "",
                    "there is no file " + name + " that the controller can read",
                    "name one, or - for the standard input"));
        }
        return Files.newInputStream(path);
    }
}
