// SPDX-License-Identifier: Apache-2.0
/** What the web container answers where no web application does: the way to the map, and errors that programs can read. */
package org.sextant.karaf.host.web;
