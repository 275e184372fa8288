// SPDX-License-Identifier: Apache-2.0
/** The contributions of apps to the one REST application. */
package org.sextant.core.rest;
