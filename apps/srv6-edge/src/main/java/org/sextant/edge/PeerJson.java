// SPDX-License-Identifier: Apache-2.0
package org.sextant.edge;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.sextant.core.ip.IpPrefix;
import org.sextant.core.ip.NeverForwarded;
import org.sextant.core.json.Fields;
import org.sextant.core.net.Link;

/** Peers as JSON, there and back. */
public final class PeerJson {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,62}");
    private static final Pattern PORT = Pattern.compile("(.{1,64})/([0-9]{1,3})");

    /** Each port has a row per source, of 4,096 that a node has for all peers. */
    private static final int MOST = 64;

    private PeerJson() {}

    /** @throws org.sextant.core.ProblemException with all that is wrong */
    public static Peer decode(JsonNode json) {
        Fields fields = new Fields(json, "", new ArrayList<>());
        fields.require("name", "name the peer: the name becomes its id");
        Optional<String> name = fields.parsed("name", "use letters, digits, dots, dashes; 63 at most", PeerJson::name);
        List<IpPrefix> sources = list(
                fields,
                "sources",
                "give the IPv6 prefixes that the peer sends from",
                "write a prefix of the peer's own, such as 2001:db8:a::/48",
                PeerJson::source,
                (one, other) -> one.length() <= other.length() && one.contains(other.address()));
        List<Link.End> ports = list(
                fields,
                "ports",
                "give the ports that the peer is behind",
                "write the node, a slash and the port's number, such as l1/3",
                PeerJson::port,
                Link.End::equals);
        fields.finishOrThrow();
        return new Peer(name.orElseThrow(), sources, ports);
    }

    public static ObjectNode encode(Peer peer) {
        ObjectNode json = JsonNodeFactory.instance.objectNode().put("name", peer.name());
        ArrayNode sources = json.putArray("sources");
        peer.sources().forEach(source -> sources.add(source.toString()));
        ArrayNode ports = json.putArray("ports");
        peer.ports().forEach(port -> ports.add(port.toString()));
        return json;
    }

    /** A list of 1 to {@link #MOST}, none of which makes another one needless. */
    private static <T> List<T> list(
            Fields fields,
            String field,
            String asking,
            String remedy,
            Function<String, T> parse,
            BiPredicate<T, T> covers) {
        fields.require(field, asking);
        List<Optional<T>> all = new ArrayList<>();
        fields.list(field, (node, at) -> {
            all.add(fields.asText(node, at).flatMap(text -> fields.parse(text, at, remedy, parse)));
            return Optional.of(at);
        });
        if (fields.node(field).filter(JsonNode::isArray).isPresent() && (all.isEmpty() || all.size() > MOST)) {
            fields.invalid(
                    fields.pointer(field),
                    "there are " + all.size() + " " + field + ", not 1 to " + MOST,
                    all.isEmpty() ? asking : "make several peers of it");
        } else {
            apart(fields, field, all, covers);
        }
        return all.stream().flatMap(Optional::stream).toList();
    }

    private static <T> void apart(Fields fields, String field, List<Optional<T>> all, BiPredicate<T, T> covers) {
        for (int i = 0; i < all.size(); i++) {
            for (int j = 0; j < all.size(); j++) {
                boolean first = j < i || i < j && !all.get(i).equals(all.get(j));
                if (first
                        && all.get(i).isPresent()
                        && all.get(j).isPresent()
                        && covers.test(all.get(j).get(), all.get(i).get())) {
                    fields.invalid(
                            fields.pointer(field) + "/" + i,
                            all.get(i).get() + " is covered by " + all.get(j).get() + " at " + fields.pointer(field)
                                    + "/" + j,
                            "leave one of them out");
                    break;
                }
            }
        }
    }

    private static String name(String text) {
        if (!NAME.matcher(text).matches()) {
            throw new IllegalArgumentException("\"" + Fields.shorten(text) + "\" is no name of a peer");
        }
        return text;
    }

    private static IpPrefix source(String text) {
        IpPrefix prefix = IpPrefix.parse(text);
        if (!prefix.isIpv6()) {
            throw new IllegalArgumentException(prefix + " is IPv4, which reaches no SID anyway");
        }
        if (prefix.length() == 0) {
            throw new IllegalArgumentException(prefix + " is everybody: then the port has no edge");
        }
        NeverForwarded.kind(prefix).ifPresent(what -> {
            throw new IllegalArgumentException(prefix + " is " + what + ": nobody sends from there to a SID");
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
