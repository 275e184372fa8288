// SPDX-License-Identifier: Apache-2.0
/** The flows of a running controller: accepting, numbering, counting, watching. */
package org.sextant.livelive.service;
