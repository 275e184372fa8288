// SPDX-License-Identifier: Apache-2.0
/** The shell commands that belong to no app. */
package org.sextant.northbound.cli;
