// SPDX-License-Identifier: Apache-2.0
package org.sextant.kit.app;

/**
 * The words of an app's documents in a list of several kinds: {@code {"kind": "policy", "name": "gold", "spec": {…}}}.
 *
 * @param kind the value of {@code kind}, for example {@code edge-peer}
 * @param nameField the field of the intent's own JSON that has the document's name
 */
public record DocumentWords(String kind, String nameField) {}
