// SPDX-License-Identifier: Apache-2.0
/** The stand-alone controller: its parts, and the shells that start them in Karaf. */
package org.sextant.karaf.host;
