// SPDX-License-Identifier: Apache-2.0
package org.sextant.mobile;

import java.util.List;
import java.util.Optional;
import org.sextant.core.ip.IpAddress;
import org.sextant.core.ip.IpPrefix;
import org.sextant.core.ip.UnroutableAddresses;
import org.sextant.core.shape.Elements;
import org.sextant.core.shape.Field;
import org.sextant.core.shape.FieldGroup;
import org.sextant.core.shape.Flag;
import org.sextant.core.shape.IntegerNumber;
import org.sextant.core.shape.NumberOrText;
import org.sextant.core.shape.ObjectShape;
import org.sextant.core.shape.Text;
import org.sextant.kit.Metadata;
import org.sextant.mobile.Session.IndirectForwarding;
import org.sextant.mobile.Session.Tunnel;

/** The declaration of sessions. The slice is in the address of a session, and not one of its fields. */
public final class SessionShape {
    private static final int MOST_UES = 16;
    private static final int MOST_QFI = 63;

    private static final Field<Tunnel, IpAddress> ENDPOINT = Field.required(
            "endpoint",
            "where GTP-U is sent to, an address of the slice's UPFs or gNBs",
            Text.parsed(text -> UnroutableAddresses.refuse(IpAddress.parse(text)), "give an address"),
            "give the address that GTP-U is sent to",
            Tunnel::endpoint);
    private static final Field<Tunnel, Integer> TEID = Field.required(
            "teid",
            "tunnel endpoint identifier, also in hexadecimal digits: \"0x1001\"",
            NumberOrText.of(
                            Text.parsed(SessionShape::teid, "write a number from 1 to 4294967295, or \"0x1001\"")
                                    .described("(0[xX][0-9a-fA-F]{1,8}|[0-9]{1,10})"),
                            1,
                            0xffff_ffffL)
                    .writtenAs(Integer::toUnsignedLong),
            "give the TEID",
            Tunnel::teid);
    private static final ObjectShape<Tunnel> TUNNEL = ObjectShape.of(
                    "a GTP-U tunnel endpoint: an F-TEID",
                    List.of(ENDPOINT, TEID),
                    values -> new Tunnel(values.get(ENDPOINT), values.get(TEID)))
            .named("Tunnel");

    private static final Field<IndirectForwarding, Tunnel> FORWARDED_FROM = Field.required(
            "from",
            "where the source gNB sends to",
            TUNNEL,
            "write {\"endpoint\": where the source gNB sends to, \"teid\": the TEID it uses}",
            IndirectForwarding::from);
    private static final Field<IndirectForwarding, Tunnel> FORWARDED_TO = Field.required(
            "to",
            "where the target gNB receives",
            TUNNEL,
            "write {\"endpoint\": where the target gNB receives, \"teid\": the TEID there}",
            IndirectForwarding::to);
    private static final Field<IndirectForwarding, List<Integer>> QFIS = Field.required(
            "qfis",
            "flows that are forwarded",
            Elements.of(IntegerNumber.between(0, MOST_QFI, node -> node + " is no QFI", "write a number from 0 to 63"))
                    .atLeast(1, "at least one QoS flow is wanted", "list it, or leave forwarding out"),
            "list the QoS flows that are forwarded, such as [9]",
            IndirectForwarding::qfis);

    private static final Field<Session, String> ID = Field.required(
            "id",
            "unique within the slice",
            Text.parsed(SessionShape::id, "begin with a letter or digit; 31 characters at most")
                    .described("[A-Za-z0-9][A-Za-z0-9._-]{0,30}"),
            "give an id that is unique in the slice, such as \"imsi-001010000000001-5\"",
            Session::id);
    private static final Field<Session, List<IpPrefix>> UES = Field.standard(
                    "ue",
                    "addresses and prefixes of the UE; wanted where the slice ends at an anchor",
                    Elements.of(SliceShape.PREFIX)
                            .sized(
                                    0,
                                    MOST_UES,
                                    count -> count + " prefixes are given",
                                    count -> "list " + MOST_UES + " at most"),
                    List.<IpPrefix>of(),
                    Session::ues)
            .writtenUnlessDefault();
    private static final Field<Session, Integer> QFI = Field.standard(
            "qfi", "QoS flow of what is sent to the UE", IntegerNumber.between(0, MOST_QFI), 0, Session::qfi);
    private static final Field<Session, Boolean> RQI = Field.standard(
            "rqi", "reflective QoS indication of what is sent to the UE", new Flag(), false, Session::rqi);
    private static final Field<Session, Tunnel> UPLINK = Field.required(
            "uplink",
            "where the gNB sends to",
            TUNNEL,
            "write {\"endpoint\": where the gNB sends to, \"teid\": the TEID it uses}",
            Session::uplink);
    private static final Field<Session, Optional<Tunnel>> DOWNLINK =
            Field.optional("downlink", "where the gNB receives; absent: not known yet", TUNNEL, Session::downlink);
    private static final Field<Session, Optional<IndirectForwarding>> FORWARDING = Field.optional(
            "forwarding",
            "indirect data forwarding of a handover over N2: what the source gNB sends back goes to the target gNB",
            ObjectShape.of(
                    "indirect data forwarding",
                    List.of(FORWARDED_FROM, FORWARDED_TO, QFIS),
                    values -> new IndirectForwarding(
                            values.get(FORWARDED_FROM), values.get(FORWARDED_TO), values.get(QFIS))),
            Session::forwarding);

    private static final FieldGroup<Session, Metadata> METADATA = Metadata.fields(Session::metadata);

    private SessionShape() {}

    /** The shape of sessions that are posted to this slice. */
    public static ObjectShape<Session> in(String slice) {
        return ObjectShape.<Session>of(
                        "a PDU session of the slice",
                        List.of(ID, UES, QFI, RQI, UPLINK, DOWNLINK, FORWARDING, METADATA),
                        values -> new Session(
                                slice,
                                values.get(ID),
                                values.get(UES),
                                values.get(QFI),
                                values.get(RQI),
                                values.get(UPLINK),
                                values.get(DOWNLINK),
                                values.get(FORWARDING),
                                values.get(METADATA)))
                .named("Session");
    }

    private static String id(String text) {
        Session.checkId(text);
        return text;
    }

    private static int teid(String text) {
        long teid = TeidRange.teid(text);
        return (int) new TeidRange(teid, teid).first();
    }
}
