// SPDX-License-Identifier: Apache-2.0
package org.sextant.mobile.session;

import java.util.List;
import java.util.Optional;
import org.sextant.core.Problem;
import org.sextant.core.ProblemException;
import org.sextant.core.Reason;
import org.sextant.core.ip.IpAddress;
import org.sextant.core.ip.IpPrefix;
import org.sextant.kit.app.AppWords;
import org.sextant.kit.app.DocumentWords;
import org.sextant.kit.app.Filter;
import org.sextant.kit.app.Form;
import org.sextant.kit.app.Operation;
import org.sextant.kit.app.Word;
import org.sextant.mobile.Session;

/** The names of sessions, and the words of a shell command for one. */
final class SessionWords implements AppWords {
    private static final String UPLINK = "uplink";
    private static final String DOWNLINK = "downlink";

    static final List<Filter<Session>> FILTERS = List.of(
            new Filter<>(
                    "ue",
                    "PREFIX",
                    "the UE's address, or a prefix it is in",
                    "Only with a UE of this address or prefix.",
                    "of",
                    false,
                    text -> {
                        IpPrefix wanted = prefix(text);
                        return (session, network) -> session.ues().stream().anyMatch(ue -> overlap(ue, wanted));
                    }),
            new Filter<>(
                    "endpoint",
                    "ADDRESS",
                    "a gNB's or UPF's address",
                    "Only with this gNB or UPF.",
                    "at",
                    false,
                    text -> {
                        IpAddress wanted = address(text);
                        return (session, network) -> session.uplink().endpoint().equals(wanted)
                                || session.downlink()
                                        .filter(tunnel -> tunnel.endpoint().equals(wanted))
                                        .isPresent()
                                || session.forwarding()
                                        .filter(forwarding ->
                                                forwarding.to().endpoint().equals(wanted))
                                        .isPresent();
                    }));

    private final AppWords slices;

    SessionWords(AppWords slices) {
        this.slices = slices;
    }

    private static boolean overlap(IpPrefix one, IpPrefix other) {
        return one.isIpv6() == other.isIpv6() && (one.contains(other.address()) || other.contains(one.address()));
    }

    private static IpPrefix prefix(String text) {
        try {
            return IpPrefix.parse(text);
        } catch (IllegalArgumentException e) {
            throw new ProblemException(
                    new Problem(Problem.Code.INVALID, "/ue", Reason.of(e), "give an address or a prefix"));
        }
    }

    private static IpAddress address(String text) {
        try {
            return IpAddress.parse(text);
        } catch (IllegalArgumentException e) {
            throw new ProblemException(new Problem(Problem.Code.INVALID, "/endpoint", Reason.of(e), "give an address"));
        }
    }

    @Override
    public String one() {
        return "session";
    }

    @Override
    public String many() {
        return "sessions";
    }

    @Override
    public Optional<AppWords> within() {
        return Optional.of(slices);
    }

    @Override
    public DocumentWords document() {
        return new DocumentWords("session", "id");
    }

    @Override
    public String plan() {
        return "the class, Args.Mob.Session, entries per node";
    }

    @Override
    public String conflict() {
        return "another session has the tunnel, or an address of the UE";
    }

    @Override
    public String summary(Operation operation) {
        return operation == Operation.CHANGE
                ? "Changes a session in part, as a handover does, make before break"
                : AppWords.super.summary(operation);
    }

    @Override
    public List<Example> examples() {
        return List.of(new Example("between a gNB and a UPF", """
                        {"id": "imsi-001-5", "ue": ["10.60.0.1/32"], "qfi": 9,
                         "uplink": {"endpoint": "198.51.100.1", "teid": 4097},
                         "downlink": {"endpoint": "192.0.2.1", "teid": 4098}}"""), new Example("before the gNB is known", """
                        {"id": "imsi-001-6", "ue": ["10.60.0.2/32"],
                         "uplink": {"endpoint": "198.51.100.1", "teid": "0x1003"}}"""));
    }

    @Override
    public List<String> usage(Operation operation) {
        return switch (operation) {
            case ADD ->
                List.of(
                        "urllc imsi-001-5 198.51.100.1 4097 192.0.2.1 4098 --ue 10.60.0.1/32 --qfi 9",
                        "urllc --file sessions.json");
            case LIST -> List.of("urllc", "urllc --ue 10.60.0.1 --json");
            case GET -> List.of("urllc imsi-001-5");
            case PLAN -> List.of("urllc imsi-001-5");
            default -> List.of("urllc imsi-001-5", "urllc --all");
        };
    }

    static Form form() {
        return new Form(
                List.of(
                        Word.argument("ID", "The session's id, unique in its slice.", Word.text("id")),
                        Word.argument("UPF", "The address that the gNB sends to.", in(UPLINK, Word.text("endpoint"))),
                        Word.argument("TEID", "The TEID there.", in(UPLINK, teid())),
                        Word.argument(
                                "GNB", "The gNB's address; may be left out.", in(DOWNLINK, Word.text("endpoint"))),
                        Word.argument("TEID", "The TEID there.", in(DOWNLINK, teid())),
                        Word.option("--ue", "PREFIX,…", "Addresses and prefixes of the UE.", Word.texts("ue")),
                        Word.option("--qfi", "QFI", "QoS flow of what is sent to the UE.", Word.number("qfi"))),
                3,
                "an id, the UPF's address and TEID, for example imsi-001-5 198.51.100.1 4097 192.0.2.1 4098");
    }

    private static Word.Becoming teid() {
        return (json, typed) -> json.put("teid", typed.get(0));
    }

    /** A field of an object within the intent. */
    private static Word.Becoming in(String object, Word.Becoming field) {
        return (json, typed) -> field.put(json.with(object), typed);
    }
}
