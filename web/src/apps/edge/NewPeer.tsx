// SPDX-License-Identifier: Apache-2.0
import { useLayoutEffect, useRef } from "preact/hooks";
import { CreateForm, WritersOnly } from "../../components/CreateForm";
import { TextField } from "../../components/Fields";
import { Warnings } from "../../components/Warnings";
import { useDryRun } from "../../components/dryRun";
import { useAsked } from "../../components/Loaded";
import { NOTHING, picture } from "../../state/picture";
import { go } from "../../state/route";
import { EMPTY, hintOf, peerOf, withPort } from "./draft";
import { edgeNow, peers } from "./peers";
import { strings } from "./strings";

const APP = { id: "edge", title: strings.title };

export function NewPeer() {
  return (
    <WritersOnly app={APP} what={strings.things}>
      <Form />
    </WritersOnly>
  );
}

/** Opens the edge for a peer; a click on a host names the port that it is behind. */
function Form() {
  const edge = useAsked(edgeNow, []);
  const run = useDryRun({
    intents: peers,
    empty: EMPTY,
    intentOf: peerOf,
    installed: (peer) => go("edge", "peers", peer.id),
  });
  const { draft, field, change, plan } = run;
  // Hosts that were clicked before the ports were here.
  const early = useRef<string[]>([]);
  useLayoutEffect(() => {
    const choose = (host: string): void => {
      if (edge.is !== "here") {
        early.current.push(host);
        return;
      }
      const node = edge.value.nodes.find((one) => portOf(one, host));
      const port = node && portOf(node, host);
      if (node !== undefined && port !== undefined) {
        change((before) => withPort(before, `${node.node}/${port.port}`));
      }
    };
    early.current.splice(0).forEach(choose);
    picture.value = { ...NOTHING, pick: ({ kind, name }) => kind === "host" && choose(name) };
  }, [edge]);
  return (
    <>
      <CreateForm app={APP} heading={strings.addPeer} hint={hintOf(draft)} run={run}>
        <TextField label={strings.name} placeholder={strings.office} {...field("name")} />
        <TextField label={strings.sources} placeholder={strings.exampleSources} {...field("sources")} />
        <TextField label={strings.ports} placeholder={strings.examplePorts} {...field("ports")} />
      </CreateForm>
      {plan !== undefined && <Warnings of={plan.warnings} />}
    </>
  );
}

function portOf(node: { readonly ports: readonly { readonly port: number; readonly what?: string }[] }, host: string) {
  return node.ports.find(({ what }) => what === host);
}
