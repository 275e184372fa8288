// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.net;

import java.time.Instant;

/**
 * A node without a session to its agent: it forwards by its present entries, and cannot be changed. New paths avoid it
 * as transit where they can, as a router with the overload bit (RFC 3787, 4).
 *
 * @param since when the session was lost
 * @param drained true if routes and installed paths avoid it, too, after a long absence of the session
 */
public record Overload(Instant since, boolean drained) {}
