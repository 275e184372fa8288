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

const APP = { id: "edge", title: "Edge" };

export function NewPeer() {
  return (
    <WritersOnly app={APP} what="peers">
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
      <CreateForm app={APP} heading="Let a peer in" hint={hintOf(draft)} run={run}>
        <TextField label="Name" placeholder="office" {...field("name")} />
        <TextField label="Sources" placeholder="2001:db8:a::/48" {...field("sources")} />
        <TextField label="Ports" placeholder="click a host, or l1/3" {...field("ports")} />
      </CreateForm>
      {plan !== undefined && <Warnings of={plan.warnings} />}
    </>
  );
}

function portOf(node: { readonly ports: readonly { readonly port: number; readonly what?: string }[] }, host: string) {
  return node.ports.find(({ what }) => what === host);
}
