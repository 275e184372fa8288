// SPDX-License-Identifier: Apache-2.0
/**
 * Compiles the hops that an operator writes into the {@link org.sextant.core.sid.Atom atoms} that are packed into
 * containers: each hop is resolved in the network and checked against the packet's node before it.
 */
package org.sextant.kit.path;
