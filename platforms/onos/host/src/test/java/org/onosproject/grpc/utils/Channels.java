// SPDX-License-Identifier: Apache-2.0
package org.onosproject.grpc.utils;

import java.net.URI;
import org.onosproject.net.DeviceId;

/** Makes ONOS's behaviours see that a device has a channel, as its handshaker does; the map is not theirs to show. */
public final class Channels {
    private Channels() {}

    public static void open(DeviceId device, String management) {
        AbstractGrpcHandlerBehaviour.CHANNEL_URIS.put(device, URI.create(management));
    }
}
