// SPDX-License-Identifier: Apache-2.0
/**
 * Compiles a flow to entries: its ends, its paths and their numbers, a segment list per path, and the trace of every
 * copy. Pure.
 */
package org.sextant.livelive.plan;
