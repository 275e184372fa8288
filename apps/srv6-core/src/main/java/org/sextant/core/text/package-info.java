// SPDX-License-Identifier: Apache-2.0
/** The text form of values for operators: tables, moments, problems. */
package org.sextant.core.text;
