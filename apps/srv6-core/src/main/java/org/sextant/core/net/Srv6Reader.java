// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.net;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Optional;
import org.sextant.core.Problem;
import org.sextant.core.ip.IpPrefix;
import org.sextant.core.ip.Ipv6;
import org.sextant.core.ip.UnroutableAddresses;
import org.sextant.core.json.Fields;
import org.sextant.core.sid.SidFormat;

/** Reads the {@code srv6} objects: that of the network, with the defaults of nodes, and those of nodes. */
final class Srv6Reader {
    static final String REPAIR_USID = "repairUSid";

    private static final String DEFAULTS = "/apps/" + NetworkReader.APP + "/srv6";

    private final List<Problem> problems;
    private Optional<IpPrefix> defaultBlock = Optional.empty();
    private SidFormat defaultFormat = SidFormat.F3216;
    private EdgeSettings defaultEdge = EdgeSettings.DEFAULT;
    private Protection defaultProtection = Protection.NONE;
    /** A fault that all nodes share is reported where it is, and not once more for each of them. */
    private boolean defaultsAreWrong;

    Srv6Reader(List<Problem> problems) {
        this.problems = problems;
    }

    void defaults(Fields fields) {
        int before = problems.size();
        defaultBlock = block(fields);
        defaultFormat = format(fields).orElse(SidFormat.F3216);
        defaultEdge = edge(fields, EdgeSettings.DEFAULT);
        defaultsAreWrong = problems.size() > before;
        protection(fields);
    }

    /** The protection of nodes without their own; here or one level above. */
    void protection(Fields fields) {
        defaultProtection = protection(fields, defaultProtection);
    }

    /** Reports a block of another length than the format's, where it stands. */
    private void misfit(Fields fields, IpPrefix block, SidFormat format) {
        boolean shared = !fields.has("block") && !fields.has("format");
        if (shared && defaultsAreWrong) {
            return;
        }
        defaultsAreWrong |= shared;
        problems.add(new Problem(
                Problem.Code.INVALID,
                shared ? DEFAULTS + "/block" : fields.pointer("block"),
                "block " + block + " does not fit format " + format.name() + ", which wants /" + format.blockLength(),
                "give a block of that length, or another format"));
    }

    /** Empty if there is a problem, which is then reported. */
    Optional<Srv6> read(Fields fields, String node) {
        SidFormat format = fields.has("format") ? format(fields).orElse(null) : defaultFormat;
        Optional<IpPrefix> block = fields.has("block") ? block(fields) : defaultBlock;
        Optional<Ipv6> given = fields.parsed(
                "encapSource",
                "write an IPv6 address of the node's own",
                text -> UnroutableAddresses.refuse(Ipv6.parse(text)));
        Optional<IpPrefix> gtp = fields.parsed(
                "gtpLocator", "write a prefix such as fd00:e:1::/48", text -> Srv6.gtpLocator(IpPrefix.parse(text)));
        EdgeSettings edge = edge(fields, defaultEdge);
        Protection protection = protection(fields, defaultProtection);
        fields.require("uSid", "give node " + Fields.shorten(node) + " a uSID, such as \"0100\"");
        Optional<String> usid = fields.text("uSid");
        Optional<String> repairs = fields.text(REPAIR_USID);
        if (!fields.has("block") && block.isEmpty() && !defaultsAreWrong) {
            fields.invalid(
                    fields.pointer("block"),
                    "node " + Fields.shorten(node) + " has no block",
                    "give it here, or for all nodes at " + DEFAULTS + "/block");
        }
        if (format == null || block.isEmpty() || usid.isEmpty()) {
            return Optional.empty();
        }
        if (block.get().length() != format.blockLength()) {
            misfit(fields, block.get(), format);
            return Optional.empty();
        }
        String remedy = "write " + format.usidLength() / 4 + " hexadecimal digits from 1 to "
                + Long.toHexString(format.localStart() - 1);
        Optional<Srv6> read = fields.parse(usid.get(), fields.pointer("uSid"), remedy, text -> {
            long value = usid(text, format, block.get());
            Srv6 srv6 =
                    new Srv6(block.get(), format, value, given.orElseGet(() -> nodeSid(block.get(), format, value)));
            return gtp.map(srv6::with).orElse(srv6).with(edge).with(protection);
        });
        return repairs.isEmpty() || read.isEmpty()
                ? read
                : fields.parse(
                        repairs.get(),
                        fields.pointer(REPAIR_USID),
                        remedy,
                        text -> read.get().withRepairUsid(usid(text, format, block.get())));
    }

    private static EdgeSettings edge(Fields fields, EdgeSettings otherwise) {
        return new EdgeSettings(
                fields.bool("dropSrh", otherwise.dropSrh()), fields.bool("knownSources", otherwise.knownSources()));
    }

    /** Every protection includes that of links. */
    private Protection protection(Fields fields, Protection otherwise) {
        Optional<JsonNode> given = fields.node("protection");
        if (given.isEmpty()) {
            return otherwise;
        }
        Fields own = new Fields(given.get(), fields.pointer("protection"), problems);
        boolean link = own.bool("link", true);
        boolean node = own.bool("node", false);
        boolean srlg = own.bool("srlg", false);
        own.finish();
        if (!link && (node || srlg)) {
            own.invalid(
                    own.pointer("link"),
                    "what protects from a node or a shared risk protects from a link, too",
                    "set link to true, or node and srlg to false");
            return otherwise;
        }
        return new Protection(link, node, srlg);
    }

    /**
     * The node's uN SID with nothing behind it. It is the default source of outer headers because it is routed to the
     * node and unique; {@code block:uSID::1} would not do, since the node takes the 1 for an argument and shifts it.
     */
    static Ipv6 nodeSid(IpPrefix block, SidFormat format, long usid) {
        return ((Ipv6) block.address()).with(format.blockLength(), format.usidLength(), usid);
    }

    private static long usid(String text, SidFormat format, IpPrefix block) {
        if (text.indexOf(':') >= 0) {
            Ipv6 sid = Ipv6.parse(text);
            int length = format.blockLength() + format.usidLength();
            if (!block.contains(sid) || !sid.truncate(length).equals(sid)) {
                throw new IllegalArgumentException(sid + " is not a uN SID of block " + block);
            }
            return sid.bits(format.blockLength(), format.usidLength());
        }
        String digits = text.startsWith("0x") || text.startsWith("0X") ? text.substring(2) : text;
        if (!digits.matches("[0-9a-fA-F]{1," + format.usidLength() / 4 + "}")) {
            throw new IllegalArgumentException(
                    "\"" + Fields.shorten(text) + "\" is not a uSID of " + format.usidLength() + " bits");
        }
        return Long.parseLong(digits, 16);
    }

    private static Optional<IpPrefix> block(Fields fields) {
        return fields.parsed("block", "write an IPv6 prefix such as fcbb:bbbb::/32", text -> {
            IpPrefix prefix = IpPrefix.parse(text);
            if (!prefix.isIpv6()) {
                throw new IllegalArgumentException("a block is an IPv6 prefix, not " + prefix);
            }
            UnroutableAddresses.refuse(prefix.address());
            return prefix;
        });
    }

    /** A known name, or an object with lengths of one's own. */
    private Optional<SidFormat> format(Fields fields) {
        Optional<JsonNode> node = fields.node("format");
        if (node.isEmpty() || !node.get().isObject()) {
            List<SidFormat> known = SidFormat.names().stream()
                    .flatMap(name -> SidFormat.byName(name).stream())
                    .toList();
            return fields.word("format", known, SidFormat::name);
        }
        String at = fields.pointer("format");
        Fields own = new Fields(node.get(), at, problems);
        own.require("block", "give the length of the block in bits");
        own.require("usid", "give the length of a uSID in bits, 16 or 32");
        int block = (int) own.integer("block", 8, 112, 32);
        int usid = (int) own.integer("usid", 16, 32, 16);
        Optional<String> localStart = own.text("localStart");
        return fields.parse(
                localStart.orElse(""),
                at,
                "give lengths that fit 128 bits, and localStart as a hexadecimal uSID",
                text -> custom(block, usid, text));
    }

    /** The format of these lengths; a known one if it is the same. */
    static SidFormat custom(int block, int usid, String localStart) {
        SidFormat usual = SidFormat.of(block + "/" + usid, block, usid);
        if (!localStart.isEmpty() && !localStart.matches("(0x)?[0-9a-fA-F]{1,9}")) {
            throw new IllegalArgumentException("localStart \"" + Fields.shorten(localStart) + "\" is not a uSID");
        }
        long start = localStart.isEmpty() ? usual.localStart() : Long.parseLong(localStart.replaceFirst("^0x", ""), 16);
        if (start != usual.localStart()) {
            return new SidFormat(block + "/" + usid + " local from " + Long.toHexString(start), block, usid, start);
        }
        return SidFormat.names().stream()
                .flatMap(name -> SidFormat.byName(name).stream())
                .filter(known -> known.blockLength() == block && known.usidLength() == usid)
                .findFirst()
                .orElse(usual);
    }
}
