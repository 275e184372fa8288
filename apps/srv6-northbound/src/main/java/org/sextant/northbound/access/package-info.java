// SPDX-License-Identifier: Apache-2.0
/** Who asks, by REST or by the shell, and whether they may. */
package org.sextant.northbound.access;
