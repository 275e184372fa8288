// SPDX-License-Identifier: Apache-2.0
/** Slices as intents: how one compiles, and what is shown of it. */
package org.sextant.mobile.slice;
