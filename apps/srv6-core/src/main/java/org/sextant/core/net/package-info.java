// SPDX-License-Identifier: Apache-2.0
/** The network as values: nodes, links, hosts, the description they are read from, and shortest paths. */
package org.sextant.core.net;
