// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.cli;

import java.io.InputStream;
import java.io.PrintStream;

/** Where a command reads and writes: results go out, what is wrong goes to errors. */
public record Console(InputStream in, PrintStream out, PrintStream err) {}
