// SPDX-License-Identifier: Apache-2.0
/** The four ports through which the core sees the world. Their implementations are the only effects. */
package org.sextant.core.port;
