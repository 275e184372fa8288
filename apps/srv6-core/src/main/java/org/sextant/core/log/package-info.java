// SPDX-License-Identifier: Apache-2.0
/** The engine's lines in the log of a host. */
package org.sextant.core.log;
