// SPDX-License-Identifier: Apache-2.0
/** What nodes counted of slices and sessions, for who looks at one of them. */
package org.sextant.mobile.meter;
