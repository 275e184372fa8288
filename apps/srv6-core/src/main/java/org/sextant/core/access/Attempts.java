// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.access;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Logins that failed, and how long the next one has to wait: twice as long after each, up to a limit. Counted for a
 * user at an address, for an address, and for a user wherever they are. No user is locked out for good, or by the
 * failures of another one behind the same loopback address, where a proxy or a whole machine may be: a loopback address
 * does not count alone.
 */
public final class Attempts {
    private static final Limit OF_USER_AT_ADDRESS = new Limit(5, 60);
    private static final Limit OF_ADDRESS = new Limit(20, 60);
    /** For all addresses together: failures from foreign addresses must not delay a user's own login for long. */
    private static final Limit OF_USER = new Limit(50, 4);

    private static final int MOST = 10_000;
    private static final long FORGOTTEN_NANOS = Duration.ofMinutes(15).toNanos();
    private static final long SECOND = 1_000_000_000L;

    private final LongSupplier nanos;
    private final Map<String, Failures> failures = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Failures> eldest) {
            return size() > MOST;
        }
    };

    /** @param nanos a monotonic clock, such as {@link System#nanoTime} */
    public Attempts(LongSupplier nanos) {
        this.nanos = nanos;
    }

    /** Seconds until this user may try from this address; 0: now. */
    public synchronized long wait(String user, String address) {
        long now = nanos.getAsLong();
        long longest = 0;
        for (Counted counted : counted(user, address)) {
            Failures before = failures.get(counted.key);
            if (before != null) {
                longest = Math.max(longest, before.until(counted.limit) - now);
            }
        }
        return (longest + SECOND - 1) / SECOND;
    }

    public synchronized void failed(String user, String address) {
        long now = nanos.getAsLong();
        for (Counted counted : counted(user, address)) {
            Failures before = failures.get(counted.key);
            int count = before == null || now - before.last > FORGOTTEN_NANOS ? 0 : before.count;
            failures.put(counted.key, new Failures(count + 1, now));
        }
    }

    /** The right password: the failures of this user at this address are cleared, those of others are not. */
    public synchronized void succeeded(String user, String address) {
        failures.remove(counted(user, address).get(0).key);
    }

    /** The number of stored counts. */
    synchronized int size() {
        return failures.size();
    }

    private static List<Counted> counted(String user, String address) {
        String name = user.length() > 100 ? user.substring(0, 100) : user;
        Counted both = new Counted("b " + address + " " + name, OF_USER_AT_ADDRESS);
        Counted everywhere = new Counted("u " + name, OF_USER);
        return isLoopback(address)
                ? List.of(both, everywhere)
                : List.of(both, everywhere, new Counted("a " + address, OF_ADDRESS));
    }

    /** An address that is none, or none that is known, is counted as any other. */
    private static boolean isLoopback(String address) {
        try {
            return address.matches("[0-9a-fA-F:.]+")
                    && InetAddress.getByName(address).isLoopbackAddress();
        } catch (UnknownHostException e) {
            return false;
        }
    }

    /** A key under which a login is counted, and its limit. */
    private record Counted(String key, Limit limit) {}

    /** The failures without a wait, and the longest wait. */
    private record Limit(int free, int mostSeconds) {}

    private record Failures(int count, long last) {
        long until(Limit limit) {
            int over = count - limit.free;
            return over < 0 ? last : last + SECOND * Math.min(limit.mostSeconds, 1L << Math.min(over, 30));
        }
    }
}
