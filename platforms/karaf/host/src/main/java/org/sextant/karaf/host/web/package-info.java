// SPDX-License-Identifier: Apache-2.0
/**
 * Answers of the web container where no web application has one: the redirect to the map, and errors that programs can
 * read.
 */
package org.sextant.karaf.host.web;
