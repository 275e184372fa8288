// SPDX-License-Identifier: Apache-2.0
/** What the web bundle needs besides files. */
package org.sextant.web;
