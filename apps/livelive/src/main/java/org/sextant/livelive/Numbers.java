// SPDX-License-Identifier: Apache-2.0
package org.sextant.livelive;

/**
 * What the controller gave to one direction of a flow when it was accepted, and keeps with it.
 *
 * @param group 1 to 65535, of one direction in the whole network: its sequence numbers and copies
 * @param window 0 to 63, of one direction per egress: where the egress remembers its packets
 */
public record Numbers(int group, int window) {
    public static final int MAX_GROUP = 0xffff;
    public static final int WINDOWS = 64;

    public Numbers {
        if (group < 1 || group > MAX_GROUP || window < 0 || window >= WINDOWS) {
            throw new IllegalArgumentException("group " + group + " or window " + window + " is out of range");
        }
    }
}
