// SPDX-License-Identifier: Apache-2.0
package org.sextant.mobile;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import org.sextant.core.ip.IpAddress;
import org.sextant.core.ip.IpPrefix;
import org.sextant.core.ip.UnroutableAddresses;
import org.sextant.core.shape.Elements;
import org.sextant.core.shape.Field;
import org.sextant.core.shape.FieldGroup;
import org.sextant.core.shape.Flag;
import org.sextant.core.shape.IntegerNumber;
import org.sextant.core.shape.ObjectShape;
import org.sextant.core.shape.OneOf;
import org.sextant.core.shape.Shape;
import org.sextant.core.shape.Text;
import org.sextant.core.shape.Values;
import org.sextant.core.shape.Word;
import org.sextant.core.underlay.GtpSids.Container;
import org.sextant.kit.Family;
import org.sextant.kit.Metadata;
import org.sextant.kit.path.Hop;
import org.sextant.kit.path.HopShape;
import org.sextant.mobile.Slice.Access;
import org.sextant.mobile.Slice.Core;

/** The declaration of slices. Defaults are written, so that stored slices keep their meaning if a default changes. */
public final class SliceShape {
    private static final String SYMMETRIC = "symmetric";
    private static final int MOST = 64;

    /** Addresses and prefixes that are valid destinations. */
    static final Text<IpPrefix> PREFIX = Text.parsed(SliceShape::prefix, "give an address or a prefix");

    private static final Text<String> NODE =
            Text.matching("[A-Za-z0-9][A-Za-z0-9._-]{0,62}", "is not a node's name", "give a node's name");

    private static final Field<Snssai, Integer> SST = Field.required(
            "sst",
            "slice/service type",
            IntegerNumber.between(0, 255),
            "give the slice/service type, 0 to 255",
            Snssai::sst);
    private static final Field<Snssai, Optional<Integer>> SD = Field.optional(
            "sd",
            "slice differentiator of 24 bits, in hexadecimal digits",
            Text.matching(
                            "[0-9a-fA-F]{6}",
                            "is not a slice differentiator of 24 bits",
                            "write six hexadecimal digits, such as \"000001\"")
                    .as(digits -> Integer.parseInt(digits, 16), value -> String.format("%06x", value)),
            Snssai::sd);

    private static final Field<Access, String> ACCESS_GATEWAY = Field.required(
            "gateway", "the node that takes GTP-U of the gNBs", NODE, "give a node's name", Access::gateway);
    private static final Field<Access, List<IpPrefix>> GNBS = Field.required(
            "gnbs",
            "addresses or prefixes, of one family",
            some("gnbs", PREFIX),
            "list the gNBs' addresses or prefixes",
            Access::gnbs);
    private static final ObjectShape<Access> ACCESS_SHAPE = ObjectShape.of(
                    "where the gNBs are",
                    List.of(ACCESS_GATEWAY, GNBS),
                    values -> new Access(values.get(ACCESS_GATEWAY), values.get(GNBS)))
            .rule(values -> oneFamily(values, GNBS, Family::of));

    private static final Field<Core, Optional<String>> ANCHOR = Field.optional(
            "anchor",
            "the node where GTP-U ends, instead of a gateway",
            NODE,
            core -> core.anchor() ? Optional.of(core.node()) : Optional.empty());
    private static final Field<Core, Optional<String>> CORE_GATEWAY = Field.optional(
            "gateway",
            "the node that gives GTP-U back to the UPFs",
            NODE,
            core -> core.anchor() ? Optional.empty() : Optional.of(core.node()));
    private static final Field<Core, List<IpAddress>> UPFS = Field.required(
            "upfs",
            "addresses that gNBs send GTP-U to",
            some("upfs", Text.parsed(text -> UnroutableAddresses.refuse(IpAddress.parse(text)), "give an address")),
            "list the addresses that gNBs send GTP-U to",
            Core::upfs);
    private static final ObjectShape<Core> CORE_SHAPE = ObjectShape.of(
                    "where the UPFs are: a gateway that gives GTP-U back to them, or an anchor where it ends",
                    List.of(ANCHOR, CORE_GATEWAY, UPFS),
                    values -> new Core(
                            values.get(ANCHOR)
                                    .or(() -> values.get(CORE_GATEWAY))
                                    .orElseThrow(),
                            values.get(ANCHOR).isPresent(),
                            values.get(UPFS)))
            .rule(SliceShape::gatewayOrAnchor)
            .rule(values -> oneFamily(values, UPFS, Family::of));

    private static final Field<List<Hop>, List<Hop>> HOPS = Field.required(
            "hops",
            "nodes, links or SIDs, in the direction of the packets",
            few(HopShape.HOP),
            "list the nodes, links or SIDs on the way",
            Function.identity());
    private static final ObjectShape<List<Hop>> DIRECTION =
            ObjectShape.of("hops of one direction", List.of(HOPS), values -> values.get(HOPS));

    private static final Field<Slice, String> NAME = Field.required(
            "name",
            "becomes the id",
            Text.parsed(SliceShape::name, "begin with a letter; 31 characters at most")
                    .described("[A-Za-z][A-Za-z0-9._-]{0,30}"),
            "name the slice, such as \"urllc\": the name becomes its id",
            Slice::name);
    private static final Field<Slice, Optional<Snssai>> SNSSAI = Field.optional(
            "snssai",
            "S-NSSAI (TS 23.003)",
            ObjectShape.of("S-NSSAI", List.of(SST, SD), values -> new Snssai(values.get(SST), values.get(SD))),
            Slice::snssai);
    private static final Field<Slice, List<String>> DNNS = Field.standard(
                    "dnns",
                    "data networks whose sessions are of it",
                    few(Text.matching(
                                    "[A-Za-z0-9]([A-Za-z0-9.-]{0,98}[A-Za-z0-9])?",
                                    "is not the name of a data network",
                                    "write a name such as internet")
                            .as(text -> text.toLowerCase(Locale.ROOT), name -> name)),
                    List.<String>of(),
                    Slice::dnns)
            .writtenUnlessDefault();
    private static final Field<Slice, Optional<Mode>> MODE = Field.optional(
            "mode",
            "traditional: one SID; enhanced: hops; transport: GTP-U is carried whole. Absent: enhanced with hops, traditional"
                    + " without",
            Word.of(List.of(Mode.values()), Mode::spelling),
            slice -> Optional.of(slice.mode()));
    private static final Field<Slice, Access> ACCESS = Field.required(
            "access",
            "where the gNBs are",
            ACCESS_SHAPE,
            "write {\"gateway\": the node next to the gNBs, \"gnbs\": [their prefixes]}",
            Slice::access);
    private static final Field<Slice, Core> CORE = Field.required(
            "core",
            "where the UPFs are: a gateway that gives GTP-U back to them, or an anchor where it ends",
            CORE_SHAPE,
            "write {\"gateway\": the node next to the UPFs, \"upfs\": [their addresses]}",
            Slice::core);
    private static final Field<Slice, List<Hop>> UPLINK = Field.standard(
                    "uplink",
                    "hops from the gateway at the gNBs to the core; absent: none",
                    DIRECTION,
                    List.<Hop>of(),
                    Slice::uplink)
            .writtenUnlessDefault();
    private static final Field<Slice, Optional<List<Hop>>> DOWNLINK = Field.standard(
            "downlink",
            "hops of the reverse direction; symmetric: those of the uplink in reverse",
            OneOf.<Optional<List<Hop>>>otherwise(node -> "neither a word nor hops", "write \"symmetric\" or {…}")
                    .form(
                            JsonNode::isTextual,
                            Word.of(List.of(SYMMETRIC), word -> word),
                            word -> Optional.empty(),
                            hops -> hops.isEmpty() ? Optional.of(SYMMETRIC) : Optional.empty())
                    .form(node -> !node.isTextual(), DIRECTION, Optional::of, Function.identity()),
            Optional.empty(),
            Slice::downlink);
    private static final Field<Slice, List<Match>> MATCHES = Field.standard(
                    "match",
                    "packets that the slice takes beside those of its sessions",
                    few(MatchShape.MATCH),
                    List.<Match>of(),
                    Slice::matches)
            .writtenUnlessDefault();
    private static final Field<Slice, Boolean> DEFAULT =
            Field.standard("default", "takes what no other slice takes", new Flag(), false, Slice::isDefault);
    private static final Field<Slice, Container> CONTAINER = Field.standard(
            "container",
            "when GTP-U that is given back has a PDU Session Container",
            Word.of(List.of(Container.values()), container -> container.name().toLowerCase(Locale.ROOT)),
            Container.ALWAYS,
            Slice::container);
    private static final Field<Slice, Boolean> CARRIES = Field.standard(
            "unrepresentable",
            "what becomes of packets that SRv6 cannot say",
            Word.either("carry", "discard"),
            true,
            Slice::carries);
    private static final Field<Slice, Boolean> DROPS_SEQUENCE = Field.standard(
            "sequenceNumbers",
            "drop: GTP-U with sequence or N-PDU numbers is translated and loses them",
            Word.either("drop", "keep"),
            false,
            Slice::dropsSequence);

    private static final FieldGroup<Slice, Metadata> METADATA = Metadata.fields(Slice::metadata);

    public static final ObjectShape<Slice> SLICE = ObjectShape.of(
                    "a slice of a mobile network: which GTP-U takes which path",
                    List.of(
                            NAME,
                            SNSSAI,
                            DNNS,
                            MODE,
                            ACCESS,
                            CORE,
                            UPLINK,
                            DOWNLINK,
                            MATCHES,
                            DEFAULT,
                            CONTAINER,
                            CARRIES,
                            DROPS_SEQUENCE,
                            METADATA),
                    SliceShape::slice)
            .rule(SliceShape::noHopsInTraditionalMode)
            .rule(SliceShape::oneFamilyOfAll)
            .named("Slice");

    private SliceShape() {}

    private static Slice slice(Values<Slice> values) {
        return new Slice(
                values.get(NAME),
                values.get(SNSSAI),
                values.get(DNNS),
                values.get(MODE).orElse(hasHops(values) ? Mode.ENHANCED : Mode.TRADITIONAL),
                values.get(ACCESS),
                values.get(CORE),
                values.get(UPLINK),
                values.get(DOWNLINK),
                values.get(MATCHES),
                values.get(DEFAULT),
                values.get(CONTAINER),
                values.get(CARRIES),
                values.get(DROPS_SEQUENCE),
                values.get(METADATA));
    }

    private static boolean hasHops(Values<Slice> values) {
        return values.find(UPLINK).filter(hops -> !hops.isEmpty()).isPresent()
                || values.given(DOWNLINK).filter(hops -> !hops.isEmpty()).isPresent();
    }

    private static <T> Elements<T> few(Shape<T> element) {
        return Elements.of(element).sized(0, MOST, count -> count + " are given", count -> "list " + MOST + " at most");
    }

    private static <T> Elements<T> some(String name, Shape<T> element) {
        return Elements.of(element)
                .sized(
                        1,
                        MOST,
                        count -> count == 0 ? "\"" + name + "\" is empty" : count + " are given",
                        count -> count == 0 ? "list one at least" : "list " + MOST + " at most");
    }

    private static <O, T> void oneFamily(Values<O> values, Field<O, List<T>> field, Function<T, Family> family) {
        long families = values.find(field).orElse(List.of()).stream()
                .map(family)
                .distinct()
                .count();
        if (families > 1) {
            values.invalid(
                    field,
                    "IPv4 and IPv6 are mixed in \"" + field.name() + "\"",
                    "make a slice for each: GTP-U goes over one of them");
        }
    }

    private static void gatewayOrAnchor(Values<Core> values) {
        if (values.has(ANCHOR) && values.has(CORE_GATEWAY)) {
            values.invalid(
                    ANCHOR, "GTP is given back at a gateway or ends at an anchor, not both", "leave one of them out");
        } else if (!values.has(ANCHOR) && !values.has(CORE_GATEWAY)) {
            values.invalid(CORE_GATEWAY, "\"gateway\" is missing", "give a node's name");
        }
    }

    private static void noHopsInTraditionalMode(Values<Slice> values) {
        if (values.given(MODE).filter(Mode.TRADITIONAL::equals).isPresent() && hasHops(values)) {
            values.invalid(MODE, "the traditional mode has one SID and no hops", "write \"mode\": \"enhanced\"");
        }
    }

    private static void oneFamilyOfAll(Values<Slice> values) {
        Optional<Family> access = values.find(ACCESS).map(Access::family);
        Optional<Family> core = values.find(CORE).map(Core::family);
        if (access.isEmpty() || core.isEmpty()) {
            return;
        }
        Family family = access.get();
        if (family != core.get()) {
            values.invalid(
                    CORE,
                    "/upfs",
                    "gNBs have " + family.spelling() + " addresses and UPFs have "
                            + core.get().spelling() + " ones",
                    "give addresses of one family: GTP-U goes over one of them");
        }
        List<Match> matches = values.find(MATCHES).orElse(List.of());
        for (int i = 0; i < matches.size(); i++) {
            if (matches.get(i).gnb().filter(gnb -> Family.of(gnb) != family).isPresent()) {
                values.invalid(
                        MATCHES,
                        "/" + i + "/gnb",
                        "the slice's gNBs have " + family.spelling() + " addresses",
                        "give one of these");
            }
        }
    }

    private static String name(String text) {
        Slice.checkName(text);
        return text;
    }

    private static IpPrefix prefix(String text) {
        IpPrefix prefix = IpPrefix.parse(text);
        UnroutableAddresses.kind(prefix).ifPresent(kind -> {
            throw new IllegalArgumentException(prefix + " is " + kind + ": packets to it are not forwarded");
        });
        return prefix;
    }
}
