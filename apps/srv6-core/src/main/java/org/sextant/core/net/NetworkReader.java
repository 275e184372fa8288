// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.net;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.sextant.core.Problem;
import org.sextant.core.ip.IpAddress;
import org.sextant.core.ip.MacAddress;
import org.sextant.core.ip.UnroutableAddresses;
import org.sextant.core.json.Fields;
import org.sextant.core.json.Suggestion;
import org.sextant.core.net.Port.InterfaceAddress;

/**
 * Reads one network description. Sections are read in the order in which they refer to each other: devices, ports,
 * links, hosts. A device with problems of its own still counts as declared, so that one fault is reported once.
 */
final class NetworkReader {
    static final String APP = "org.sextant.srv6";
    static final String MEASURED_DELAY = "measuredDelay";
    static final String WAIT_TO_RESTORE = "waitToRestoreMillis";
    static final String DRAIN_AFTER = "drainAfterMillis";
    static final int DEFAULT_METRIC = 10;
    static final int MAX_METRIC = 1 << 24;
    static final int MAX_MTU_BYTES = 65_575;
    /** A petabit: sums over all that can be reserved of it fit a long by far. */
    static final long MAX_CAPACITY_KBPS = 1_000_000_000_000L;
    /** RFC 8200, 5. The underlay is IPv6, and Linux has none on an interface with less. */
    static final int MIN_MTU_BYTES = 1280;

    private static final int MAX_KEY = 300;
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._:-]{0,63}");
    private static final Pattern LINK = Pattern.compile("(.+/[0-9]+)-(.+/[0-9]+)");
    private static final Pattern HOST = Pattern.compile("([^/]+)/([^/]+)");

    private final List<Problem> problems;
    private final Srv6Reader srv6;
    private final SortedMap<String, Device> devices = new TreeMap<>();
    private final Map<String, SortedMap<Integer, Port>> portsOf = new HashMap<>();
    private final Map<String, String> names = new HashMap<>();
    private final Map<Link.End, String> linkOf = new HashMap<>();

    NetworkReader(List<Problem> problems) {
        this.problems = problems;
        this.srv6 = new Srv6Reader(problems);
    }

    /** A node as it grows. */
    private record Device(
            String id,
            String name,
            String management,
            String pipeconf,
            Optional<Srv6> srv6,
            Optional<Node.Location> location,
            SortedMap<Integer, Port> ports) {
        Node node() {
            return new Node(name, id, management, pipeconf, srv6, ports, location);
        }
    }

    Network read(JsonNode document) {
        Fields root = new Fields(document, "", problems);
        Fields apps = section(root, "apps");
        Fields app = section(apps, APP);
        srv6.defaults(section(app, "srv6"));
        srv6.protection(root);
        LinkRules rules = rules(root, section(app, "srv6"));
        each(root, "devices", this::device);
        each(root, "ports", this::port);
        Map<String, Link> links = new TreeMap<>();
        Set<String> given = keys(document.path("links"));
        each(root, "links", (key, fields) -> link(key, fields, links, given));
        List<Host> hosts = new ArrayList<>();
        each(root, "hosts", (key, fields) -> host(key, fields).ifPresent(hosts::add));
        new AddressCheck(problems)
                .check(devices.values().stream().map(Device::node).toList(), hosts);
        return new Network(
                RepairUsids.settle(
                        Numbering.settle(
                                devices.values().stream().map(Device::node).toList()),
                        hosts),
                links.values(),
                hosts,
                rules);
    }

    /** @param app where the top level is another's (ONOS) */
    private static LinkRules rules(Fields root, Fields app) {
        return new LinkRules(
                root.bool(MEASURED_DELAY, false),
                millis(root, app, WAIT_TO_RESTORE, LinkRules.MOST_WAIT_MILLIS, LinkRules.DEFAULT_WAIT_MILLIS),
                millis(root, app, DRAIN_AFTER, LinkRules.MOST_DRAIN_MILLIS, LinkRules.DEFAULT_DRAIN_MILLIS));
    }

    private static Duration millis(Fields root, Fields app, String field, int most, int usual) {
        return Duration.ofMillis(root.integer(field, 0, most, app.integer(field, 0, most, usual)));
    }

    private void device(String id, Fields fields) {
        Fields basic = section(fields, "basic");
        String plain = id.startsWith("device:") ? id.substring("device:".length()) : id;
        String name = name(basic, fields.pointer("basic"), plain);
        claim(name, basic.pointer("name"), "device " + id);
        devices.put(
                id,
                new Device(
                        id,
                        name,
                        basic.text("managementAddress").orElse(""),
                        basic.text("pipeconf").orElse(""),
                        fields.has("srv6") ? srv6.read(section(fields, "srv6"), name) : Optional.empty(),
                        location(basic),
                        portsOf.computeIfAbsent(name, n -> new TreeMap<>())));
    }

    private String name(Fields basic, String at, String otherwise) {
        String name = basic.text("name").orElse(otherwise);
        if (!NAME.matcher(name).matches()) {
            problem(
                    Problem.Code.INVALID,
                    at + "/name",
                    "\"" + Fields.shorten(name) + "\" is not a name",
                    "give a name of up to 64 letters, digits and . _ : - that begins with a letter or digit");
        }
        return name;
    }

    /** Nodes and hosts share one space of names: a path is written with names alone. */
    private void claim(String name, String at, String owner) {
        String other = names.putIfAbsent(name, owner);
        if (other != null) {
            problem(
                    Problem.Code.CONFLICT,
                    at,
                    "the name \"" + Fields.shorten(name) + "\" is taken by " + other,
                    "give every node and host its own name");
        }
    }

    private Optional<Node.Location> location(Fields basic) {
        String type = basic.text("locType").orElse("none");
        return switch (type) {
            case "grid" -> Optional.of(new Node.Location(type, number(basic, "gridX"), number(basic, "gridY")));
            case "geo" -> Optional.of(new Node.Location(type, number(basic, "longitude"), number(basic, "latitude")));
            case "none" -> Optional.empty();
            default -> {
                problem(
                        Problem.Code.INVALID,
                        basic.pointer("locType"),
                        "\"" + Fields.shorten(type) + "\" is none of grid, geo, none",
                        "write grid with gridX and gridY, or geo with longitude and latitude");
                yield Optional.empty();
            }
        };
    }

    private double number(Fields fields, String name) {
        fields.require(name, "give it, or leave locType out");
        Optional<JsonNode> node = fields.node(name);
        if (node.isPresent() && !node.get().isNumber()) {
            problem(
                    Problem.Code.INVALID,
                    fields.pointer(name),
                    "\"" + name + "\" wants a number, not " + Fields.describe(node.get()),
                    "write a number without quotes");
        }
        return node.map(JsonNode::doubleValue).orElse(0.0);
    }

    private void port(String key, Fields fields) {
        Optional<Link.End> end = end(key, pointer("ports", key));
        List<InterfaceAddress> addresses = new ArrayList<>();
        List<String> interfaceNames = new ArrayList<>();
        List<MacAddress> macs = new ArrayList<>();
        fields.list("interfaces", (node, at) -> {
            Fields one = new Fields(node, at, problems);
            one.text("name").ifPresent(interfaceNames::add);
            one.parsed("mac", "write six hexadecimal bytes such as 02:00:00:00:00:01", MacAddress::parse)
                    .ifPresent(macs::add);
            addresses.addAll(one.list(
                    "ips",
                    (ip, where) -> one.asText(ip, where)
                            .flatMap(text -> one.parse(
                                    text,
                                    where,
                                    "write address/length such as fd00::1/64",
                                    NetworkReader::interfaceAddress))));
            return Optional.of(at);
        });
        Fields own = section(fields, "srv6");
        int mtuBytes = mtuBytes(own);
        Optional<PortRole> role = own.word("role", List.of(PortRole.values()), PortRole::text);
        end.ifPresent(port -> portsOf(port)
                .put(
                        port.port(),
                        new Port(
                                port.port(),
                                interfaceNames.stream().findFirst(),
                                macs.stream().findFirst(),
                                mtuBytes,
                                true,
                                addresses,
                                role)));
    }

    private static InterfaceAddress interfaceAddress(String text) {
        int slash = text.indexOf('/');
        IpAddress address = IpAddress.parse(slash < 0 ? text : text.substring(0, slash));
        String length = slash < 0 ? "" + address.bits() : text.substring(slash + 1);
        if (!length.matches("[0-9]{1,3}") || Integer.parseInt(length) > address.bits()) {
            throw new IllegalArgumentException(
                    "the prefix length of " + Fields.shorten(text) + " is not within 0 to " + address.bits());
        }
        return new InterfaceAddress(address, Integer.parseInt(length));
    }

    private void link(String key, Fields fields, Map<String, Link> links, Set<String> given) {
        Matcher ends = LINK.matcher(key);
        String at = pointer("links", key);
        if (key.length() > MAX_KEY || !ends.matches()) {
            problem(
                    Problem.Code.INVALID,
                    at,
                    "\"" + Fields.shorten(key) + "\" does not name a link",
                    "write device:a/1-device:b/2");
            return;
        }
        Optional<Link.End> from = end(ends.group(1), at);
        Optional<Link.End> to = end(ends.group(2), at);
        boolean bidirectional = section(fields, "basic").bool("bidirectional", true);
        Fields own = section(fields, "srv6");
        int igpMetric = (int) own.integer("igpMetric", 1, MAX_METRIC, DEFAULT_METRIC);
        int teMetric = (int) own.integer("teMetric", 1, MAX_METRIC, igpMetric);
        long delayMicros = own.integer("delayMicros", 0, Integer.MAX_VALUE, 0);
        int mtuBytes = mtuBytes(own);
        long capacityKbps = own.integer("capacityKbps", 0, MAX_CAPACITY_KBPS, 0);
        Set<Integer> srlgs = new TreeSet<>(own.list("srlg", this::group));
        Set<String> affinities = new TreeSet<>(own.list("affinity", own::asText));
        if (from.isEmpty() || to.isEmpty() || !connects(from.get(), to.get(), at)) {
            return;
        }
        Link link = new Link(from.get(), to.get(), igpMetric, teMetric, delayMicros, mtuBytes, srlgs, affinities, true)
                .withCapacityKbps(capacityKbps);
        links.put(link.id(), link);
        if (bidirectional && !given.contains(ends.group(2) + "-" + ends.group(1))) {
            Link back = new Link(
                            to.get(), from.get(), igpMetric, teMetric, delayMicros, mtuBytes, srlgs, affinities, true)
                    .withCapacityKbps(capacityKbps);
            links.put(back.id(), back);
        }
    }

    /** 0 is an MTU that is not known. */
    private static int mtuBytes(Fields fields) {
        int mtuBytes = (int) fields.integer("mtuBytes", 0, MAX_MTU_BYTES, 0);
        if (mtuBytes > 0 && mtuBytes < MIN_MTU_BYTES) {
            fields.invalid(
                    fields.pointer("mtuBytes"),
                    "\"mtuBytes\" is " + mtuBytes + ", but IPv6 needs " + MIN_MTU_BYTES + " (RFC 8200, 5)",
                    "write " + MIN_MTU_BYTES + " or more, or leave it out if it is not known");
        }
        return mtuBytes;
    }

    private Optional<Integer> group(JsonNode node, String at) {
        if (!node.isIntegralNumber() || !node.canConvertToInt() || node.intValue() < 0) {
            problem(
                    Problem.Code.INVALID,
                    at,
                    "a shared-risk group is a number from 0 to " + Integer.MAX_VALUE + ", not " + Fields.describe(node),
                    "write a number");
            return Optional.empty();
        }
        return Optional.of(node.intValue());
    }

    /** A link has two nodes, and a port has one link; the two directions of a link are one link. */
    private boolean connects(Link.End from, Link.End to, String at) {
        if (from.node().equals(to.node())) {
            problem(Problem.Code.INVALID, at, "the link connects " + from.node() + " with itself", "name two nodes");
            return false;
        }
        String cable = from.compareTo(to) < 0 ? from + "-" + to : to + "-" + from;
        for (Link.End end : List.of(from, to)) {
            String other = linkOf.putIfAbsent(end, cable);
            if (other != null && !other.equals(cable)) {
                problem(
                        Problem.Code.CONFLICT,
                        at,
                        "port " + end + " already carries the link " + other,
                        "a port has one link; use another port");
                return false;
            }
        }
        portsOf(from).computeIfAbsent(from.port(), NetworkReader::bare);
        portsOf(to).computeIfAbsent(to.port(), NetworkReader::bare);
        return true;
    }

    private static Port bare(int number) {
        return new Port(number, Optional.empty(), Optional.empty(), 0, true, List.of());
    }

    private Optional<Host> host(String key, Fields fields) {
        String at = pointer("hosts", key);
        Matcher parts = HOST.matcher(key);
        if (key.length() > MAX_KEY || !parts.matches() || !parts.group(2).matches("None|-1")) {
            problem(
                    Problem.Code.INVALID,
                    at,
                    "\"" + Fields.shorten(key) + "\" does not name a host",
                    "write MAC/None; hosts in a VLAN are not supported");
            return Optional.empty();
        }
        Optional<MacAddress> mac = parts.group(1).indexOf(':') < 0
                ? Optional.empty()
                : fields.parse(
                        parts.group(1), at, "write six hexadecimal bytes such as 02:00:00:00:00:01", MacAddress::parse);
        Fields basic = section(fields, "basic");
        String name = name(basic, at + "/basic", parts.group(1));
        claim(name, basic.pointer("name"), "host " + key);
        List<IpAddress> addresses = basic.list(
                "ips",
                (node, where) -> basic.asText(node, where)
                        .flatMap(text -> basic.parse(
                                text,
                                where,
                                "write an address of the host's own, without a prefix length",
                                one -> UnroutableAddresses.refuse(IpAddress.parse(one)))));
        List<String> locations = basic.list("locations", basic::asText);
        basic.text("location").ifPresent(locations::add);
        if (locations.size() != 1) {
            problem(
                    Problem.Code.INVALID,
                    basic.pointer("locations"),
                    "host " + Fields.shorten(name) + " has " + locations.size() + " locations",
                    "give the one port it is attached to");
            return Optional.empty();
        }
        return end(locations.get(0), basic.pointer("locations"))
                .filter(end -> isFree(end, basic))
                .map(end -> {
                    portsOf(end).computeIfAbsent(end.port(), NetworkReader::bare);
                    return new Host(name, mac, addresses, end);
                });
    }

    private boolean isFree(Link.End end, Fields basic) {
        String link = linkOf.get(end);
        if (link != null) {
            problem(
                    Problem.Code.CONFLICT,
                    basic.pointer("locations"),
                    "port " + end + " carries the link " + link,
                    "attach the host to another port");
        }
        return link == null;
    }

    /** Reads {@code device:l1/2} as port 2 of the node that the device is. */
    private Optional<Link.End> end(String text, String at) {
        int slash = text.lastIndexOf('/');
        String id = slash < 0 ? text : text.substring(0, slash);
        String number = slash < 0 ? "" : text.substring(slash + 1);
        if (!number.matches("[0-9]{1,9}") || Integer.parseInt(number) < 1 || Integer.parseInt(number) > 510) {
            problem(
                    Problem.Code.INVALID,
                    at,
                    "\"" + Fields.shorten(text) + "\" does not end in a port from 1 to 510",
                    "write device:a/1");
            return Optional.empty();
        }
        Device device = devices.get(id);
        if (device == null) {
            String remedy = Suggestion.nearest(id, devices.keySet())
                    .map(near -> "add it to devices; did you mean " + near + "?")
                    .orElse("add it to devices");
            problem(Problem.Code.UNKNOWN, at, "there is no device \"" + Fields.shorten(id) + "\"", remedy);
            return Optional.empty();
        }
        return Optional.of(new Link.End(device.name, Integer.parseInt(number)));
    }

    private SortedMap<Integer, Port> portsOf(Link.End end) {
        return Objects.requireNonNull(portsOf.get(end.node()), "ends are of nodes that were read");
    }

    private Fields section(Fields parent, String name) {
        return new Fields(
                parent.node(name).orElse(JsonNodeFactory.instance.objectNode()), parent.pointer(name), problems);
    }

    private void each(Fields root, String name, BiConsumer<String, Fields> reader) {
        Fields section = section(root, name);
        root.node(name)
                .orElse(MissingNode.getInstance())
                .fields()
                .forEachRemaining(entry -> reader.accept(
                        entry.getKey(), new Fields(entry.getValue(), section.pointer(entry.getKey()), problems)));
    }

    private static Set<String> keys(JsonNode object) {
        Set<String> keys = new HashSet<>();
        object.fieldNames().forEachRemaining(keys::add);
        return keys;
    }

    private static String pointer(String section, String key) {
        return "/" + section + "/" + Fields.shorten(key).replace("~", "~0").replace("/", "~1");
    }

    private void problem(Problem.Code code, String at, String message, String remedy) {
        problems.add(new Problem(code, at, message, remedy));
    }
}
