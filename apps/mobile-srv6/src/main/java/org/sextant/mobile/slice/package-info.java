// SPDX-License-Identifier: Apache-2.0
/** Slices as intents: their compilation and their views. */
package org.sextant.mobile.slice;
