// SPDX-License-Identifier: Apache-2.0
package org.sextant.kit.app;

/** What can be done with the intents of every app. */
public enum Operation {
    ADD,
    LIST,
    GET,
    PLAN,
    REMOVE,
    REMOVE_SOME,
    /** Of those apps that have it ({@link SrApp#changes}). */
    CHANGE,
    /** Of those apps that have it ({@link SrApp#replaces}). */
    REPLACE
}
