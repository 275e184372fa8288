// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.host.discovery;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;
import org.sextant.core.ip.MacAddress;
import org.sextant.core.net.Link;

/**
 * The LLDP frame that one port sends so that the port at the other end can be known (IEEE 802.1AB, 8 and 9).
 *
 * <pre>
 *   01:80:c2:00:00:0e | source MAC | 88cc
 *   chassis id (1), locally assigned: the node's name
 *   port id    (2), locally assigned: the port's number
 *   TTL        (3)
 *   organisation (127), OUI 0a-53-58, subtype 1: round (8 bytes), code (16 bytes)
 *   end        (0)
 * </pre>
 *
 * <p>The code is an HMAC-SHA-256 over name, port and round under a key that only this controller has: a host cannot make
 * up links, and a frame of an old round proves nothing.
 *
 * @param round the discovery round it was sent in
 */
record LldpFrame(Link.End sender, long round) {
    static final int ETHER_TYPE = 0x88cc;
    private static final long NEAREST_BRIDGE = 0x0180_c200_000eL;
    private static final int LOCALLY_ASSIGNED = 7;
    private static final int CHASSIS_ID = 1;
    private static final int PORT_ID = 2;
    private static final int TTL = 3;
    private static final int ORGANISATION = 127;
    private static final byte[] OUI_AND_SUBTYPE = {0x0a, 0x53, 0x58, 1};
    private static final int HEADER_BYTES = 14;
    private static final int CODE_BYTES = 16;
    private static final int MIN_FRAME_BYTES = 60;
    private static final int MAX_FRAME_BYTES = 1514;

    byte[] encode(MacAddress source, int ttlSeconds, byte[] key) {
        ByteBuffer frame = ByteBuffer.allocate(MAX_FRAME_BYTES);
        mac(frame, NEAREST_BRIDGE);
        mac(frame, source.value());
        frame.putShort((short) ETHER_TYPE);
        tlv(frame, CHASSIS_ID, id(sender.node()));
        tlv(frame, PORT_ID, id(Integer.toString(sender.port())));
        tlv(frame, TTL, ByteBuffer.allocate(2).putShort((short) ttlSeconds).array());
        tlv(
                frame,
                ORGANISATION,
                ByteBuffer.allocate(OUI_AND_SUBTYPE.length + Long.BYTES + CODE_BYTES)
                        .put(OUI_AND_SUBTYPE)
                        .putLong(round)
                        .put(code(key))
                        .array());
        tlv(frame, 0, new byte[0]);
        return Arrays.copyOf(frame.array(), Math.max(frame.position(), MIN_FRAME_BYTES));
    }

    /** The content of a frame, and the code that is to prove it. */
    private record Claim(LldpFrame frame, byte[] code) {}

    /** Empty for anything but a frame that was made with this key. */
    static Optional<LldpFrame> decode(byte[] frame, byte[] key) {
        return read(frame)
                .filter(claim ->
                        MessageDigest.isEqual(claim.code(), claim.frame().code(key)))
                .map(Claim::frame);
    }

    /** True if it looks like a frame of a controller of this kind, with whatever key. */
    static boolean claims(byte[] frame) {
        return read(frame).isPresent();
    }

    private static Optional<Claim> read(byte[] frame) {
        if (frame.length < HEADER_BYTES || (ByteBuffer.wrap(frame).getShort(HEADER_BYTES - 2) & 0xffff) != ETHER_TYPE) {
            return Optional.empty();
        }
        String node = null;
        String port = null;
        ByteBuffer proof = null;
        ByteBuffer rest = ByteBuffer.wrap(frame, HEADER_BYTES, frame.length - HEADER_BYTES)
                .slice();
        while (rest.remaining() >= 2) {
            int header = rest.getShort() & 0xffff;
            int type = header >>> 9;
            int length = header & 0x1ff;
            if (type == 0 || length > rest.remaining()) {
                break;
            }
            byte[] value = new byte[length];
            rest.get(value);
            switch (type) {
                case CHASSIS_ID -> node = text(value);
                case PORT_ID -> port = text(value);
                case ORGANISATION ->
                    proof = isOurs(value)
                            ? ByteBuffer.wrap(value, OUI_AND_SUBTYPE.length, Long.BYTES + CODE_BYTES)
                            : proof;
                default -> {
                    // TTL and the optional TLVs of others say nothing about the link.
                }
            }
        }
        return proof == null || node == null || port == null || !port.matches("[0-9]{1,3}")
                ? Optional.empty()
                : Optional.of(claim(new Link.End(node, Integer.parseInt(port)), proof));
    }

    private static Claim claim(Link.End sender, ByteBuffer proof) {
        LldpFrame claimed = new LldpFrame(sender, proof.getLong());
        byte[] code = new byte[CODE_BYTES];
        proof.get(code);
        return new Claim(claimed, code);
    }

    private byte[] code(byte[] key) {
        try {
            Mac hmac = Mac.getInstance("HmacSHA256");
            hmac.init(new SecretKeySpec(key, "HmacSHA256"));
            hmac.update(sender.node().getBytes(StandardCharsets.UTF_8));
            hmac.update(ByteBuffer.allocate(Integer.BYTES + Long.BYTES)
                    .putInt(sender.port())
                    .putLong(round)
                    .array());
            return Arrays.copyOf(hmac.doFinal(), CODE_BYTES);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JVM has HmacSHA256", e);
        }
    }

    private static boolean isOurs(byte[] value) {
        return value.length == OUI_AND_SUBTYPE.length + Long.BYTES + CODE_BYTES
                && Arrays.equals(value, 0, OUI_AND_SUBTYPE.length, OUI_AND_SUBTYPE, 0, OUI_AND_SUBTYPE.length);
    }

    private static byte[] id(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(1 + bytes.length)
                .put((byte) LOCALLY_ASSIGNED)
                .put(bytes)
                .array();
    }

    private static @Nullable String text(byte[] id) {
        return id.length < 2 || id[0] != LOCALLY_ASSIGNED
                ? null
                : new String(id, 1, id.length - 1, StandardCharsets.UTF_8);
    }

    private static void tlv(ByteBuffer frame, int type, byte[] value) {
        frame.putShort((short) (type << 9 | value.length)).put(value);
    }

    private static void mac(ByteBuffer frame, long value) {
        frame.putShort((short) (value >>> 32)).putInt((int) value);
    }
}
