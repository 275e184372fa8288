// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.ip;

import java.util.ArrayList;
import java.util.List;

/** The text forms of IPv6 addresses: reads every form of RFC 4291, 2.2, writes the one of RFC 5952. */
final class Ipv6Text {
    private Ipv6Text() {}

    static Ipv6 parse(String text) {
        int gap = text.indexOf("::");
        if (text.length() > 45 || gap >= 0 && text.indexOf("::", gap + 1) >= 0) {
            throw bad(text);
        }
        List<Integer> head = groups(gap < 0 ? text : text.substring(0, gap), text, gap < 0);
        List<Integer> tail = gap < 0 ? List.of() : groups(text.substring(gap + 2), text, true);
        int missing = 8 - head.size() - tail.size();
        if (gap < 0 ? missing != 0 : missing < 1) {
            throw bad(text);
        }
        List<Integer> all = new ArrayList<>(head);
        for (int i = 0; i < missing; i++) {
            all.add(0);
        }
        all.addAll(tail);
        return new Ipv6(join(all.subList(0, 4)), join(all.subList(4, 8)));
    }

    private static List<Integer> groups(String part, String text, boolean mayEndInIpv4) {
        List<Integer> groups = new ArrayList<>();
        if (part.isEmpty()) {
            return groups;
        }
        String[] words = part.split(":", -1);
        for (int i = 0; i < words.length; i++) {
            if (mayEndInIpv4 && i == words.length - 1 && words[i].indexOf('.') >= 0) {
                int value = Ipv4.parse(words[i]).value();
                groups.add(value >>> 16);
                groups.add(value & 0xffff);
            } else if (words[i].matches("[0-9a-fA-F]{1,4}")) {
                groups.add(Integer.parseInt(words[i], 16));
            } else {
                throw bad(text);
            }
        }
        return groups;
    }

    private static long join(List<Integer> groups) {
        long value = 0;
        for (int group : groups) {
            value = value << 16 | group;
        }
        return value;
    }

    private static IllegalArgumentException bad(String text) {
        return new IllegalArgumentException("not an IPv6 address: " + shorten(text));
    }

    /** Shortens foreign text to a length that fits a message. */
    static String shorten(String text) {
        return text.length() > 60 ? text.substring(0, 60) + "…" : text;
    }

    static String format(Ipv6 address) {
        List<Integer> groups = address.groups();
        int bestStart = -1;
        int bestLength = 1; // a single zero group is not shortened (RFC 5952, 4.2.2)
        for (int i = 0; i < 8; i++) {
            int length = 0;
            while (i + length < 8 && groups.get(i + length) == 0) {
                length++;
            }
            if (length > bestLength) {
                bestStart = i;
                bestLength = length;
            }
            i += length;
        }
        if (bestStart < 0) {
            return hex(groups);
        }
        return hex(groups.subList(0, bestStart)) + "::" + hex(groups.subList(bestStart + bestLength, 8));
    }

    private static String hex(List<Integer> groups) {
        return groups.stream().map(Integer::toHexString).collect(java.util.stream.Collectors.joining(":"));
    }
}
