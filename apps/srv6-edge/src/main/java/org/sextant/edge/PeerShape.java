// SPDX-License-Identifier: Apache-2.0
package org.sextant.edge;

import java.util.List;
import java.util.Optional;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.sextant.core.ip.IpPrefix;
import org.sextant.core.ip.UnroutableAddresses;
import org.sextant.core.json.Fields;
import org.sextant.core.json.JsonInput;
import org.sextant.core.net.Link;
import org.sextant.core.shape.Elements;
import org.sextant.core.shape.Field;
import org.sextant.core.shape.FieldGroup;
import org.sextant.core.shape.ObjectShape;
import org.sextant.core.shape.Text;
import org.sextant.kit.Metadata;

/** The declaration of peers. */
public final class PeerShape {
    private static final Pattern PORT = Pattern.compile("(.{1,64})/([0-9]{1,3})");

    /** Each port has a table entry per source; a node has 4,096 for all peers. */
    private static final int MOST = 64;

    private static final Field<Peer, String> NAME = Field.required(
            "name",
            "becomes the id",
            Text.matching(
                    "[A-Za-z0-9][A-Za-z0-9._-]{0,62}",
                    "is no name of a peer",
                    "use letters, digits, dots, dashes; 63 at most"),
            "name the peer: the name becomes its id",
            Peer::name);

    private static final Field<Peer, List<IpPrefix>> SOURCES = several(
            "sources",
            "IPv6 prefixes of the peer's own, none within another and none of the domain's",
            Text.parsed(PeerShape::source, "write a prefix of the peer's own, such as 2001:db8:a::/48"),
            (one, other) -> one.length() <= other.length() && one.contains(other.address()),
            "give the IPv6 prefixes that the peer sends from",
            Peer::sources);

    private static final Field<Peer, List<Link.End>> PORTS = several(
            "ports",
            "external ports, each a node, a slash and a number: l1/3",
            Text.parsed(PeerShape::port, "write the node, a slash and the port's number, such as l1/3"),
            Link.End::equals,
            "give the ports that the peer is behind",
            Peer::ports);

    private static final FieldGroup<Peer, Metadata> METADATA = Metadata.fields(Peer::metadata);

    public static final ObjectShape<Peer> PEER = ObjectShape.<Peer>of(
                    "packets from these sources behind these ports may reach SIDs",
                    List.of(NAME, SOURCES, PORTS, METADATA),
                    values -> new Peer(values.get(NAME), values.get(SOURCES), values.get(PORTS), values.get(METADATA)))
            .named("EdgePeer");

    private PeerShape() {}

    /** A list of 1 to {@link #MOST} elements, none of which covers another. */
    private static <T> Field<Peer, List<T>> several(
            String name,
            String description,
            Text<T> element,
            BiPredicate<T, T> covers,
            String missing,
            Function<Peer, List<T>> getter) {
        Elements<T> elements = Elements.of(element)
                .sized(
                        1,
                        MOST,
                        count -> "there are " + count + " " + name + ", not 1 to " + MOST,
                        count -> count == 0 ? missing : "make several peers of it")
                .rule((all, inputs) -> apart(all, inputs, covers));
        return Field.required(name, description, elements, missing, getter);
    }

    private static <T> void apart(List<Optional<T>> all, List<JsonInput> inputs, BiPredicate<T, T> covers) {
        for (int i = 0; i < all.size(); i++) {
            for (int j = 0; j < all.size(); j++) {
                boolean first = j < i || i < j && !all.get(i).equals(all.get(j));
                if (first
                        && all.get(i).isPresent()
                        && all.get(j).isPresent()
                        && covers.test(all.get(j).get(), all.get(i).get())) {
                    inputs.get(i)
                            .invalid(
                                    all.get(i).get() + " is covered by "
                                            + all.get(j).get() + " at "
                                            + inputs.get(j).pointer(),
                                    "leave one of them out");
                    break;
                }
            }
        }
    }

    private static IpPrefix source(String text) {
        IpPrefix prefix = IpPrefix.parse(text);
        if (!prefix.isIpv6()) {
            throw new IllegalArgumentException(prefix + " is IPv4, which reaches no SID anyway");
        }
        if (prefix.length() == 0) {
            throw new IllegalArgumentException(prefix + " is every address: then the port has no edge");
        }
        UnroutableAddresses.kind(prefix).ifPresent(what -> {
            throw new IllegalArgumentException(prefix + " is " + what + ": no packet to a SID has such a source");
        });
        return prefix;
    }

    private static Link.End port(String text) {
        Matcher parts = PORT.matcher(text);
        int number = parts.matches() ? Integer.parseInt(parts.group(2)) : 0;
        if (number < 1 || number > 510) {
            throw new IllegalArgumentException("\"" + Fields.shorten(text) + "\" is no port of a node");
        }
        return new Link.End(parts.group(1), number);
    }
}
