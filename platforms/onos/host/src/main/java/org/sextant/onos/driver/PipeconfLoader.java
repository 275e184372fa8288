// SPDX-License-Identifier: Apache-2.0
package org.sextant.onos.driver;

import java.net.URL;
import java.util.ArrayList;
import java.util.List;
import org.onosproject.net.pi.model.DefaultPiPipeconf;
import org.onosproject.net.pi.model.PiPipeconf;
import org.onosproject.net.pi.model.PiPipeconf.ExtensionType;
import org.onosproject.net.pi.model.PiPipeconfId;
import org.onosproject.net.pi.model.PiPipelineInterpreter;
import org.onosproject.net.pi.service.PiPipeconfService;
import org.onosproject.p4runtime.model.P4InfoParser;
import org.onosproject.p4runtime.model.P4InfoParserException;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;

/** Registers a pipeconf {@code org.sextant.X} for every instantiation X of the contract in this bundle. */
@Component(immediate = true, service = PipeconfLoader.class)
public final class PipeconfLoader {
    /** In the order of pipeconfs/p4src/instantiations. Instantiations that are not in this build are passed over. */
    static final List<String> INSTANTIATIONS = List.of("linux", "bmv2", "vpp");

    private final List<PiPipeconfId> registered = new ArrayList<>();

    @Reference
    PiPipeconfService service;

    @Activate
    void activate() {
        pipeconfs().forEach(pipeconf -> {
            service.register(pipeconf);
            registered.add(pipeconf.id());
        });
    }

    @Deactivate
    void deactivate() {
        registered.forEach(service::unregister);
    }

    static List<PiPipeconf> pipeconfs() {
        List<PiPipeconf> pipeconfs = new ArrayList<>();
        for (String name : INSTANTIATIONS) {
            URL p4Info = PipeconfLoader.class.getResource("/onos-p4info/" + name + ".p4info.txtpb");
            if (p4Info != null) {
                pipeconfs.add(pipeconf(name, p4Info));
            }
        }
        return pipeconfs;
    }

    private static PiPipeconf pipeconf(String name, URL p4Info) {
        try {
            DefaultPiPipeconf.Builder pipeconf = DefaultPiPipeconf.builder()
                    .withId(new PiPipeconfId("org.sextant." + name))
                    .withPipelineModel(P4InfoParser.parse(p4Info))
                    .addBehaviour(PiPipelineInterpreter.class, ContractInterpreter.class)
                    .addExtension(ExtensionType.P4_INFO_TEXT, p4Info);
            URL program = PipeconfLoader.class.getResource("/onos-p4info/" + name + ".json");
            if (program != null) {
                pipeconf.addExtension(ExtensionType.BMV2_JSON, program);
            }
            return pipeconf.build();
        } catch (P4InfoParserException e) {
            throw new IllegalStateException("the P4Info of " + name + " in this bundle is damaged; build it again", e);
        }
    }
}
