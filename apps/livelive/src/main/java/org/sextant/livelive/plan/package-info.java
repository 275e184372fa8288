// SPDX-License-Identifier: Apache-2.0
/**
 * How a flow becomes entries: its ends, its paths and their numbers, a segment list per path, and the walk of every
 * copy. Pure.
 */
package org.sextant.livelive.plan;
