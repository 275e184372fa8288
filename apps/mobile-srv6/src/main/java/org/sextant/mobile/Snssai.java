// SPDX-License-Identifier: Apache-2.0
package org.sextant.mobile;

import java.util.Optional;

/**
 * S-NSSAI (TS 23.003, 28.4.2).
 *
 * @param sst slice/service type, 8 bits
 * @param sd slice differentiator, 24 bits
 */
public record Snssai(int sst, Optional<Integer> sd) {
    public Snssai {
        if (sst < 0 || sst > 0xff) {
            throw new IllegalArgumentException("SST " + sst + " has more than 8 bits");
        }
        if (sd.filter(value -> value < 0 || value > 0xffffff).isPresent()) {
            throw new IllegalArgumentException("an SD has 24 bits");
        }
    }

    /** Six hexadecimal digits. */
    public Optional<String> sdText() {
        return sd.map(value -> String.format("%06x", value));
    }

    @Override
    public String toString() {
        return sst + sdText().map(text -> "-" + text).orElse("");
    }
}
