// SPDX-License-Identifier: Apache-2.0
/** The counters of slices and sessions at nodes, for the views of single intents. */
package org.sextant.mobile.meter;
