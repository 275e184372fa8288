// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.sid;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.StreamSupport;
import org.sextant.core.ip.IpAddress;
import org.sextant.core.ip.IpPrefix;
import org.sextant.core.ip.Ipv6;
import org.sextant.core.sid.OracleTest.Steered;
import org.sextant.core.table.Behavior;
import org.sextant.core.table.MySid;

/** The tables of the one node of a recorded case. Behind each of its ports is a neighbor without entries. */
final class OracleFib implements Fib {
    static final String NODE = "node";

    private static final Set<String> SIDS =
            Set.of("my_sid", "sid_list", "route_v6", "route_v4", "next_hop", "encap_source");

    private static final Set<String> MOBILE = Set.of("gtp4_e", "gtp6_e", "gtp6_d", "map");

    private final List<JsonNode> rows = new ArrayList<>();

    OracleFib(JsonNode... tables) {
        for (JsonNode table : tables) {
            table.forEach(rows::add);
        }
    }

    static String neighbor(String port) {
        return "neighbor " + port;
    }

    /** The walk does not steer decapsulated packets, and does not model punts; GTP is no header of its own. */
    static boolean isModelled(JsonNode vector) {
        return StreamSupport.stream(vector.get("entries").spliterator(), false)
                .allMatch(row -> SIDS.contains(row.get("table").textValue())
                        && !MOBILE.contains(row.path("action").asText()));
    }

    @Override
    public Optional<MySid> mySid(String node, Ipv6 destination) {
        return longest(node, "my_sid", "sid", destination)
                .map(row -> new MySid(IpPrefix.parse(row.at("/match/sid").textValue()), behavior(row)));
    }

    @Override
    public List<Adjacency> route(String node, int vrf, IpAddress destination) {
        String table = destination instanceof Ipv6 ? "route_v6" : "route_v4";
        List<Adjacency> members = new ArrayList<>();
        longest(node, table, "dst", destination, vrf)
                .ifPresent(row -> row.get("members")
                        .forEach(member -> adjacency(
                                        node, member.at("/parameters/next_hop").intValue())
                                .ifPresent(members::add)));
        return members;
    }

    @Override
    public Optional<Adjacency> adjacency(String node, int nextHop) {
        return of(node, "next_hop")
                .filter(row -> row.at("/match/id").intValue() == nextHop)
                .map(row -> row.at("/parameters/port").asText())
                .map(port -> new Adjacency(port, neighbor(port), false))
                .findFirst();
    }

    @Override
    public List<List<Ipv6>> segmentLists(String node, int sidList) {
        List<List<Ipv6>> lists = new ArrayList<>();
        of(node, "sid_list")
                .filter(row -> row.at("/match/id").intValue() == sidList)
                .forEach(row -> row.get("members").forEach(member -> {
                    List<Ipv6> segments = new ArrayList<>();
                    for (int i = 1; member.get("parameters").has("segment_" + i); i++) {
                        segments.add(
                                Ipv6.parse(member.at("/parameters/segment_" + i).textValue()));
                    }
                    lists.add(segments);
                }));
        return lists;
    }

    /** The policy that takes a user's packet, if there is one with one list. */
    Optional<Steered> steering(Payload payload) {
        IpAddress destination = payload.destination().orElseThrow();
        String table = destination instanceof Ipv6 ? "steering_v6" : "steering_v4";
        return longest(NODE, table, "dst", destination, 0).flatMap(row -> {
            List<List<Ipv6>> lists =
                    segmentLists(NODE, row.at("/parameters/sid_list").intValue());
            return lists.size() == 1
                    ? Optional.of(new Steered(row.get("action").textValue().endsWith("_red"), lists.get(0)))
                    : Optional.empty();
        });
    }

    private Optional<JsonNode> longest(String node, String table, String field, IpAddress address, int... vrf) {
        return of(node, table)
                .filter(row -> vrf.length == 0 || row.at("/match/vrf").intValue() == vrf[0])
                .filter(row -> prefix(row, field).contains(address))
                .max(Comparator.comparing(row -> prefix(row, field).length()));
    }

    private java.util.stream.Stream<JsonNode> of(String node, String table) {
        return rows.stream()
                .filter(row -> node.equals(NODE) && row.get("table").textValue().equals(table));
    }

    private static IpPrefix prefix(JsonNode row, String field) {
        return IpPrefix.parse(row.at("/match/" + field).textValue());
    }

    private static Behavior behavior(JsonNode row) {
        JsonNode with = row.get("parameters");
        return switch (row.get("action").textValue()) {
            case "un" ->
                new Behavior.Un(
                        with.get("block_length").intValue(),
                        with.get("csid_length").intValue());
            case "ua" ->
                new Behavior.Ua(
                        with.get("block_length").intValue(),
                        with.get("csid_length").intValue(),
                        with.get("next_hop").intValue());
            case "end" -> new Behavior.End(false);
            case "end_psp" -> new Behavior.End(true);
            case "end_x" -> new Behavior.EndX(with.get("next_hop").intValue());
            case "udt6" ->
                new Behavior.Udt(Behavior.Family.IPV6, with.get("vrf").intValue());
            case "udt4" ->
                new Behavior.Udt(Behavior.Family.IPV4, with.get("vrf").intValue());
            case "udt46" ->
                new Behavior.Udt(Behavior.Family.BOTH, with.get("vrf").intValue());
            case "udx6" ->
                new Behavior.Udx(Behavior.Family.IPV6, with.get("next_hop").intValue());
            case "udx4" ->
                new Behavior.Udx(Behavior.Family.IPV4, with.get("next_hop").intValue());
            case "b6_encaps_red" ->
                new Behavior.B6EncapsRed(with.get("sid_list").intValue());
            default -> throw new IllegalArgumentException(row.toString());
        };
    }
}
