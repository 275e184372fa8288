// SPDX-License-Identifier: Apache-2.0
/** Authentication and authorization of callers, by REST and by the shell. */
package org.sextant.northbound.access;
