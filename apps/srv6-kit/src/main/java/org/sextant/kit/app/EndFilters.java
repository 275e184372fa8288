// SPDX-License-Identifier: Apache-2.0
package org.sextant.kit.app;

import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.sextant.core.Problem;
import org.sextant.core.ProblemException;
import org.sextant.core.Reason;
import org.sextant.core.ip.IpAddress;
import org.sextant.core.ip.IpPrefix;
import org.sextant.core.net.Host;
import org.sextant.core.net.Network;
import org.sextant.kit.Endpoint;

/**
 * Filters by the ends of the traffic. Ends match if they are written the same or share an address: a host's name
 * matches an intent with its address, and the reverse.
 */
public final class EndFilters {
    private EndFilters() {}

    /** @param more further values that the filter accepts, after "host, address or prefix" */
    public static <I> Filter<I> source(String more, Function<I, List<Endpoint>> ends) {
        return source(more, ends, (intent, wanted) -> false);
    }

    /** @param other matches a value that counts as the source in another form */
    public static <I> Filter<I> source(
            String more, Function<I, List<Endpoint>> ends, BiFunction<I, Endpoint, Boolean> other) {
        return filter("source", "from", more, ends, other);
    }

    public static <I> Filter<I> destination(Function<I, List<Endpoint>> ends) {
        return filter("destination", "to", "", ends, (intent, wanted) -> false);
    }

    private static <I> Filter<I> filter(
            String name,
            String said,
            String more,
            Function<I, List<Endpoint>> ends,
            BiFunction<I, Endpoint, Boolean> other) {
        return new Filter<>(
                name,
                "HOST",
                "host, address or prefix" + more,
                "Only " + said + " this host, address or prefix" + more + ".",
                said,
                true,
                text -> {
                    Endpoint wanted = parse(name, text);
                    return (intent, network) -> other.apply(intent, wanted)
                            || ends.apply(intent).stream().anyMatch(given -> same(wanted, given, network));
                });
    }

    private static Endpoint parse(String name, String text) {
        try {
            return Endpoint.parse(text);
        } catch (IllegalArgumentException e) {
            throw new ProblemException(new Problem(
                    Problem.Code.INVALID, "/" + name, Reason.of(e), "give a host's name, an address or a prefix"));
        }
    }

    private static boolean same(Endpoint wanted, Endpoint given, Network network) {
        return wanted.equals(given) || prefixes(wanted, network).stream().anyMatch(prefixes(given, network)::contains);
    }

    private static List<IpPrefix> prefixes(Endpoint endpoint, Network network) {
        if (endpoint instanceof Endpoint.Range range) {
            return List.of(range.prefix());
        }
        List<IpAddress> addresses = network.host(((Endpoint.Named) endpoint).host())
                .map(Host::addresses)
                .orElse(List.of());
        return addresses.stream()
                .map(address -> new IpPrefix(address, address.bits()))
                .toList();
    }
}
