// SPDX-License-Identifier: Apache-2.0
/** The classes of the web bundle besides its files. */
package org.sextant.web;
