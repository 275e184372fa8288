// SPDX-License-Identifier: Apache-2.0
/** How things were in the last hour: values by the clock that never jumps, and changes of state, both within bounds. */
package org.sextant.core.history;
