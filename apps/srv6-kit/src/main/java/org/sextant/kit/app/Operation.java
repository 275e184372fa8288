// SPDX-License-Identifier: Apache-2.0
package org.sextant.kit.app;

/** The operations on the intents of every app. */
public enum Operation {
    ADD,
    LIST,
    GET,
    PLAN,
    REMOVE,
    REMOVE_SOME,
    /** PATCH. */
    CHANGE,
    /** PUT. */
    REPLACE
}
