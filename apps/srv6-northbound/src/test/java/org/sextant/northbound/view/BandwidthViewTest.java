// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.view;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.sextant.core.intent.IntentRef;
import org.sextant.core.intent.Reservation;
import org.sextant.core.intent.SetupHoldPriority;
import org.sextant.core.net.Network;
import org.sextant.core.net.NetworkFile;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class BandwidthViewTest {
    private static final Network NETWORK = NetworkFile.parse("""
            {"devices": {"device:a": {"basic": {"name": "a"}}, "device:b": {"basic": {"name": "b"}}},
             "links": {"device:a/1-device:b/1": {"srv6": {"capacityKbps": 1000}},
                       "device:a/2-device:b/2": {}}}""").orThrow();

    @Test
    void links_of_known_capacity_with_what_is_reserved_of_them() {
        List<Reservation> reservations = List.of(
                new Reservation("a/1-b/1", new IntentRef("policy", "gold"), new SetupHoldPriority(3, 2), 600),
                new Reservation("a/1-b/1", new IntentRef("policy", "silver"), new SetupHoldPriority(7, 7), 100));
        assertThat(BandwidthView.of(NETWORK, reservations))
                .hasToString(
                        "{\"links\":[{\"id\":\"a/1-b/1\",\"capacityKbps\":1000,\"reservedKbps\":700,\"reservations\":["
                                + "{\"kind\":\"policy\",\"id\":\"gold\",\"kbps\":600,\"setupPriority\":3,\"holdPriority\":2},"
                                + "{\"kind\":\"policy\",\"id\":\"silver\",\"kbps\":100,\"setupPriority\":7,\"holdPriority\":7}]},"
                                + "{\"id\":\"b/1-a/1\",\"capacityKbps\":1000,\"reservedKbps\":0,\"reservations\":[]}]}");
    }
}
