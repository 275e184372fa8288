// SPDX-License-Identifier: Apache-2.0
/** The history of the last hour: values by a monotonic clock, and changes of state, both within bounds. */
package org.sextant.core.history;
