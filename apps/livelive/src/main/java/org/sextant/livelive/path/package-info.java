// SPDX-License-Identifier: Apache-2.0
/** Paths that have as little in common as possible: links, nodes, shared-risk link groups. Knows only the network. */
package org.sextant.livelive.path;
