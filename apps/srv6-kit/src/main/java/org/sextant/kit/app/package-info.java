// SPDX-License-Identifier: Apache-2.0
/**
 * What an app says of itself: {@link org.sextant.kit.app.SrApp}. REST, its OpenAPI and the commands of the shell are made of
 * it elsewhere; nothing here knows HTTP or a shell.
 */
package org.sextant.kit.app;
