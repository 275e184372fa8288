// SPDX-License-Identifier: Apache-2.0
/**
 * Ways around what fails next to a node, ready before it does (topology-independent loop-free alternates, RFC 9855): computed,
 * proven and told.
 */
package org.sextant.core.protect;
