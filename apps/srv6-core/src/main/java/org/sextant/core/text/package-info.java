// SPDX-License-Identifier: Apache-2.0
/** How values look to people: tables, moments, problems. */
package org.sextant.core.text;
