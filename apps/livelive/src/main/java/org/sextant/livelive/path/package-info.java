// SPDX-License-Identifier: Apache-2.0
/** Paths that share as little as possible: links, nodes, shared-risk link groups. Depends only on the network. */
package org.sextant.livelive.path;
