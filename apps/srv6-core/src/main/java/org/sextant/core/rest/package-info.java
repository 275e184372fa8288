// SPDX-License-Identifier: Apache-2.0
/** How apps contribute to the one REST application. */
package org.sextant.core.rest;
