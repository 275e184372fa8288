// SPDX-License-Identifier: Apache-2.0
/** Threads for blocking calls. */
package org.sextant.core.calls;
