// SPDX-License-Identifier: Apache-2.0
/** Threads for calls that wait for somebody else. */
package org.sextant.core.calls;
