// SPDX-License-Identifier: Apache-2.0
import { useLayoutEffect } from "preact/hooks";
import { CreateForm, WritersOnly } from "../../components/CreateForm";
import { TextField } from "../../components/Fields";
import { Warnings } from "../../components/Warnings";
import { useDryRun } from "../../components/dryRun";
import { useAsked } from "../../components/Loaded";
import { NOTHING, picture } from "../../state/picture";
import { go } from "../../state/route";
import { EMPTY, hintOf, peerOf, withPort } from "./draft";
import { edgeNow, peers } from "./peers";

const APP = { id: "edge", title: "Edge" };

export function NewPeer() {
  return (
    <WritersOnly app={APP} what="peers">
      <Form />
    </WritersOnly>
  );
}

/** Opens the edge for somebody; a click on a host names the port that it is behind. */
function Form() {
  const edge = useAsked(edgeNow, []);
  const run = useDryRun({
    intents: peers,
    empty: EMPTY,
    intentOf: peerOf,
    installed: (peer) => go("edge", "peers", peer.id),
  });
  const { draft, set, change, plan, problems } = run;
  useLayoutEffect(() => {
    picture.value = {
      ...NOTHING,
      pick: ({ kind, name }) => {
        const node =
          edge.is === "here" && kind === "host" ? edge.value.nodes.find((one) => portOf(one, name)) : undefined;
        const port = node && portOf(node, name);
        if (node !== undefined && port !== undefined) {
          change((before) => withPort(before, `${node.node}/${port.port}`));
        }
      },
    };
  }, [edge]);
  return (
    <>
      <CreateForm app={APP} heading="Let a peer in" hint={hintOf(draft)} run={run}>
        <TextField
          label="Name"
          value={draft.name}
          placeholder="office"
          problems={problems.of("name")}
          onValue={(name) => set({ name })}
        />
        <TextField
          label="Sources"
          value={draft.sources}
          placeholder="2001:db8:a::/48"
          problems={problems.of("sources")}
          onValue={(sources) => set({ sources })}
        />
        <TextField
          label="Ports"
          value={draft.ports}
          placeholder="click a host, or l1/3"
          problems={problems.of("ports")}
          onValue={(ports) => set({ ports })}
        />
      </CreateForm>
      {plan !== undefined && <Warnings of={plan.warnings} />}
    </>
  );
}

function portOf(node: { readonly ports: readonly { readonly port: number; readonly what?: string }[] }, host: string) {
  return node.ports.find(({ what }) => what === host);
}
