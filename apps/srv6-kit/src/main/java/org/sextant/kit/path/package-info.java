// SPDX-License-Identifier: Apache-2.0
/**
 * From the hops that an operator writes to the {@link org.sextant.core.sid.Atom atoms} that are packed into containers:
 * what a hop names is found in the network, and each is held against where the packet is by then.
 */
package org.sextant.kit.path;
