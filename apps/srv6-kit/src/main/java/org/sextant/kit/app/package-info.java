// SPDX-License-Identifier: Apache-2.0
/**
 * The interface between an app and the controller: {@link org.sextant.kit.app.SrApp}. Other modules derive REST, its
 * OpenAPI and the shell's commands from it; nothing here depends on HTTP or a shell.
 */
package org.sextant.kit.app;
