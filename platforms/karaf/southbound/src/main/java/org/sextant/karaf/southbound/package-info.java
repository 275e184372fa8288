// SPDX-License-Identifier: Apache-2.0
/**
 * The P4Runtime and gNMI client. {@link org.sextant.karaf.southbound.P4RuntimeDataPlane} is the way in; each node has a
 * session that keeps it connected, one connection at a time. No gRPC type leaves this package.
 */
package org.sextant.karaf.southbound;
