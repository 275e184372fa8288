// SPDX-License-Identifier: Apache-2.0
/**
 * Backup paths around failures next to a node, ready before the failure (topology-independent loop-free alternates, RFC
 * 9855): computed, verified and reported.
 */
package org.sextant.core.protect;
