// SPDX-License-Identifier: Apache-2.0
package org.sextant.mobile.slice;

import java.util.List;
import org.sextant.kit.app.AppWords;
import org.sextant.kit.app.Filter;
import org.sextant.kit.app.Form;
import org.sextant.kit.app.Operation;
import org.sextant.kit.app.Word;
import org.sextant.mobile.Slice;

/** The names of slices, and the words of a shell command for one. */
final class SliceWords implements AppWords {
    static final List<Filter<Slice>> FILTERS = List.of(new Filter<>(
            "node",
            "NODE",
            "the gateway or anchor at either end",
            "Only with this gateway or anchor.",
            "at",
            false,
            text -> (slice, network) -> text.equals(slice.access().gateway())
                    || text.equals(slice.core().node())));

    @Override
    public String one() {
        return "slice";
    }

    @Override
    public String many() {
        return "slices";
    }

    @Override
    public String called() {
        return "mobile slice";
    }

    @Override
    public String calledMany() {
        return "mobile slices";
    }

    @Override
    public String plan() {
        return "paths, segment lists with the place of arguments, bytes against GTP, entries";
    }

    @Override
    public String conflict() {
        return "another slice takes packets of this one";
    }

    @Override
    public List<Example> examples() {
        return List.of(
                new Example("between two gateways, gNB and UPF unchanged", """
                        {"name": "urllc", "snssai": {"sst": 2, "sd": "000001"},
                         "access": {"gateway": "g1", "gnbs": ["192.0.2.0/24"]},
                         "core": {"gateway": "u1", "upfs": ["198.51.100.1"]},
                         "uplink": {"hops": ["p1"]}, "match": [{"qfi": [5, 9]}]}"""),
                new Example("up to an anchor, where GTP ends", """
                        {"name": "internet", "access": {"gateway": "g1", "gnbs": ["192.0.2.0/24"]},
                         "core": {"anchor": "u1", "upfs": ["198.51.100.1"]}, "default": true}"""));
    }

    @Override
    public List<String> usage(Operation operation) {
        return switch (operation) {
            case ADD ->
                List.of(
                        "internet g1 u1 --gnb 192.0.2.0/24 --upf 198.51.100.1 --default",
                        "urllc g1 u1 --gnb 192.0.2.0/24 --upf 198.51.100.1 --hops p1,p2 --teid 0x1000-0x1fff",
                        "--file slice.json --dry-run");
            case LIST -> List.of("", "--node g1 --json");
            case GET -> List.of("urllc");
            case PLAN -> List.of("urllc", "--file slice.json --json");
            default -> List.of("urllc", "--all");
        };
    }

    static Form form() {
        return new Form(
                List.of(
                        Word.argument("NAME", "The slice's name, which becomes its id.", Word.text("name")),
                        Word.argument("NODE", "The gateway at the gNBs.", in("access", Word.text("gateway"))),
                        Word.argument("NODE", "The gateway at the UPFs.", in("core", Word.text("gateway"))),
                        Word.option(
                                "--gnb",
                                "PREFIX,…",
                                "Addresses or prefixes of gNBs.",
                                in("access", Word.texts("gnbs"))),
                        Word.option(
                                "--upf", "ADDRESS,…", "Addresses that gNBs send to.", in("core", Word.texts("upfs"))),
                        Word.option(
                                "--hops",
                                "NODE,NODE…",
                                "Nodes on the way up, and in reverse down.",
                                in("uplink", Word.texts("hops"))),
                        Word.option("--mode", "MODE", "traditional, enhanced or transport.", Word.text("mode"))
                                .offering("traditional", "enhanced", "transport"),
                        Word.option(
                                "--teid",
                                "TEID-TEID",
                                "Takes tunnels of this range.",
                                (json, typed) ->
                                        json.putArray("match").addObject().put("teid", typed.get(0))),
                        new Word(
                                "--default",
                                "",
                                "Takes what no other slice takes.",
                                false,
                                List.of(),
                                (json, typed) -> json.put("default", true))),
                3,
                "a name and two gateways, for example internet g1 u1 --gnb 192.0.2.0/24 --upf 198.51.100.1");
    }

    /** A field of an object within the intent. */
    private static Word.Becoming in(String object, Word.Becoming field) {
        return (json, typed) -> field.put(json.with(object), typed);
    }
}
